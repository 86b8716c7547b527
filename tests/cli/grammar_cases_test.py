"""One grammar of CSV, TSV and blanks: the same tables through info, group, sort and wordcount have the same fields. What the fields are
says a reader of a few lines, and Python's csv where quotes count."""
import collections
import csv
import io
import random

from program import ProgramTest, main

NAMES = {",": ",", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks"}
# text, separator, options of all
TABLES = [
    ("a,b\nc,d\n", ",", ()),
    ('"Lee, Ann",bob\n"say ""hi""",c\n', ",", ()),
    ('"","a"\nb,c\n', ",", ()),  # no vertex is empty
    ("1,2\r\n3,4\r\n", ",", ()),
    ("x;1,5\ny;2,5\n", ";", ()),
    ("ann lee\tbob\ncy\tdee, jr.\n", "\t", ()),
    ("a|b\nc|d\n", "|", ()),
    ("  a   b\t\nc\td\n", " ", ("--no-quotes",)),
    ('"a" 6"\n"d e\n', " ", ("--no-quotes",)),
    ('5" disk,a\nb,"c\n', ",", ("--no-quotes",)),
    ('"a ", b\n c ,d\n', ",", ()),  # blanks outside of quotes are of a field, but of no vertex
    ("\ufeffé,b\n", ",", ()),
    ("a,b\nc,d", ",", ()),
]
# text, separator, what is wrong with it
DAMAGED = [
    ('5" disk,a\nb,c\n', ",", "expected quotes only around a whole field"),
    ('ann lee\tbob "b"\n', "\t", "expected quotes only around a whole field"),
    ('"a"b,c\n', ",", "expected a separator or the end of the line after a closing quote"),
    ('a,"b\nc,d\n', ",", "expected a quote that ends the field"),
]


def fields_of(text, separator, quotes):
    """The records: a list of fields for each line that is not empty."""
    text = text.removeprefix("\ufeff")
    if separator == " ":
        return [line.split() for line in text.splitlines() if line.split()]
    style = {"quoting": csv.QUOTE_NONE} if not quotes else {"strict": True}
    return [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, **style) if row]


class Grammar(ProgramTest):
    def columns_of_tables(self, separator, options, column):
        """The field of each record, by group and by wordcount, and the lines in the order of sort."""
        between = ["--separator", NAMES[separator], *(options if separator != " " else ())]
        self.text("group", "t.txt", "--no-header", "--by", column, "-o", "g.csv", *between)
        self.text("wordcount", "t.txt", "--field", column, "-o", "w.csv", *between)
        self.text("sort", "t.txt", "--key", column, "-o", "s.txt", *between)
        counts = ({row[0]: int(row[1]) for row in self.rows(name)} for name in ("g.csv", "w.csv"))
        return *counts, (self.folder / "s.txt").read_bytes().decode()

    def rows(self, name):
        """The rows of an answer below its header."""
        return list(csv.reader(io.StringIO((self.folder / name).read_bytes().decode(), newline="")))[1:]

    def vertices(self, separator, options):
        between = ["--separator", "space" if separator == " " else NAMES[separator]]
        self.text("info", "t.txt", "--labels", "--no-header", "-o", "v.csv", *between, *options)
        return {row[0] for row in self.rows("v.csv")}

    def check(self, text, separator, options):
        quotes = "--no-quotes" not in options
        rows = fields_of(text, separator, quotes)
        self.file("t.txt", text)
        for column in (1, 2):
            wanted = collections.Counter(row[column - 1] for row in rows)
            groups, words, lines = self.columns_of_tables(separator, options, column)
            self.assertEqual(groups, wanted)
            self.assertEqual(words, wanted)
            keys = [row[column - 1].encode() for row in fields_of(lines, separator, quotes)]
            self.assertEqual(keys, sorted(key.encode() for key in wanted.elements()))
        ends = {field for row in rows for field in row}
        if "" in ends:
            self.assertIn("expected two vert", self.refused("info", "t.txt", "--labels", "--no-header", "--separator", NAMES[separator]))
        else:  # a quoted vertex keeps its blanks
            bare = {field if f'"{field}"' in text else field.strip(" ") for field in ends}
            self.assertEqual(self.vertices(separator, options), bare)

    def test_tables_have_the_same_fields_everywhere(self):
        for text, separator, options in TABLES:
            with self.subTest(text=text, options=options):
                self.check(text, separator, options)

    def test_damaged_quotes_are_refused_everywhere_with_the_same_words(self):
        for text, separator, problem in DAMAGED:
            self.file("t.txt", text)
            for command in (["info", "t.txt", "--labels", "--no-header"], ["group", "t.txt", "--no-header", "--by", "1", "-o", "-"],
                            ["sort", "t.txt", "--key", "1"], ["wordcount", "t.txt", "--field", "1"]):
                with self.subTest(text=text, command=command):
                    said = self.refused(*command, "--separator", NAMES[separator])
                    self.assertIn(problem, said)
                    self.assertIn("(--no-quotes takes quotes as they stand)", said)
                    self.text(*command, "--separator", NAMES[separator], "--no-quotes")

    def test_random_tables(self):
        for seed in range(24):
            draw = random.Random(seed)
            separator = draw.choice(list(NAMES))
            quotes = separator != " " and draw.random() < 0.7
            letters = "ab,;|é'" + (" \"" if separator != " " and quotes else "")
            if not quotes:
                letters = letters.replace(separator, "") + '"'

            def field():
                return "v" + "".join(draw.choice(letters) for _ in range(draw.randrange(6))) + "w"
            rows = [[field(), field()] for _ in range(draw.choice((2, 40, 3000)))]
            text = io.StringIO()
            if quotes:
                csv.writer(text, delimiter=separator, lineterminator=draw.choice(("\n", "\r\n"))).writerows(rows)
            else:
                text.write("".join(separator.join(row) + "\n" for row in rows))
            with self.subTest(seed=seed, separator=separator, quotes=quotes):
                self.check(text.getvalue(), separator, () if quotes else ("--no-quotes",))

    def test_what_is_inferred_of_a_separator_is_the_same(self):
        for line, separator in (("a,b", ","), ("a;b", ";"), ("1;2,5;x", ";"), ("a\tb", "\t"), ("a|b", "|"), ("a;b,c", ";")):
            self.file("t.txt", (line + "\n") * 2)
            first = line.split(separator)[0]
            with self.subTest(line=line):
                self.assertEqual(self.text("group", "t.txt", "--no-header", "--by", "1", "-o", "-").split()[-2:], [first, "2"])
                if line.count(separator) == 1:
                    self.text("info", "t.txt", "--labels", "--no-header", "-o", "v.csv")
                    self.assertIn(first, (self.folder / "v.csv").read_text())

    def test_what_was_inferred_can_be_said_by_options(self):
        for text, schema in (("site;temp\na;1,5\n", "separator ';', header \"site, temp\", columns text, text (--separator semicolon --header)"),
                             ("a\t1\nb\tNA\n", "separator tabs, no header, columns text, integer (--separator tab --no-header)"),
                             ("a,1.5\n", "separator ',', no header, columns text, real (--separator , --no-header)")):
            self.file("t.txt", text)
            answer = self.answer("group", "t.txt", "--by", "site" if "site" in text else "1")
            self.assertEqual(answer["schema"], schema)
            said = schema[schema.index("(") + 1:-1].split()
            again = self.answer("group", "t.txt", "--by", "1", *said)
            self.assertEqual((again["schema"], again["top"]), (schema, answer["top"]))

    def test_names_with_quotes_are_written_so_that_they_are_read_back(self):
        self.file("t.tsv", 'the "rock"\tbob\nbob\t6" pipe\n')
        self.text("convert", "t.tsv", "w.tsv", "--no-quotes", "--labels")
        self.text("info", "w.tsv", "-o", "v.csv")
        self.assertEqual({row[0] for row in self.rows("v.csv")},
                         {'the "rock"', "bob", '6" pipe'})
        self.assertIn("--no-quotes", self.refused("info", "t.tsv"))


if __name__ == "__main__":
    main()
