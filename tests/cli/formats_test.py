"""Files that are no text: every command that reads text refuses them by name, and says what helps."""
import bz2
import gzip
import io
import lzma
import tarfile
import unittest
import zipfile

from program import ProgramTest

READERS = (["info"], ["components"], ["convert"], ["group", "--by", "1"], ["wordcount"], ["wordcount", "--lines"], ["sort"],
           ["sort", "--key", "1", "--separator", ","])
TABLE = b"name,size\nann,1\nbob,2\n"


def tar_of(contents):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as t:
        entry = tarfile.TarInfo("out.edges")
        entry.size = len(contents)
        t.addfile(entry, io.BytesIO(contents))
    return archive.getvalue()


def zip_of(contents):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as z:
        z.writestr("table.csv", contents)
    return archive.getvalue()


FORMS = {  # name of the file: its bytes, what is said
    "edges.tar": (tar_of(TABLE), "a tar archive is not read: unpack it"),
    "edges.tgz": (gzip.compress(tar_of(TABLE)), "a tar archive (in gzip) is not read: unpack it"),
    "edges.tar.bz2": (bz2.compress(tar_of(TABLE)), "a tar archive (in bzip2) is not read: unpack it"),
    "edges.txt": (lzma.compress(tar_of(TABLE)), "a tar archive (in xz) is not read: unpack it"),
    "table.xlsx": (zip_of(TABLE), "a zip archive or Excel file is not read: unpack it, or save the table as CSV"),
    "table.xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504), "an Excel file is not read: save the table as CSV"),
    "table.parquet": (b"PAR1\x15\x04\x15\x10PAR1", "Parquet is not read: write it"),
    "table.csv": (TABLE.decode().encode("utf-16"), "UTF-16 text is not read: convert it: iconv -f UTF-16 -t UTF-8"),
    "little.csv": (TABLE.decode().encode("utf-16-le"), "UTF-16 text is not read: convert it: iconv -f UTF-16LE -t UTF-8"),
    "big.csv": (TABLE.decode().encode("utf-16-be"), "UTF-16 text is not read: convert it: iconv -f UTF-16BE -t UTF-8"),
    "wide.csv": (TABLE.decode().encode("utf-32"), "UTF-32 text is not read: convert it: iconv -f UTF-32 -t UTF-8"),
}


class OtherFormats(ProgramTest):
    def test_every_command_refuses_them_by_name(self):
        for name, (contents, said) in FORMS.items():
            self.file(name, contents)
            for command, *words in READERS:
                with self.subTest(file=name, command=command, words=words):
                    output = ["out.tsv"] if command == "convert" else ["-o", "out.tsv"] if command in ("group", "sort") else []
                    self.assertIn(f"error: {name}: {said}", self.refused(command, name, *output, *words))

    def test_from_standard_input(self):
        for command, *words in READERS:
            with self.subTest(command=command), open(self.file("t.tgz", FORMS["edges.tgz"][0]), "rb") as stdin:
                output = ["out.tsv"] if command == "convert" else ["-o", "out.tsv"] if command in ("group", "sort") else []
                self.assertIn("a tar archive (in gzip) is not read", self.refused(command, "-", *output, *words, stdin=stdin))

    def test_texts_that_look_like_them_are_read(self):
        for text in ("PAR1,ORC\nx,y\n", "ORC FEA1\nPK 7z\n", "ARROW1 x\n"):
            self.file("t.txt", text)
            self.text("wordcount", "t.txt", "-o", "out.tsv")
            self.text("sort", "t.txt", "-o", "out.txt")
            self.text("info", "t.txt")

    def test_numbers_of_binary_files_are_sorted_whatever_they_begin_with(self):
        self.file("t.bin", b"PAR1\x15\x04\x15\x10")
        self.text("sort", "--binary", "i32", "t.bin", "-o", "out.bin")


if __name__ == "__main__":
    unittest.main()
