"""What tests on several nodes share: tools/nodes, and how a job there is started and must end. Skipped where there are no nodes."""
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(os.environ.get("GOSSAMER_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
sys.path += [str(SOURCE / "tests" / folder) for folder in ("support", "cli")]
TOOL = str(SOURCE / "tools/nodes")

_tried = subprocess.run([TOOL, "1", "true"], capture_output=True, text=True, check=False)
if _tried.returncode == 77 or os.environ.get("GOSSAMER_SANITIZE"):
    print(_tried.stderr.strip() or "a sanitizer, which no MPI is made for", file=sys.stderr)
    sys.exit(77)


def left_by(errors):
    """The lines of tools/nodes about processes that outlived the command."""
    return re.findall(r"^nodes: left on .*$", errors, re.M)
