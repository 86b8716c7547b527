"""Instructions per operation, counted by callgrind: they do not depend on the neighbours, so they are held
to a limit."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

PROGRAM = pathlib.Path(os.environ["GOSSAMER_BUILD"]) / "bin" / "operations"
OPERATIONS = 100_000

# What is asked for, and what is held: what was reached (gcc 12, -O3, x86-64-v2) and a little room for other
# compilers. Loop and index of the caller are counted too.
GOALS = {"yield": 25, "wake": 20, "update issued": 20, "update applied": 12, "call on the own core": 12}
# 2 of a yield and 3 of a call ask whether there is a job, and that core. A record made in its packet takes one instruction more
# than a copied one (26.1), and spares the wait for the store buffer. Asking whether the turn is late takes two more (29.6). A yield's
# part of what is done between two turns is 3.4.
LIMITS = {"yield": 43, "wake": 14, "update issued": 31, "update applied": 10, "call on the own core": 24}


def instructions(operation, function=None, count=OPERATIONS):
    only = [f"--toggle-collect={function}"] if function else []
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *only, str(PROGRAM), operation,
                           str(count)], capture_output=True, text=True, timeout=240)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def counts():
    """In one function and what it calls; a yield, which leaves every function, by the difference of two runs. How long the cores wait at
    the start differs by some 100,000 instructions: the runs differ by many yields."""
    more = 40
    yields = (instructions("yield", count=(1 + more) * OPERATIONS) - instructions("yield")) / more
    applied = instructions("update", "*run_records*async_at_record*")
    return {"yield": yields,
            "wake": instructions("wake", "*counted_wake*"),
            "update issued": instructions("update", "*counted_issue*") - applied,
            "update applied": applied,
            "call on the own core": instructions("call", "*counted_call*")}


@unittest.skipUnless(shutil.which("valgrind") and PROGRAM.exists(), "needs valgrind and the program operations")
class Instructions(unittest.TestCase):
    def test_counts(self):
        for name, total in counts().items():
            with self.subTest(name):
                each = total / OPERATIONS
                print(f"{name}: {each:.1f} instructions (goal {GOALS[name]})")
                self.assertGreater(each, 4, "the function was not found")
                self.assertLessEqual(each, LIMITS[name])


if __name__ == "__main__":
    unittest.main(verbosity=2)
