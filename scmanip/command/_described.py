"""What a file is about, by what stands in it."""

from __future__ import annotations

from ..mission import named_file
from ..system import TomlDocument


def described(file: str) -> str:
    """Return what a file says, or looks as if, it describes; what is nothing of that is left to `load_mission` to refuse."""
    if file.startswith("model:"):
        return "system"
    data = TomlDocument.read(named_file(file)).data
    schema = str(data.get("schema", ""))
    if schema.startswith("scmanip.study/") or ("schema" not in data and {"mission", "metrics"} <= data.keys()):
        return "study"
    if schema.startswith("scmanip.mission"):
        return "mission"
    return "system" if schema.startswith("scmanip.system") or "base" in data else "mission"
