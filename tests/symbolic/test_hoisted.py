"""Programs in two: what some inputs decide alone, and the rest."""

import numpy as np
import pytest

from scmanip.errors import UnknownName
from scmanip.symbolic import record

from .expressions import random_expression


def slide(m, l, q):
    I = m * l * l / 3
    return {"H": np.array([[I, I * np.cos(q[0])], [I * np.cos(q[0]), I * l]]), "m": m}


def test_what_parameters_decide_is_done_once():
    whole = record({"m": (), "l": (), "q": (1,)}, slide)
    before, after = whole.hoisted(["m", "l"])
    (prepared,) = before.evaluate(3.0, 2.0)
    assert (before.operations.total, after.operations.total) == (4, 2)
    for ours, theirs in zip(after.evaluate(prepared, [0.7]), whole.evaluate(3.0, 2.0, [0.7]), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("seed", range(10))
def test_two_parts_give_what_the_whole_gives(seed):
    rng = np.random.default_rng(seed)
    expression = random_expression(rng, length=40, smooth=True)
    whole = record({"a": (2,), "b": (2,)}, lambda a, b: expression(np.concatenate([a, b])))
    a, b = rng.normal(size=(2, 2))
    for names, early, late in ((["a"], a, b), (["b"], b, a)):
        before, after = whole.hoisted(names)
        assert before.operations.total + after.operations.total == whole.operations.total
        np.testing.assert_array_equal(after.evaluate(*before.evaluate(early), late)[0], whole.evaluate(a, b)[0])


def test_all_or_nothing_may_be_done_before():
    whole = record({"m": (), "l": (), "q": (1,)}, slide)
    before, after = whole.hoisted(["m", "l", "q"])
    assert after.operations.total == 0
    np.testing.assert_array_equal(after.evaluate(*before.evaluate(3.0, 2.0, [0.7]))[0], whole.evaluate(3.0, 2.0, [0.7])[0])
    before, after = whole.hoisted([])
    assert (before.operations.total, after.operations.total) == (0, whole.operations.total)


def test_an_input_that_is_none_is_refused_by_name():
    with pytest.raises(UnknownName, match="mass"):
        record({"m": ()}, lambda m: {"y": 2 * m}).hoisted(["mass"])
