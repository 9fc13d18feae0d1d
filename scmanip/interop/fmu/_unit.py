"""A closed loop as one file that simulators of other makers run."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ...errors import InvalidInput, Problem, checked, expect, refuse
from ...simulation import LoopPrograms
from ...spatial import is_number
from ...storage import Folder
from ._binary import binary as library
from ._description import build_description, description
from ._sources import sources
from ._variables import STRANGE, variables_of

LONGEST = 60  # characters of an identifier


@checked
def write_fmu(
    loop: LoopPrograms,
    path: str | PathLike[str],
    *,
    step_s: float,
    version: int = 3,
    name: str | None = None,
    words: str = "",
    binary: bool = True,
) -> Path:
    """Write a unit for co-simulation [FMI3] of a loop, or of a plant whose commands are inputs, and return where it is.

    Between communication points it integrates by Dormand and Prince's method of order 8 with steps of equal length, `step_s`
    [s] at most, that end at corners of the reference and at samples of the law. Outputs are the series of a history, such as
    `q[joint1]` and `tau[joint1]`, parameters the gains of the law and open numbers, inputs the commands of a plant, held
    between communication points. Its clock is that of the reference. Other tools may save and restore its state.

    loop : made by `simulation.loop_programs`
    version : 2 or 3, of the interface
    name, words : of the model, in its description; the name of the system unless said
    binary : whether it carries a library for this machine beside its sources; this takes a C compiler

    Raises `InvalidInput`.

    >>> import zipfile
    >>> from scmanip.simulation import loop_programs
    >>> loop = loop_programs(plant, law, state, reference=reference, t_end_s=2.0)
    >>> unit = write_fmu(loop, "arm.fmu", step_s=0.01, binary=False)
    >>> [name for name in zipfile.ZipFile(unit).namelist() if name.endswith(".xml")]
    ['modelDescription.xml', 'sources/buildDescription.xml']
    """
    expect("loop", loop, LoopPrograms, "programs of `loop_programs`")
    problems = [] if version in (2, 3) else [Problem("version", "2 or 3", repr(version))]
    if not (is_number(step_s) and step_s > 0):
        problems.append(Problem("step_s", "a finite number > 0", repr(step_s)))
    refuse(problems)
    if Path(path).suffix != ".fmu":
        raise InvalidInput(Problem("path", "a name that ends in .fmu", str(path)))
    model = STRANGE.sub("?", loop.plant.model.system.name if name is None else name)
    identifier = re.sub(r"[^A-Za-z0-9]+", "_", f"scmanip_{model}")[:LONGEST]
    texts, compiled, token = sources(loop, version, step_s)
    listed = description(
        version,
        variables_of(loop),
        compiled,
        identifier=identifier,
        name=model,
        words=STRANGE.sub("?", words),
        token=token,
        tool="scmanip",
        t_end_s=loop.t_end_s,
        step_s=step_s,
    )
    files = {"modelDescription.xml": listed, **{f"sources/{file}": text.encode() for file, text in texts.items()}}
    files |= {"sources/buildDescription.xml": build_description(identifier, compiled)} if version == 3 else {}
    files |= library(texts, compiled, identifier, version) if binary else {}
    where = Path(path)
    Folder(where.parent).write_with(where.name, lambda stream: _zip(stream, files))
    return where


def _zip(stream: BinaryIO, files: dict[str, bytes]) -> None:
    """Write an archive in which equal files are equal bytes, whenever it is made."""
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        for name, data in files.items():
            about = ZipInfo(name)
            about.compress_type = ZIP_DEFLATED
            about.external_attr = 0o644 << 16
            archive.writestr(about, data)
