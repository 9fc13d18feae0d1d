"""What holds for all tests."""

import gc
import os
from collections import Counter
from collections.abc import Generator, Hashable, Iterable
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

    What is neither fast nor among the cases that `battery(n, judged=m)` or `battery(n, each=k)` judges is `exhaustive` as well.
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
        if marker and marker.kwargs:
            judged = fast | of_the_judge(cases, fast, **marker.kwargs)
            for number, item in enumerate(cases):
                if number not in judged:
                    item.add_marker(pytest.mark.exhaustive)


def of_the_judge(cases: list[pytest.Item], fast: set[int], judged: int = 0, each: int = 0) -> set[int]:
    """Return which cases of a battery the slow tier has, beside fast ones."""
    said = [case.callspec.params for case in cases]  # type: ignore[attr-defined]
    columns = [*dict.fromkeys(numbered([values[name] for values in said]) for name in said[0])]  # one of those that go together
    return set(drawn(columns, judged) if judged else covering(columns, each, fast))


def drawn(columns: list[tuple[int, ...]], number: int) -> Iterable[int]:
    """Yield about so many cases of a battery: of the parameter with most values an even draw, another one with each kind.

    A kind is what all other parameters say together; of each there is one at least.
    """
    most = max(sorted(columns), key=lambda column: len(set(column)))
    kinds: dict[tuple[int, ...], list[int]] = {}
    for case, *kind in zip(range(len(most)), *(column for column in columns if column != most), strict=True):
        kinds.setdefault(tuple(kind), []).append(case)
    each = max(1, number // len(kinds))
    for start, draws in enumerate(kinds.values()):
        steps = min(each, len(draws)) * len(kinds)
        yield from (draws[len(draws) * place // steps] for place in range(start, steps, len(kinds)))


def covering(columns: list[tuple[int, ...]], times: int, fast: set[int]) -> Iterable[int]:
    """Yield cases, of most that is missing first, until every value of each parameter is in so many, fast ones among them."""
    cases = [tuple(enumerate(values)) for values in zip(*columns, strict=True)]
    missing = Counter({part: min(times, many) for part, many in Counter(part for case in cases for part in case).items()})
    for case in sorted(fast):
        missing.subtract(cases[case])
    left = [case for case in range(len(cases)) if case not in fast]
    while left:
        best = max(left, key=lambda case: sum(missing[part] > 0 for part in cases[case]))
        if all(missing[part] <= 0 for part in cases[best]):
            return
        yield best
        left.remove(best)
        missing.subtract(cases[best])


def numbered(values: Iterable[object]) -> tuple[int, ...]:
    """Return for each the number under which it, or a text or number that is equal, came first."""
    seen: dict[Hashable, int] = {}
    known = ((type(value), value) if isinstance(value, (str, int, float)) else id(value) for value in values)
    return tuple(seen.setdefault(value, len(seen)) for value in known)


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
