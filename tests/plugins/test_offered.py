"""What installed packages offer is found by name, and whatever is wrong with it is told with the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from scmanip.errors import InvalidInput
from scmanip.plugins import load, offered

GROUP = "scmanip.tested"


def installed(folder: Path, name: str, lines: str) -> Path:
    about = folder / name / f"{name}-2.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{lines}", encoding="utf-8")
    return about.parent


def test_what_is_offered_is_known_by_name_and_loaded_when_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert offered(GROUP) == ()
    monkeypatch.syspath_prepend(installed(tmp_path, "one", "pi = math:pi\nbad = no_such_module:thing\n"))
    assert offered(GROUP) == ("bad", "pi")
    assert load(GROUP, "pi", "type") == pytest.approx(3.14159, abs=1e-5)
    with pytest.raises(KeyError):
        load(GROUP, "tau", "type")
    with pytest.raises(InvalidInput, match=r"type.*'bad' of one 2\.0, no_such_module:thing: ModuleNotFoundError"):
        load(GROUP, "bad", "type")


def test_a_name_that_two_packages_offer_is_refused_with_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        monkeypatch.syspath_prepend(installed(tmp_path, name, "pi = math:pi\n"))
    with pytest.raises(InvalidInput, match=r"'pi' of two 2\.0 and one 2\.0"):
        load(GROUP, "pi", "type")
