"""What holds for all tests."""

import os

import pytest

# Matrices here are small: threads of BLAS gain nothing, and with several test processes they wait for one another.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow all but a few cases of each `battery(n)`: the fast tier has n of them, spread evenly."""
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
