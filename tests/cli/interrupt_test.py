"""Ctrl-C and its kin: the program ends within a second and leaves nothing behind."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import time

from program import CLEAN, PROGRAM, ProgramTest, main


class Interrupts(ProgramTest):
    def has_begun_its_output(self, process):
        """The output has no name until it is whole; the process holds it open, in the folder of the test."""
        try:
            return any(os.readlink(descriptor.path).startswith(f"{self.folder}/")
                       for descriptor in os.scandir(f"/proc/{process.pid}/fd"))
        except OSError:  # closed meanwhile
            return False

    def started(self, *arguments):
        """A run that is under way: its output is begun."""
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, env=CLEAN, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        while process.poll() is None and not self.has_begun_its_output(process):
            time.sleep(0.01)
        self.assertIsNone(process.poll(), "the run ended before it could be interrupted")
        return process

    def stopped_by(self, number):
        process = self.started("betweenness", "kron:18", "--exact", "--output", "scores.tsv")
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
        self.assertEqual(process.returncode, -number)
        self.assertEqual(out, b"")
        self.assertLessEqual(err.count(b"\n"), 3, err)
        self.assertEqual(self.names(), [])

    def test_interrupt(self):
        self.stopped_by(signal.SIGINT)

    def test_terminate(self):
        self.stopped_by(signal.SIGTERM)

    def test_the_first_process_of_a_container_ends(self):
        apart = ["unshare", "--pid", "--fork", "--mount-proc"]
        if subprocess.run([*apart, "true"], capture_output=True).returncode != 0:
            self.skipTest("no namespaces for processes here")
        outer = subprocess.Popen([*apart, PROGRAM, "betweenness", "kron:18", "--exact", "--output", "scores.tsv"], cwd=self.folder,
                                 env=CLEAN, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(outer.kill)
        inner = type("process", (), {"pid": None})
        while outer.poll() is None and not (inner.pid and self.has_begun_its_output(inner)):
            time.sleep(0.01)
            with open(f"/proc/{outer.pid}/task/{outer.pid}/children") as children:
                inner.pid = next(map(int, children.read().split()), None)
        os.kill(inner.pid, signal.SIGTERM)
        self.assertEqual(outer.communicate(timeout=20)[0], b"")
        self.assertEqual(outer.returncode, 128 + signal.SIGTERM)
        self.assertEqual(self.names(), [])

    def test_hangup(self):
        self.stopped_by(signal.SIGHUP)

    def test_the_old_output_survives(self):
        old = self.file("scores.tsv", "precious")
        process = self.started("betweenness", "kron:18", "--exact", "--output", "scores.tsv")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(old.read_text(), "precious")
        self.assertEqual(self.names(), ["scores.tsv"])


class Terminals(ProgramTest):
    def on_terminal(self, *arguments, env=None, columns=80):
        """All that a person sees."""
        try:
            leader, follower = pty.openpty()
        except OSError as error:  # a bare chroot or container may have none
            self.skipTest(f"no terminal to be had: {error}")
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdin=follower, stdout=follower,
                                   stderr=follower, env={**CLEAN, "TERM": "xterm", **(env or {})})
        os.close(follower)
        seen = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:
                break
            if not part:
                break
            seen += part
        os.close(leader)
        self.assertEqual(process.wait(timeout=60), 0)
        return seen.decode()

    def test_colours_on_a_terminal_only_and_not_with_no_color(self):
        self.assertIn("\x1b[1m", self.on_terminal("components", "kron:6"))
        self.assertNotIn("\x1b[1m", self.on_terminal("components", "kron:6", env={"NO_COLOR": "1"}))
        self.assertNotIn("\x1b[1m", self.on_terminal("components", "kron:6", env={"TERM": "dumb"}))

    def test_progress_stays_one_line_of_a_narrow_terminal(self):
        pipe = self.folder / ("n" * 60 + ".tsv")
        os.mkfifo(pipe)

        def write():
            with open(pipe, "w") as file:
                time.sleep(1)  # progress shows after 0.3 s
                file.write("1 2\n")
        writer = threading.Thread(target=write)
        writer.start()
        seen = self.on_terminal("info", pipe.name, columns=40)
        writer.join()
        lines = re.findall(r"\r([^\r\n\x1b]+)\x1b\[K", seen)
        self.assertEqual(set(lines), {"reading " + "n" * 31})


if __name__ == "__main__":
    main()
