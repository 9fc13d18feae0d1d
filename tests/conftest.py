"""What holds for all tests."""

import gc
import os
from collections.abc import Generator, Iterable
from itertools import groupby

import pytest

# Matrices here are small: threads of BLAS gain nothing, and with several test processes they wait for one another.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test take what another one has recorded or compiled of equal systems: some put wrong equations in."""
    from scmanip.compiled.kernel import _kept_programs  # not before the threads are set
    from scmanip.dynamics.programs._family import Family

    Family.alive.clear()
    monkeypatch.setattr(_kept_programs, "sources", lambda: None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", type=part, metavar="K/N", help="of the tests of each file that are left, the K-th of every N")


def part(text: str) -> tuple[int, int]:
    """Return K and N of "K/N"."""
    which, parts = map(int, text.split("/"))
    if not 1 <= which <= parts:
        raise ValueError(text)
    return which, parts


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None]:
    """Mark what is slow of each `battery(n)`; when markers have chosen, take the part that `--part` says."""
    spread(items)
    yield
    asked = config.getoption("part")
    if asked:
        kept = set(of_each_file(items, *asked))
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]


def spread(items: Iterable[pytest.Item]) -> None:
    """Mark as slow all but a few cases of each `battery(n)`: the fast tier has n of them, spread evenly.

    What is neither fast nor among the `judged` cases of `battery(n, judged=m)` is `exhaustive` as well.
    """
    batteries: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("battery"):
            batteries.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in batteries.values():
        marker = cases[0].get_closest_marker("battery")
        kept = marker.args[0] if marker else len(cases)
        fast = {len(cases) * place // kept for place in range(kept)}
        for number, item in enumerate(cases):
            if number not in fast:
                item.add_marker(pytest.mark.slow)
        if marker and "judged" in marker.kwargs:
            judged = {id(item) for item in drawn(cases, marker.kwargs["judged"])}
            for number, item in enumerate(cases):
                if number not in fast and id(item) not in judged:
                    item.add_marker(pytest.mark.exhaustive)


def drawn(cases: list[pytest.Item], number: int) -> Iterable[pytest.Item]:
    """Yield about so many cases of a battery: of the parameter with most values an even draw, another one with each kind.

    A kind is what all other parameters say together; of each there is one at least.
    """
    said = [case.callspec.params for case in cases]  # type: ignore[attr-defined]
    columns = {numbered([id(values[name]) for values in said]) for name in said[0]}  # one of those that go together
    most = max(sorted(columns), key=lambda column: len(set(column)))
    kinds: dict[tuple[int, ...], list[pytest.Item]] = {}
    for case, *kind in zip(cases, *(column for column in columns if column != most), strict=True):
        kinds.setdefault(tuple(kind), []).append(case)
    each = max(1, number // len(kinds))
    for start, draws in enumerate(kinds.values()):
        steps = min(each, len(draws)) * len(kinds)
        yield from (draws[len(draws) * place // steps] for place in range(start, steps, len(kinds)))


def numbered(values: Iterable[int]) -> tuple[int, ...]:
    """Return for each the number under which it came first."""
    seen: dict[int, int] = {}
    return tuple(seen.setdefault(value, len(seen)) for value in values)


def of_each_file(items: Iterable[pytest.Item], which: int, parts: int) -> Iterable[pytest.Item]:
    """Yield every `parts`-th test of each file from test number `which` on, of a shorter file at least one."""
    for _, tests in groupby(items, key=lambda item: item.path):
        of_file = list(tests)
        yield from of_file[(which - 1) % min(parts, len(of_file)) :: parts]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are found, and less often than is usual and not among them later: a tenth of the time."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.enable()
    gc.set_threshold(10_000, 10, 10)
    return result
