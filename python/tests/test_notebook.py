"""The notebook of examples/ runs, and says what it has said when it was saved."""

import pathlib
import re

import pytest

nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "examples" / "first_look.ipynb"


def executed(path):
    import nbformat

    notebook = nbformat.read(path, 4)
    nbclient.NotebookClient(notebook, timeout=200, kernel_name="python3", record_timing=False,
                            resources={"metadata": {"path": str(path.parent)}}).execute()
    return notebook


def shown(cell):
    """Return the answers of a cell as texts: reals with three digits, NumPy's scalars as it has shown them before 2.0."""
    answers = [output["data"] for output in cell.outputs if "data" in output]
    texts = [answer.get("text/html", answer.get("text/plain", "")) for answer in answers]
    texts = [re.sub(r"np\.\w+\(([^()]*)\)", r"\1", text) for text in texts]
    return [re.sub(r"\d+\.\d+(e[-+]?\d+)?", lambda real: f"{float(real[0]):.3g}", text) for text in texts]


def test_first_look(tmp_path, monkeypatch):
    import nbformat

    for folder in ("TMPDIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(folder, str(tmp_path))

    saved, now = nbformat.read(NOTEBOOK, 4), executed(NOTEBOOK)
    answers = 0
    for before, after in zip(saved.cells, now.cells):
        if after.cell_type == "code":
            assert shown(after) == shown(before), after.source
            answers += len(after.outputs)
    assert answers > 5
