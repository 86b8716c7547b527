"""sort on files as people have them: what other programs write, and what goes wrong with it. Oracles are Python's own."""
import csv
import io
import random

from program import ProgramTest, main

SEED = 20261128


class SortCases(ProgramTest):
    def sorted(self, *arguments, cores=2, **more):
        """What the program writes to a file, verified by itself."""
        answer = self.answer("sort", *arguments, "--cores", cores, "--verify", "-o", "out", **more)
        self.assertIs(answer["verified"], True)
        return (self.folder / "out").read_bytes()

    # Quotes -----------------------------------------------------------------------------------------------

    def test_a_quoted_field_is_a_field(self):
        self.file("sales.csv", b'country,amount\n"Korea, Republic of",7\nPeru,30\n"say ""5""",4\n')
        self.assertEqual(self.sorted("sales.csv", "--header", "--separator", ",", "--key", "amount", "-n"),
                         b'country,amount\n"say ""5""",4\n"Korea, Republic of",7\nPeru,30\n')
        self.file("names.csv", b'"Doe, Jane",10\n"Roe, A",5\nZoe,1\n')
        self.assertEqual(self.sorted("names.csv", "--separator", ",", "--key", 2), b'Zoe,1\n"Doe, Jane",10\n"Roe, A",5\n')

    def test_quotes_as_they_stand(self):
        self.file("disks.csv", b'5" disk,2\n3" disk,1\n')
        self.assertIn("disks.csv:1: expected quotes only around a whole field (doubled inside it), found one inside a field "
                      "(--no-quotes takes quotes as they stand)", self.refused("sort", "disks.csv", "--separator", ",", "--key", 2))
        self.assertEqual(self.sorted("disks.csv", "--separator", ",", "--key", 2, "-n", "--no-quotes"), b'3" disk,1\n5" disk,2\n')
        self.assertEqual(self.sorted("disks.csv", "--key", 2), b'3" disk,1\n5" disk,2\n')  # between blanks quotes are characters

    def test_rows_have_as_many_fields_as_the_header(self):
        self.file("long.csv", b"name,amount\nb,2\nKorea, Republic of,7\na,1\n")
        asked = ("sort", "long.csv", "--header", "--separator", ",", "--key", "amount")
        self.assertEqual(self.refused(*asked, "--quiet"), "error: long.csv:3: expected 2 fields, found 3\n")
        answer = self.answer(*asked, "--skip-bad", "-o", "out", "--verify")
        self.assertEqual((answer["skipped"], (self.folder / "out").read_bytes()), (1, b"name,amount\na,1\nb,2\n"))
        self.assertIn('header: no column "3"; columns: name, amount', self.refused(*asked[:-1], 3))

    def test_tables_of_quotes_in_any_number_of_pieces(self):
        draw = random.Random(SEED)
        fields = ("", "a", "a,b", 'say "x"', "two\nlines", ",", '"', "\r\n", "plain words", "\n" * 30, '"",""\n')
        for cores in (1, 2, 3):
            rows = [[draw.choice(fields), str(draw.randrange(50)), draw.choice(fields)] for _ in range(draw.choice((3, 300, 6000)))]
            for _ in range(3):
                rows.insert(draw.randrange(len(rows)), ["x\n" * draw.randrange(60000), "7", "longer than a piece"])
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(rows)
            self.file("in.csv", text.getvalue())
            for memory in (), ("--memory", "1M"):
                self.sorted("in.csv", "--separator", ",", "--key", 2, "-n", *memory, cores=cores)
                with open(self.folder / "out", newline="") as found:
                    self.assertTrue(list(csv.reader(found)) == sorted(rows, key=lambda row: int(row[1])),
                                    f"seed {SEED}, {cores} cores, memory {memory}")


if __name__ == "__main__":
    main()
