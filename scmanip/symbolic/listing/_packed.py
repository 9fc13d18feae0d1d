"""A program as bytes and back, names and all: to record again takes a hundred times as long as to read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from itertools import islice

import numpy as np

from ._listing import Input, ListedStep, Listing, Output, Parts


def packed(listing: Listing) -> bytes:
    """Return a listing as bytes that `unpacked` reads.

    >>> program = record({"q": (2,)}, lambda q: {"x": q[0] * q[1] + 3.0})
    >>> unpacked(packed(program)) == (program.inputs, program.constants, program.steps, program.outputs)
    True
    """
    kinds = {kind: k for k, kind in enumerate(dict.fromkeys((step.op, len(step.args)) for step in listing.steps))}
    head = {
        "inputs": [(each.name, each.shape) for each in listing.inputs],
        "constants": [constant.hex() for constant in listing.constants],
        "outputs": [(each.name, each.shape, each.values) for each in listing.outputs],
        "kinds": list(kinds),
        "steps": len(listing.steps),
    }
    codes = np.fromiter((kinds[step.op, len(step.args)] for step in listing.steps), dtype="<u1")
    args = np.fromiter((value for step in listing.steps for value in step.args), dtype="<u4")
    return json.dumps(head).encode() + b"\n" + codes.tobytes() + args.tobytes()


def unpacked(content: bytes) -> Parts:
    """Return the parts of the listing that `packed` made bytes of; raises `ValueError` and the like for other bytes.

    >>> inputs, constants, steps, outputs = unpacked(packed(record({"q": ()}, lambda q: {"x": 2.0 * q})))
    >>> inputs, constants
    ((Input(name='q', shape=()),), (2.0,))
    """
    text, _, rest = content.partition(b"\n")
    head = json.loads(text)
    kinds, count = [(str(op), int(size)) for op, size in head["kinds"]], int(head["steps"])
    codes, args = np.frombuffer(rest[:count], dtype="<u1").tolist(), np.frombuffer(rest[count:], dtype="<u4").tolist()
    if len(codes) != count or len(args) != sum(kinds[code][1] for code in codes):
        raise ValueError("steps and their values are not as many as they should be")
    return (
        tuple(Input(name, tuple(shape)) for name, shape in head["inputs"]),
        tuple(float.fromhex(constant) for constant in head["constants"]),
        tuple(_steps(kinds, codes, args)),
        tuple(Output(name, tuple(shape), tuple(values)) for name, shape, values in head["outputs"]),
    )


def _steps(kinds: list[tuple[str, int]], codes: list[int], args: list[int]) -> Iterator[ListedStep]:
    ops, sizes, left = [op for op, _ in kinds], [size for _, size in kinds], iter(args)
    taken = (tuple(islice(left, sizes[code])) for code in codes)
    return map(partial(tuple.__new__, ListedStep), zip(map(ops.__getitem__, codes), taken, strict=True))  # thrice as fast
