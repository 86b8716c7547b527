"""The program ``gossamer``: what the command of that name and ``python -m gossamer`` start."""

from __future__ import annotations

import os
import pathlib
import sys


def main() -> None:
    """Become the program, with the arguments of this one."""
    program = pathlib.Path(__file__).with_name("_gossamer")
    if not program.exists():
        sys.exit("error: this package was built without the program gossamer (GOSSAMER_BUILD_CLI=OFF)")
    os.execv(program, ["gossamer", *sys.argv[1:]])


if __name__ == "__main__":
    main()
