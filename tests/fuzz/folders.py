"""Folders of runs and of studies, each with one file altered: no verdict on them is green, and nothing ends in a traceback."""

from __future__ import annotations

import functools
import os
import random
import shutil
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

from typer.testing import CliRunner

from scmanip.command._application import application

from .trials import Tally

SYSTEM = """
schema = "scmanip.system/1"
[base]
mass_kg = 50.0
inertia_kg_m2 = [5.0, 6.0, 7.0]
[[body]]
name = "arm"
parent = "base"
mass_kg = 5.0
com_m = [0.3, 0.0, 0.0]
inertia_kg_m2 = [0.05, 0.3, 0.3]
joint = { type = "revolute", axis = [0, 0, 1] }
"""
MISSION = """
schema = "scmanip.mission/1"
name = "short"
system = "arm.toml"
[initial]
q_deg = [10.0]
[[phase]]
name = "hold"
mode = "floating"
controller = { type = "computed_torque", K_P = 4.0, K_D = 4.0 }
guidance = { type = "hold", q_deg = [12.0] }
until = { t_s = 0.5 }
[integration]
output_step_s = 0.25
[output]
figures = ["joint_angles"]
"""
STUDY = """
schema = "scmanip.study/1"
name = "scatter"
mission = "mission.toml"
seed = 3
repeats = 4
[dispersion]
"system.body.arm.mass_kg" = { distribution = "norm", loc = 1.0, scale = 0.05, how = "scale" }
[metrics]
base_rotation_deg = "max(degrees(base_rotation_rad))"
[limits]
base_rotation_deg = { max = 90.0, unit = "deg" }
[keep]
nominal = false
"""
NOT_JUDGED = ("lock",)  # says who is at work in a folder, and nothing of what is in it
COMMANDS = {"run": ["report"], "study": ["study", "report"]}


def called(*words: object) -> tuple[int, str, BaseException | None]:
    """Exit code, what was said, and what was raised, of a command that is given words."""
    result = CliRunner().invoke(application, [str(word) for word in words])
    raised = None if isinstance(result.exception, SystemExit) else result.exception
    return result.exit_code, result.output, raised


@functools.cache
def whole() -> dict[str, Path]:
    """A run and a study that are green, in folders of their own."""
    place = Path(tempfile.mkdtemp(prefix="scmanip-fuzz-"))
    for name, text in (("arm.toml", SYSTEM), ("mission.toml", MISSION), ("study.toml", STUDY)):
        (place / name).write_text(text, encoding="utf-8")
    for words in (
        ("run", place / "mission.toml", "-o", place / "run"),
        ("study", "run", place / "study.toml", "-o", place / "study", "--executor", "serial"),
    ):
        code, said, raised = called(*words)
        if code or raised:
            raise RuntimeError(f"{words} ends with {code}: {said}{raised!r}")
    return {"run": place / "run", "study": place / "study"}


def altered(rng: random.Random, folder: Path) -> str:
    """Alter one file of a folder, and return how."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in NOT_JUDGED)
    path = rng.choice(files)
    name, data = path.relative_to(folder).as_posix(), bytearray(path.read_bytes())
    at = rng.randrange(max(len(data), 1))

    def flip() -> None:
        data[at] ^= 1 << rng.randrange(8)
        path.write_bytes(data)

    def exchange() -> None:
        other = rng.choice([file for file in files if file != path])
        one, two = path.read_bytes(), other.read_bytes()
        path.write_bytes(two)
        other.write_bytes(one)

    def link() -> None:
        elsewhere = folder.parent / "elsewhere"
        os.replace(path, elsewhere)
        path.symlink_to(elsewhere)

    acts: dict[str, Callable[[], object]] = {
        "flip": flip,
        "truncate": lambda: path.write_bytes(data[:at]),
        "delete": path.unlink,
        "append": lambda: path.write_bytes(data + bytes([rng.randrange(256)])),
        "exchange": exchange,
        "link": link,
        "rename": lambda: path.rename(path.with_name(f"{path.name}.old")),
    }
    act = rng.choices(list(acts), weights=[6, 2, 2, 2, 2, 1, 1])[0]
    before = folder_bytes(folder)
    acts[act]()
    return "" if folder_bytes(folder) == before and act != "link" else f"{act} {name} at {at} of {len(data)}"


def folder_bytes(folder: Path) -> dict[str, bytes]:
    """Everything in a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def tried(count: int, seed: int) -> Tally:
    """Alter so many folders, each a copy of a whole one, and ask for a verdict on each."""
    tally = Tally()
    for number in range(count):
        rng = random.Random(f"folders {seed} {number}")
        kind = ("run", "study")[number % 2]
        with tempfile.TemporaryDirectory(prefix="scmanip-fuzz-") as place:
            folder = Path(shutil.copytree(whole()[kind], Path(place) / kind))
            how = altered(rng, folder)
            _judge(tally, f"folders {seed} {number}: {kind}: {how}", kind, folder, is_altered=bool(how))
    return tally


def _judge(tally: Tally, name: str, kind: str, folder: Path, *, is_altered: bool) -> None:
    code, said, raised = called(*COMMANDS[kind], folder)
    green = code == 0 or "All requirements are met" in said
    tally.accepted, tally.refused = tally.accepted + green, tally.refused + (not green)
    if raised is not None:
        tally.failures.append(f"{name}: {''.join(traceback.format_exception(raised))}")
    elif green and is_altered:
        tally.failures.append(f"{name}: green: {said}")
