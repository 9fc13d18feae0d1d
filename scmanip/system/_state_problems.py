"""Whether a state belongs to a layout."""

from __future__ import annotations

from ..errors import Problem
from ._layout import Layout, States
from ._quaternion_problems import quaternion_problems
from ._state import State

_BASES = {True: "a fixed base", False: "a floating base"}


def state_problems(state: object, layout: Layout, *, batch: bool = False) -> list[Problem]:
    r"""Return all that keeps `state` from being a state of `layout`, an empty list when nothing does.

    batch : whether a batch is wanted; otherwise one state
    The key of every problem is "state".

    >>> state_problems(state, system.layout)
    []
    >>> print(*state_problems(State(q=[0.1, 0.2]), system.layout), sep="\n")
    state: expected a floating base, found a fixed base
    state: expected 4 joint coordinates q and 4 joint rates qdot, found 2 joint coordinates q and 2 joint rates qdot
    """
    if not isinstance(state, State):
        return [Problem("state", "a State", repr(state))]
    if not batch and _fits(state, layout):
        return []
    problems = _count_problems(state, batch)
    if state.fixed != layout.fixed:
        problems.append(Problem("state", _BASES[layout.fixed], _BASES[state.fixed]))
    sizes, wanted = (state.q.shape[-1], state.qdot.shape[-1]), (layout.n_q, layout.N)
    if sizes != wanted:  # one problem: whoever leaves qdot out gets as many of them as of q
        hint = (
            "qdot cannot be left out: spherical joints have other rates than coordinates" if sizes == (layout.n_q,) * 2 else ""
        )
        problems.append(Problem("state", _joints(*wanted), _joints(*sizes), hint=hint))
        return problems
    nameless = sum(not name for name, _ in state._parts.sizes[3])
    if not problems and (nameless > layout.n_w or not layout.parts.admits(state._parts)):
        problems.append(_actuator_problem(state, layout))
    return problems + quaternion_problems("state", state.q, layout)


def _fits(state: State, layout: Layout) -> bool:
    """Whether all sizes are right at one glance, and there are no joint quaternions to look at."""
    return state._parts in (layout.parts, layout.unnamed) and state.x.shape == (layout.n_x,) and not layout.quaternions


def _actuator_problem(state: State, layout: Layout) -> Problem:
    """Return what is wrong with what is said of the states of actuators."""
    given = state._parts.sizes[3]
    own = layout.states + layout.loads
    if layout.n_w == len(own) and not any(name for name, _ in given):
        return Problem("state", f"{layout.n_w} speeds wheel_rad_s", str(len(given)))
    return Problem("state", f"states of actuators {_counted(own)}", _counted(given))


def _counted(states: States) -> str:
    return ", ".join(f"{name or 'wheel_rad_s'} ({count})" for name, count in states) or "of none"


def _joints(n_q: int, N: int) -> str:
    return f"{n_q} joint coordinates q and {N} joint rates qdot"


def _count_problems(state: State, batch: bool) -> list[Problem]:
    is_batch = state.x.ndim > 1
    if batch and not is_batch:
        return [Problem("state", "a batch of states", "one state", hint="State.stack makes a batch")]
    if is_batch and not batch:
        return [Problem("state", "one state", f"a batch of {len(state)}")]
    return []
