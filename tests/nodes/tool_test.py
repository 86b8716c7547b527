"""tools/nodes: nodes are apart, agents reach them, links do what is asked, and nothing is left."""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from nodes_case import TOOL, left_by  # first: it knows where there are nodes

AGENT = '"$HYDRA_LAUNCHER_EXEC"'
TALK = """
import socket, sys
if sys.argv[1] == "hear":
    with socket.create_server(("", 7)) as server:
        print("hears", flush=True)
        with server.accept()[0] as peer:
            while data := peer.recv(1 << 16):
                peer.sendall(data)
else:
    with socket.create_connection(("n2", 7), timeout=float(sys.argv[2])) as peer:
        peer.sendall(b"x" * 100)
        print("got", len(peer.recv(1 << 16)))
"""
CALL = """
import socket, sys
for host in sys.argv[1:]:
    try:
        socket.create_connection((host, 9), timeout=1)
    except OSError as failure:
        print(host, failure.strerror or failure)
"""


def interfaces():
    return subprocess.run(["ip", "-o", "link"], capture_output=True, text=True, check=True).stdout.count("\n")


class Nodes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gossamer-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def nodes(self, *words, timeout=120):
        with open(self.folder / "errors", "w+") as errors:
            done = subprocess.run([TOOL, *map(str, words)], stdout=subprocess.PIPE, stderr=errors, text=True, timeout=timeout, cwd=self.folder, check=False)
            errors.seek(0)
            done.stderr = errors.read()
            return done

    def shell(self, number, script, *options):
        return self.nodes(number, *options, "/bin/sh", "-c", script)

    def test_the_exit_code_is_the_commands(self):
        self.assertEqual(self.nodes(1, "true").returncode, 0)
        self.assertEqual(self.shell(2, "exit 5").returncode, 5)
        self.assertEqual(self.shell(1, "kill -9 $$").returncode, 128 + 9)
        self.assertEqual(self.nodes(1, "no-such-program").returncode, 127)

    def test_wrong_options_are_told(self):
        for words, why in {("x", "true"): "expected a number from 1", (2,): "expected a command", (2, "--cut", "3@1", "true"): "a node from 1 to 2",
                           (2, "--cut", "2", "true"): "expected NODE@SECONDS or NODE@/A/FILE", (2, "--drop", "2@1", "true"): "expected NODE-NODE@SECONDS",
                           (2, "--drop", "2-3@1", "true"): "a node from 1 to 2", (2, "--slots", "1", "true"): "expected 2 numbers"}.items():
            done = self.nodes(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(why, done.stderr)

    def test_each_has_a_name_an_address_processes_and_memory_of_its_own(self):
        script = f"hostname; cat /etc/hosts; touch /dev/shm/mine $TMPDIR/mine; {AGENT} n2 'hostname; ls /dev/shm $TMPDIR; ls -d /proc/[0-9]* | wc -l'"
        done = self.shell(2, script)
        lines = done.stdout.splitlines()
        self.assertEqual((done.returncode, lines[0]), (0, "n1"), done.stderr)
        self.assertIn("10.79.0.2 n2", lines)
        self.assertIn("n2", lines[1:])
        self.assertNotIn("mine", lines)
        self.assertLess(int(lines[-1]), 10)

    def test_agents_give_the_exit_code_and_a_new_environment(self):
        done = self.shell(2, f"export MINE=1; {AGENT} -x n2 exit 5; echo code $?; {AGENT} n2 'echo mine \"$MINE\"'; {AGENT} n3 true; echo code $?")
        self.assertIn("code 5\nmine \ncode 1\n", done.stdout)
        self.assertIn("ssh: connect to host n3: No route to host", done.stderr)

    def talk(self, *options, patience_s=60):
        (self.folder / "talk.py").write_text(TALK)
        script = f"cd {self.folder}; rm -f ears; {AGENT} n2 'cd {self.folder}; python3 talk.py hear >ears & ' & until grep -qs hears ears; do sleep 0.01; done; python3 talk.py say {patience_s}"
        return self.shell(2, script, "--linger", 0.1, *options)

    def test_links_carry_what_they_are_asked_to(self):
        for options in ((), ("--rate", 10), ("--delay", 20), ("--delay", 5, "--loss", 1, "--rate", 100), ("--share-processes",)):
            with self.subTest(options=options):
                done = self.talk(*options)
                self.assertIn("got 100", done.stdout, done.stderr)

    def test_a_link_that_loses_all_or_is_cut_carries_nothing(self):
        for options in (("--loss", 100), ("--cut", "2@0")):
            with self.subTest(options=options):
                done = self.talk(*options, patience_s=1)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertRegex(done.stderr, "TimeoutError|timed out|No route|unreachable")

    def test_a_firewall_is_between_two_nodes_alone(self):
        """Packets to the third node arrive: no process there listens, which it says."""
        (self.folder / "call.py").write_text(CALL)
        for what, why in {"drop": "timed out", "refuse": "No route to host"}.items():
            done = self.shell(3, f"{AGENT} n2 'python3 {self.folder}/call.py n1 n3'; {AGENT} n3 'python3 {self.folder}/call.py n2'", f"--{what}", "2-3@0")
            self.assertEqual(done.stdout, f"n1 Connection refused\nn3 {why}\nn2 {why}\n", done.stderr)

    def test_nodes_stop_and_end_when_they_are_told_to(self):
        for what in ("stop", "kill"):
            up, now, go = (self.folder / f"{name}-{what}" for name in ("up", "now", "go"))
            script = f"{AGENT} n2 ': >{up}; until [ -e {go} ]; do sleep 0.01; done; echo went on' & {self.when(up)}; : >{now}; {self.told(f'n2: {what}')}; : >{go}; sleep 0.3; kill $!"
            done = self.shell(2, script, f"--{what}", f"2@{now}", "--linger", 0.1)
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertEqual(self.shell(2, "sleep 100", "--kill", "1@0.1", "--linger", 0.1).returncode, 128 + 9)

    def when(self, file):
        return f"until [ -e {file} ]; do sleep 0.01; done"

    def told(self, what):
        """Waits in a script until the tool has told that."""
        return f"until grep -qs 'nodes: {what}' {self.folder}/errors; do sleep 0.01; done"

    def test_what_happens_may_wait_for_a_file(self):
        mark = self.folder / "now"
        done = self.shell(2, f"echo early; : >{mark}; until [ -e {mark}.never ]; do sleep 0.01; done", "--kill", f"1@{mark}", "--linger", 0.1)
        self.assertEqual((done.returncode, done.stdout), (128 + 9, "early\n"), done.stderr)

    def test_a_command_that_takes_too_long_is_named(self):
        for seconds in (0.2, 2, 20):  # on a slow machine the command has not begun in time
            done = self.nodes(1, "--timeout", seconds, "sleep", 100)
            self.assertEqual(done.returncode, 124)
            if "sleep 100 (S)" in done.stderr:
                break
        self.assertIn("nodes: left on n1: sleep 100 (S)", done.stderr)

    def test_what_outlives_the_command_is_named_and_ends(self):
        mark = f"7{os.getpid()}"
        sleeps = "until grep -qs sleep /proc/$!/comm && grep -qs State:.S /proc/$!/status; do sleep 0.01; done"
        done = self.shell(2, f"{AGENT} n2 'sleep {mark} >/dev/null 2>&1 & {sleeps}'", "--linger", 0.1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(left_by(done.stderr), [f"nodes: left on n2: sleep {mark} (S)"])
        self.assertFalse(self.runs(f"sleep\0{mark}\0"))

    def test_an_agent_of_a_lost_node_is_named_and_not_waited_for(self):
        now = self.folder / "now"
        done = self.shell(2, f"{AGENT} n2 ': >{now}; sleep 100' & {self.told('n2: kill')}", "--kill", f"2@{now}", "--linger", 10_000)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(left_by(done.stderr)), 1, done.stderr)
        self.assertIn("tools/nodes --agent", done.stderr)

    def runs(self, words):
        for entry in os.listdir("/proc"):
            try:
                if entry.isdigit() and pathlib.Path("/proc", entry, "cmdline").read_bytes() == words.encode():
                    return True
            except OSError:
                pass
        return False

    def test_an_interrupt_reaches_the_command(self):
        job = subprocess.Popen([TOOL, "2", "/bin/sh", "-c", 'trap "echo heard; exit 3" INT; echo here; while :; do sleep 0.01; done'],
                               stdout=subprocess.PIPE, text=True)
        self.addCleanup(job.kill)
        self.assertEqual(job.stdout.readline(), "here\n")
        job.send_signal(signal.SIGINT)
        self.assertEqual(job.communicate(timeout=60)[0], "heard\n")
        self.assertEqual(job.returncode, 3)

    def test_nothing_outlives_it_where_it_is_killed(self):
        before, mark = interfaces(), f"8{os.getpid()}"
        job = subprocess.Popen([TOOL, "2", "/bin/sh", "-c", f"echo here; exec sleep {mark}"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(job.kill)
        self.assertEqual(job.stdout.readline(), "here\n")
        until = time.monotonic() + 30
        while not self.runs(f"sleep\0{mark}\0") and time.monotonic() < until:
            time.sleep(0.02)
        self.assertTrue(self.runs(f"sleep\0{mark}\0"))
        job.kill()
        job.wait()
        until = time.monotonic() + 30
        while self.runs(f"sleep\0{mark}\0") and time.monotonic() < until:
            time.sleep(0.02)
        self.assertFalse(self.runs(f"sleep\0{mark}\0"))
        self.assertEqual(interfaces(), before)
        job.stdout.close()


if __name__ == "__main__":
    unittest.main(verbosity=2)
