"""Notebooks are stored executed: figures are seen where they are read, and belong to the code above them."""

import base64
import importlib.util
import io
from pathlib import Path

import nbformat
import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
_spec = importlib.util.spec_from_file_location("notebooks_tool", ROOT / ".ci/notebooks.py")
tool = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(tool)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_with_the_outputs_of_its_sources(path):
    assert tool.problems(nbformat.read(path, as_version=4), path.stat().st_size) == []


def made(*sources):
    """Return a notebook of code cells."""
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])


PICTURE = "from PIL import Image\nImage.new('RGB', (2000, 1000))"


@pytest.mark.slow
def test_a_notebook_is_executed_stored_and_compared(tmp_path, capsys):
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    path = tmp_path / "one.ipynb"
    nbformat.write(made(PICTURE, "from IPython.display import HTML, display\ndisplay(HTML(''))\nprint(1)"), path)
    assert tool.main("check", str(path)) == 1
    assert "not those of its sources" in capsys.readouterr().err
    assert tool.main("store", str(path)) == 0
    stored = nbformat.read(path, as_version=4)
    assert [tool.kinds(cell) for cell in stored.cells] == [["image/jpeg", "image/png", "text/plain"], ["stream"]]
    (picture,) = stored.cells[0].outputs
    assert Image.open(io.BytesIO(base64.b64decode(picture.data["image/png"]))).size == (tool.MOST_PIXELS, tool.MOST_PIXELS // 2)
    assert tool.main("check", str(path)) == 0
    stored.cells[1].outputs = []
    nbformat.write(stored, path)
    assert tool.main("check", str(path)) == 1
    assert "code cell 2 has outputs ['stream'], stored are []" in capsys.readouterr().err
    stored.cells[0].source += "\n"
    assert tool.problems(stored, 10) and "bytes" in tool.problems(stored, 2 * tool.MOST_BYTES)[1]
