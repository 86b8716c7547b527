"""tools/recording: the commit of the programs tells every state of a changed tree apart."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
sys.dont_write_bytecode = True


class CommitOfPrograms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gossamer-recording-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        for name in "tools", "gossamer", "docs":
            (self.root / name).mkdir()
        shutil.copy(SOURCE / "tools/recording.py", self.root / "tools")
        (self.root / "gossamer/a.cpp").write_text("int a;\n")
        (self.root / "docs/a.md").write_text("text\n")
        spec = importlib.util.spec_from_file_location("recording_here", self.root / "tools/recording.py")
        self.recording = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.recording)

    def git(self, *words):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        done = subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=n@n", *words], cwd=self.root, env=environment, check=True,
                              capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self):
        return self.recording.commit_of_programs()

    def test_each_state_of_a_changed_tree_is_a_version(self):
        self.git("init", "-q")
        self.git("add", "gossamer", "docs")
        self.git("commit", "-q", "-m", "one")
        clean = self.git("log", "-1", "--abbrev=8", "--format=%h")
        self.assertEqual(self.commit(), clean)
        found, source, new = [], self.root / "gossamer/a.cpp", self.root / "gossamer/new.cpp"
        for file, text in (source, "int b;\n"), (source, "int c;\n"), (new, "int d;\n"), (new, "int e;\n"):
            file.write_text(text)
            self.assertRegex(self.commit(), rf"\A{clean}-dirty-[0-9a-f]{{8}}\Z")
            self.assertEqual(self.commit(), self.commit())
            found.append(self.commit())
        self.assertEqual(len(set(found)), 4, found)
        self.git("add", "gossamer/a.cpp")  # staged or not, it is the same tree
        self.assertEqual(self.commit(), found[-1])
        source.write_text("int a;\n")
        new.unlink()
        (self.root / "docs/a.md").write_text("other text\n")
        self.assertEqual(self.commit(), clean)

    def test_no_repository_and_no_git(self):
        self.assertEqual(self.recording.commit_of_programs(), "unknown")
        self.assertEqual(self.recording.commit(), "unknown")
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        os.environ["PATH"] = str(self.root)
        self.assertEqual(self.recording.commit_of_programs(), "unknown")
        self.assertEqual(self.recording.commit(), "unknown")


if __name__ == "__main__":
    unittest.main(verbosity=2)
