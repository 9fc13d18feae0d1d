"""A program as source text of another language."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from numpy.typing import ArrayLike

from ..errors import InvalidInput, Problem, expect
from ..storage import Folder
from ..symbolic import Program
from ._examples import recorded
from ._languages import language_of
from ._names import legal_name, legal_names
from ._routine import Argument, Routine


@dataclass(frozen=True, eq=False)
class Code:
    """Source text.

    name : of the function
    files : file name -> text, that of the function first

    >>> from scmanip.symbolic import record
    >>> source = code(record({"q": (2,)}, lambda q: {"x": q[0] * q[1]}), "c", name="product")
    >>> source, source.save("out").name
    (Code('product': product.c, product.h, product_test.c), 'out')
    """

    name: str
    files: Mapping[str, str]

    @property
    def text(self) -> str:
        """The file of the function."""
        return next(iter(self.files.values()))

    def save(self, folder: str | PathLike[str]) -> Path:
        """Write the files into a folder, which is made where there is none, and return it.

        Files that are there of the same names are replaced. Raises `InvalidInput` when the disk refuses.
        """
        try:
            Folder(folder).write({name: text.encode() for name, text in self.files.items()})
        except OSError as error:
            found = error.strerror or str(error)
            raise InvalidInput(Problem(f"folder '{folder}'", "a folder that can be written to", found)) from None
        return Path(folder)

    def __repr__(self) -> str:
        return f"Code('{self.name}': {', '.join(self.files)})"


def code(
    program: Program,
    language: str,
    *,
    name: str = "program",
    title: str = "",
    words: Mapping[str, str] | None = None,
    examples: Mapping[str, ArrayLike] | None = None,
) -> Code:
    """Return a program as one function of another language: its inputs in order, then its outputs.

    language : "c", "matlab", "python" or "rust"
    name : of the function and its files
    title, words : what it computes, and what every input and output is, for comments
    examples : input name -> (n, *shape), states for the self-test of the code, in SI; without them random ones

    Names of inputs and outputs that are no paths of plain letters and digits get generated names; comments tell which is
    which. Raises `InvalidInput`.

    >>> from scmanip.symbolic import record
    >>> source = code(record({"q": (2,)}, lambda q: {"x": np.cos(q[0]) * q[1]}), "python", name="reach")
    >>> "def reach(" in source.text
    True
    >>> code(record({"q": ()}, lambda q: {"x": q}), "fortran")
    Traceback (most recent call last):
        ...
    scmanip.errors._errors.UnknownName: language of code: expected one of c, matlab, python, rust, found 'fortran'
    """
    expect("program", program, Program, "a Program")
    kind = language_of(language)
    legal_name(name, kind.reserved)
    needed = program.only(*(output.name for output in program.outputs))
    items = [*((i.name, i.shape) for i in needed.inputs), *((o.name, o.shape) for o in needed.outputs)]
    arguments = _arguments(items, {*kind.reserved, name}, words or {})
    count = len(needed.inputs)
    routine = Routine(name, title, needed, arguments[:count], arguments[count:])
    return Code(name, kind.files(routine, recorded(needed, examples or {})))


def _arguments(
    items: Sequence[tuple[str, tuple[int, ...]]], reserved: Collection[str], words: Mapping[str, str]
) -> tuple[Argument, ...]:
    names = legal_names([given for given, _ in items], reserved)
    return tuple(Argument(n, given, shape, words.get(given, "")) for n, (given, shape) in zip(names, items, strict=True))
