"""wordcount on files as people have them. Oracles are Python's own."""
import collections
import csv
import gzip
import io
import random

from program import ProgramTest, main

SEED = 20261128


class WordcountCases(ProgramTest):
    def counts(self, *arguments, cores=2, **more):
        """All fields or words and how often each occurs, verified by the program itself."""
        answer = self.answer("wordcount", *arguments, "--cores", cores, "--verify", "--top", 1000000, **more)
        self.assertIs(answer["verified"], True)
        name = next((n for n in ("field", "line") if answer["top"] and n in answer["top"][0]), "word")
        return {row[name]: row["count"] for row in answer["top"]}

    def test_a_quoted_field_is_a_field(self):
        self.file("a.csv", b'country,amount\n"Korea, Republic of",7\nPeru,30\n"Korea, Republic of",4\n"say ""5""",4\n')
        comma = ("--separator", ",")
        expected = {"Korea, Republic of": 2, "Peru": 1, 'say "5"': 1}
        self.assertEqual(self.counts("a.csv", "--field", "country", *comma), expected)
        self.assertEqual(self.counts("a.csv", "--field", 1, "--header", *comma), expected)
        self.assertEqual(self.counts("a.csv", "--field", 1, *comma), expected | {"country": 1})
        self.assertEqual(self.counts("a.csv", "a.csv", "--field", "amount", *comma), {"7": 2, "30": 2, "4": 4})
        self.assertIn('a.csv: no column "contry": did you mean "country"?', self.refused("wordcount", "a.csv", "--field", "contry", *comma))
        self.file("b.csv", b"nation,amount\nPeru,1\n")
        self.assertIn("b.csv: expected the columns of the first file's header (country, amount), found others (nation, amount)",
                      self.refused("wordcount", "a.csv", "b.csv", "--field", "country", *comma))
        self.assertIn("--header needs --field", self.refused("wordcount", "a.csv", "--header"))

    def test_quotes_as_they_stand(self):
        self.file("disks.csv", b'5" disk,2\n')
        self.assertIn("disks.csv:1: expected quotes only around a whole field (doubled inside it), found one inside a field "
                      "(--no-quotes takes quotes as they stand)", self.refused("wordcount", "disks.csv", "--separator", ",", "--field", 2))
        self.assertEqual(self.counts("disks.csv", "--separator", ",", "--field", 1, "--no-quotes"), {'5" disk': 1})

    def test_rows_have_as_many_fields_as_the_header(self):
        self.file("long.csv", b"name,amount\nb,2\nKorea, Republic of,7\na,1\n")
        asked = ("--field", "amount", "--separator", ",")
        self.assertEqual(self.refused("wordcount", "long.csv", *asked, "--quiet"), "error: long.csv:3: expected 2 fields, found 3\n")
        self.assertEqual(self.counts("long.csv", *asked, "--skip-bad"), {"2": 1, "1": 1})

    def test_quoted_line_ends_in_any_number_of_pieces(self):
        draw = random.Random(SEED)
        fields = ("", "a", "a,b", 'say "x"', "two\nlines", ",", '"', "plain words", "\n" * 30, '"",""\n')
        for cores in (1, 2, 3):
            rows = [[draw.choice(fields), str(draw.randrange(50)), draw.choice(fields)] for _ in range(draw.choice((3, 300, 6000)))]
            for _ in range(3):
                rows.insert(draw.randrange(len(rows)), ["x\n" * draw.randrange(60000), "7", "longer than a piece"])
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(rows)
            self.file("in.csv", text.getvalue())
            self.file("in.csv.gz", gzip.compress(text.getvalue().encode(), 1))
            for engine in "hybrid", "messages":
                for source in "in.csv", "in.csv.gz":
                    found = self.counts(source, "--separator", ",", "--field", 3, "--engine", engine, cores=cores)
                    self.assertEqual(found, collections.Counter(row[2] for row in rows), f"seed {SEED}, {source}, {cores} cores")
            self.assertEqual(self.counts("in.csv", "--separator", ",", "--field", 3, "--resume", "kept", cores=cores),
                             collections.Counter(row[2] for row in rows), f"seed {SEED}, {cores} cores")
            with open(self.folder / "in.csv") as source_file:
                answer = self.answer("wordcount", "-", "--separator", ",", "--field", 2, "--cores", cores, stdin=source_file)
            self.assertEqual(answer["words"], len(rows))

    # Byte-order marks and line ends -----------------------------------------------------------------------

    def test_a_byte_order_mark_is_no_word(self):
        self.file("mark.txt", b"\xef\xbb\xbfalpha beta\nalpha\n")
        self.assertEqual(self.counts("mark.txt"), {"alpha": 2, "beta": 1})
        self.assertEqual(self.counts("mark.txt", "--letters"), {"alpha": 2, "beta": 1})
        self.assertEqual(self.counts("mark.txt", "mark.txt", "--lines"), {"alpha beta": 2, "alpha": 2})
        self.assertEqual(self.counts("mark.txt", "--field", 1), {"alpha": 2})


if __name__ == "__main__":
    main()
