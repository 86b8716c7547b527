"""Documents as text: prose in lines that a screen holds, links that lead to files, nothing left of a merge."""
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).parents[2]))
LONGEST = 110
DOCUMENTS = [*SOURCE.glob("*.md"), *SOURCE.glob("docs/**/*.md")]
MADE_BY_TOOLS = SOURCE / "docs/performance"  # tables, with sentences between them


def prose(text):
    """(number, line) outside of code, tables and links that fill a line of their own."""
    in_code = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code and not line.startswith("|"):
            yield number, line


def too_long(text):
    return [number for number, line in prose(text) if len(line) > LONGEST and " " in line.strip()[:LONGEST]]


def dead_links(path, text):
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.S))
    return [t for t in targets if "://" not in t and not t.startswith("mailto:") and not (path.parent / t).exists()]


class Documents(unittest.TestCase):
    def test_prose_is_in_short_lines(self):
        for path in DOCUMENTS:
            if MADE_BY_TOOLS not in path.parents:
                self.assertEqual(too_long(path.read_text()), [], path)

    def test_links_lead_somewhere(self):
        for path in DOCUMENTS:
            self.assertEqual(dead_links(path, path.read_text()), [], path)

    def test_no_merge_is_half_done(self):
        for path in DOCUMENTS:
            self.assertNotRegex(path.read_text(), r"(?m)^(<{7}|>{7}|={7}$)", path)

    def test_finds_what_is_wrong(self):
        self.assertEqual(too_long("a " * 60 + "\n```\n" + "a " * 60 + "\n```\n| " + "a " * 60), [1])
        self.assertEqual(dead_links(SOURCE / "README.md", "[a](docs/guide.md) [b](no/such.md#x) `[c](d)`"), ["no/such.md"])


if __name__ == "__main__":
    unittest.main()
