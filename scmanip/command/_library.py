"""The commands `scmanip models` and `scmanip missions`, and what a file is about."""

from __future__ import annotations

from pathlib import Path

from ..mission import mission_names, named_file
from ..system import TomlDocument, is_in_toml, load_system, model_names, model_notes, system_text
from ._screen import Screen


def described(file: str) -> str:
    """Return what a file says, or looks as if, it describes; what is nothing of that is left to `load_mission` to refuse."""
    if not is_in_toml(file):
        return "system"
    data = TomlDocument.read(named_file(file)).data
    schema = str(data.get("schema", ""))
    if schema.startswith("scmanip.study/") or ("schema" not in data and {"mission", "metrics"} <= data.keys()):
        return "study"
    if schema.startswith("scmanip.mission"):
        return "mission"
    return "system" if schema.startswith("scmanip.system") or "base" in data else "mission"


def list_models(screen: Screen) -> None:
    """Show one line per packaged system."""
    rows = [("model", "joints", "mass", "source")]
    for name in model_names():
        system = load_system(f"model:{name}")
        joints = f"{len(system.joints) or 'no'}{', fixed' if system.fixed else ''}"
        rows.append((f"model:{name}", joints, f"{system.mass_kg:g} kg", model_notes(name).cited))
    screen.table(rows)


def show_model(screen: Screen, name: str) -> None:
    """Print the file of a packaged system; raises `InvalidInput` where there is none of that name."""
    screen.text(system_text(f"model:{name.removeprefix('model:')}"))


def list_missions(screen: Screen) -> None:
    """Show one line per packaged mission and study."""
    rows = [("file", "describes", "title")]
    for name in mission_names():
        data = TomlDocument.read(named_file(f"mission:{name}")).data
        kind = "study" if str(data.get("schema")).startswith("scmanip.study/") else "mission"
        rows.append((f"mission:{name}", f"a {kind}", str(data.get("title", ""))))
    screen.table(rows)


def show_mission(screen: Screen, name: str) -> None:
    """Print the file of a packaged mission or study; raises `InvalidInput` where there is none of that name."""
    path = Path(named_file(f"mission:{name.removeprefix('mission:')}"))
    screen.text(path.read_text(encoding="utf-8"))
