"""Bad use of several nodes under both MPIs: a node with another build, another file, other settings, less memory. One line names the node
and the difference, the exit code is 2, nothing is left. What does no harm is there, too: a clock that is an hour off.

GOSSAMER_TEST_NODES=all (make test-nodes) runs all of them, else a few."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import nodes_case  # first: it knows where there are nodes, and where the others lie
from node_jobs import NOISE, NodesTest
from launch_case import MPIS, PROGRAM
from launching import BUILD
from program import main

if not MPIS:
    print("no MPI", file=sys.stderr)
    sys.exit(77)
needs_all = unittest.skipUnless(os.environ.get("GOSSAMER_TEST_NODES") == "all", "GOSSAMER_TEST_NODES=all")
ON_2 = '[ "$(hostname)" = n2 ]'
FIRST, SECOND = r"process 0 \(pid \d+ on n1\)", r"process 1 \(pid \d+ on n2\)"
GROUP = f"{PROGRAM} components kron:10 --quiet"
# Mounts a /dev of a few devices, without the folder shm.
NO_SHM = ("d=$(mktemp -d) && mount --rbind /dev $d && mount -t tmpfs -o mode=755 dev /dev && "
          "for f in null zero full random urandom; do : >/dev/$f; mount --bind $d/$f /dev/$f; done")
# Replaces clock_gettime and time, as a node whose clock was set wrong has them.
CLOCK = r"""
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t which, struct timespec* at) {
  int failed = (int)syscall(SYS_clock_gettime, which, at);
  if (which == CLOCK_REALTIME) at->tv_sec -= 3600;
  return failed;
}
time_t time(time_t* at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}
"""


class BadUse(NodesTest):
    def refused(self, script, pattern, launchers=MPIS):
        for launcher in self.each(launchers):
            self.refused_on(self.in_shell(launcher, 2, script), pattern)

    def passes(self, script, launchers=MPIS):
        for launcher in self.each(launchers):
            code, out, errors, _ = self.in_shell(launcher, 2, script).end()
            self.assertEqual((code, re.sub(NOISE, "", errors)), (0, ""))
            self.assertIn("largest of 885", out)

    def other_build(self):
        """The program with another build id, as another compilation has it, with the plugins where it looks for them."""
        other = self.folder / "bin" / "gossamer"
        other.parent.mkdir()
        (self.folder / "lib").symlink_to(BUILD.resolve() / "lib")
        content = bytearray(pathlib.Path(PROGRAM).read_bytes())
        mark = content.index(b"\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0")  # the note: sizes of name and content, type, name
        content[mark + 16] ^= 1
        other.write_bytes(content)
        shutil.copymode(PROGRAM, other)
        return other

    def test_another_build(self):
        self.refused(f"{ON_2} && exec {self.other_build()} components kron:10 --quiet; exec {GROUP}",
                     rf"{SECOND} was started with another build of the program than {FIRST}: install the same build on every node")

    def test_a_node_without_the_plugin(self):
        """Its process cannot know that the others have one, and they wait for it in MPI."""
        alone = self.folder / "alone"
        shutil.copy(PROGRAM, alone)
        script = f"{ON_2} && exec {alone} components kron:10 --quiet; exec {GROUP}"
        self.refused(script, rf"{SECOND}: .*no transport plugin.* was found in .*")

    @needs_all
    @unittest.skipIf(len(MPIS) < 2, "one MPI")
    def test_another_mpi(self):
        for launcher, other in zip(MPIS, reversed(MPIS)):
            script = f"{ON_2} && export GOSSAMER_TRANSPORT={other.mpi}; exec {GROUP}"
            self.refused(script, rf"{SECOND}: .* started 2 processes, but .* is another MPI than the launcher's: .*", [launcher])

    @needs_all
    def test_other_settings_and_arguments(self):
        self.refused(f"{ON_2} && export GOSSAMER_SPIN_US=7; exec {GROUP}", rf"{SECOND} was started with other GOSSAMER_ settings than {FIRST}: .*", MPIS[:1])
        self.refused(f"{ON_2} && exec {GROUP} --seed 3; exec {GROUP}", rf"{SECOND} was started with other arguments than {FIRST}: .*", MPIS[-1:])

    def test_another_file(self):
        """Of the same size, of another one, and none. A text is dealt to the processes, and a file of the native form is mapped."""
        subprocess.run([PROGRAM, "convert", "kron:8", str(self.folder / "a.gsg"), "--quiet"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([PROGRAM, "convert", "kron:9", str(self.folder / "b.gsg"), "--quiet"], check=True, stdout=subprocess.DEVNULL)
        (self.folder / "a").write_text("1 2\n" * 10_000)
        (self.folder / "b").write_text("1 2\n" * 9_999 + "1 3\n")
        here = f"{ON_2} && from=b || from=a; cd /dev/shm; cp {self.folder}/$from"
        self.refused(f"{here} g; exec {PROGRAM} components g", rf"g: expected the same file in every process, found other bytes in {SECOND} than in {FIRST}")
        self.refused(f"{here}.gsg g.gsg; exec {PROGRAM} components g.gsg",
                     rf"g\.gsg: expected the same file in every process, found \d+ bytes in {FIRST} and \d+ in {SECOND}", MPIS[:1])
        self.refused(f"cd /dev/shm; {ON_2} || cp {self.folder}/a g; exec {PROGRAM} wordcount g", rf"{SECOND}: cannot read g: No such file or directory", MPIS[-1:])

    @needs_all
    def test_a_firewall_from_the_start(self):
        """The processes meet by way of process 0, and their watches find it. MPICH cannot start then: the line has ranks, and no nodes."""
        found = rf"process 1 \(pid \d+ on n2\) has not answered process 2 \(pid \d+ on n3\) for 3 s, but answers {FIRST}: " \
                r"does a firewall stop packets between n2 and n3\?"
        waited = rf"{FIRST} has waited 3 s for the other processes of the job to start: 1 of 3 are on this node, and not 1-2; .*"
        for launcher in self.each(MPIS):
            job = self.on_nodes(launcher, 3, 3, "components", "kron:10", options=("--drop", "2-3@0"), env={"GOSSAMER_PEER_TIMEOUT_S": "3"})
            code, _, errors, _ = job.end()  # hydra's page is on standard output
            lines = re.findall(r"^error: (.*)$", errors, re.M)
            self.assertNotEqual(code, 0, errors)
            self.assertEqual((len(lines), nodes_case.left_by(errors)), (1, []), errors)
            self.assertRegex(lines[0], rf"\A(?:{waited if launcher.mpi == 'mpich' else found})\Z")

    @needs_all
    def test_less_memory(self):
        self.refused(f"{ON_2} && export GOSSAMER_MEMORY_LIMIT=1M; exec {GROUP}", rf"a process of 1 core needs [\d.]+ MiB, [\d.]+ ([KM]i)?B available to {SECOND}")

    @needs_all
    def test_a_clock_that_is_an_hour_off_changes_nothing(self):
        """Nor one that has run for another time since the node was started."""
        (self.folder / "clock.c").write_text(CLOCK)
        library = self.folder / "clock.so"
        if subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(self.folder / "clock.c")], capture_output=True, check=False).returncode != 0:
            self.skipTest("no C compiler")
        self.passes(f"{ON_2} && export LD_PRELOAD={library}; exec {GROUP}")
        if subprocess.run(["unshare", "--time", "true"], capture_output=True, check=False).returncode == 0:
            self.passes(f"{ON_2} && exec unshare --time --monotonic 3600 --boottime 3600 {GROUP}; exec {GROUP}", MPIS[:1])

    @needs_all
    def test_shared_memory_that_is_full_or_read_only_or_missing(self):
        """Open MPI goes on without it. MPICH's UCX needs it, which is found before that would end the process with a page."""
        losses = {"mount -o remount,size=64k /dev/shm && head -c 64k /dev/zero >/dev/shm/full": "No space left on device",
                  "mount -t tmpfs -o ro none /dev/shm": "Read-only file system",
                  NO_SHM: "No such file or directory"}
        for launcher in self.each(MPIS):
            for loss, why in losses.items():
                with self.subTest(loss=loss):
                    script = f"{ON_2} && {{ {loss}; }}; exec {GROUP}"
                    if launcher.mpi == "openmpi":
                        self.passes(script, [launcher])
                    else:
                        self.refused(script, rf"{SECOND}: /dev/shm: {why} on n2: MPICH .* needs room there", [launcher])


if __name__ == "__main__":
    main()
