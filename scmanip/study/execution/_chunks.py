"""Chunk files: one block of rows each, written once, that say themselves whether they are whole.

HDF5, because MATLAB, Julia and h5py open it. The name holds the first and the last case and a digest of every byte of the
file, so that a torn, cut or renamed file is known before it is opened; the file names the study it belongs to. There are eight
datasets whatever the number of columns: 256 rows take about 5 ms.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from ...spatial import Array
from ...storage import EntryKind, Folder
from ..rows._block import CODES, Block

SCHEMA = "scmanip.study-chunk/1"
_NAME = re.compile(r"(\d{9,})-(\d{9,})-([0-9a-f]{16})\.h5")


@dataclass(frozen=True)
class Chunk:
    """A chunk file and the cases in it, by what its name says."""

    folder: Folder
    name: str
    first: int
    last: int


class UnfitChunk(Exception):
    """A file among the chunks that must not be read, and why."""


def chunk_of(folder: Folder, name: str) -> Chunk:
    """Return what a name says; raises UnfitChunk."""
    match = _NAME.fullmatch(name.rpartition("/")[2])
    if not match or int(match[1]) > int(match[2]) or folder.kind(name) is not EntryKind.FILE:
        raise UnfitChunk("not the name of a chunk file")
    return Chunk(folder, name, int(match[1]), int(match[2]))


def write_chunk(folder: Folder, chunks: str, study: str, block: Block) -> Chunk:
    """Write rows into the folder called `chunks` inside a folder; raises OSError."""
    data = encoded(study, block)
    name = f"{chunks}/{block.first:09d}-{block.last:09d}-{_digest(data)}.h5"
    folder.write({name: data})
    return Chunk(folder, name, block.first, block.last)


def read_chunk(chunk: Chunk, study: str) -> Block:
    """Return the rows of a chunk; raises UnfitChunk when they are not what was written there for this study."""
    data = chunk.folder.read(chunk.name)
    if not chunk.name.endswith(f"-{_digest(data)}.h5"):
        raise UnfitChunk("the contents do not have the digest in the name")
    block, owner = decoded(data)
    if owner != study:
        raise UnfitChunk("it belongs to another study")
    if (block.first, block.last) != (chunk.first, chunk.last):
        raise UnfitChunk(f"it holds the cases {block.first} to {block.last}")
    return block


def encoded(study: str, block: Block) -> bytes:
    """Return a chunk file as bytes: the same for the same rows."""
    import h5py

    texts = h5py.string_dtype()
    with h5py.File("chunk", "w", driver="core", backing_store=False) as file:
        file.attrs["schema"] = SCHEMA
        file.attrs["study"] = study
        file.attrs["first"] = block.first
        file.attrs["status_names"] = " ".join(CODES)
        file.create_dataset("status", data=block.codes)
        file.create_dataset("reason", data=list(block.reasons), dtype=texts)
        for group, columns in _groups(block).items():
            file.create_dataset(f"{group}_names", data=list(columns), dtype=texts)
            kind = texts if group == "text_inputs" else float
            file.create_dataset(group, data=_matrix(list(columns.values()), len(block)), dtype=kind)
        file.flush()
        return bytes(file.id.get_file_image())


def decoded(data: bytes) -> tuple[Block, str]:
    """Return the rows of a chunk file and the study they belong to."""
    import h5py

    try:
        with h5py.File(io.BytesIO(data), "r") as file:
            if file.attrs["schema"] != SCHEMA:
                raise UnfitChunk(f"its schema is {file.attrs['schema']!r}, not {SCHEMA!r}")
            inputs = _columns(file, "inputs") | _columns(file, "text_inputs")
            reasons = tuple(file["reason"].asstr()[()].tolist())
            block = Block(int(file.attrs["first"]), file["status"][()], reasons, inputs, _columns(file, "metrics"))
            _check(block)
            return block, str(file.attrs["study"])
    except (OSError, KeyError, ValueError, TypeError, AttributeError, IndexError, RuntimeError) as error:
        raise UnfitChunk(f"not a chunk file: {error}") from error


def _check(block: Block) -> None:
    """Raise ValueError for columns that are no rows."""
    columns = [block.codes, *block.inputs.values(), *block.metrics.values()]
    known = block.codes.dtype == np.uint8 and np.all((block.codes > 0) & (block.codes <= len(CODES)))
    if not known or any(column.shape != (len(block),) for column in columns):
        raise ValueError("its columns are no rows")


def _groups(block: Block) -> dict[str, dict[str, Array]]:
    numbers = {name: column for name, column in block.inputs.items() if column.dtype.kind == "f"}
    texts = {name: column.astype(object) for name, column in block.inputs.items() if name not in numbers}
    return {"inputs": numbers, "text_inputs": texts, "metrics": dict(block.metrics)}


def _matrix(columns: Sequence[Array], rows: int) -> Array:
    return np.stack(columns, axis=1) if columns else np.empty((rows, 0))


def _columns(file: Any, group: str) -> dict[str, Array]:
    names = file[f"{group}_names"].asstr()[()].tolist()
    values = file[group].asstr()[()].astype(str) if group == "text_inputs" else file[group][()]
    return {name: values[:, i] for i, name in enumerate(names)}


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]
