"""What is done to a session between two steps, noted as it is done."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from ...errors import checked

if TYPE_CHECKING:
    from ._session import Session

P = ParamSpec("P")
R = TypeVar("R")
_SWITCHED = ("impose", "release", "engage", "inhibit", "scale_gains", "then")
ACTS = ("hold", "show_by", "take", "drag", "keep", "let_go", "firm", *_SWITCHED)  # that a file can say


class Act(NamedTuple):
    """What was done after so many steps that were tried: the name of a method of `Session`, and what it was given.

    >>> Act(250, "impose", ("pinned",)).name
    'impose'
    """

    step: int
    name: str
    given: tuple[Any, ...]


def noted(act: Callable[Concatenate[Session, P], R]) -> Callable[Concatenate[Session, P], R]:
    """Have a method of `Session` noted before it is done: what is refused is refused again where it is done again."""

    act = checked(act)

    @wraps(act)
    def done(self: Session, /, *given: P.args, **named: P.kwargs) -> R:
        self.acts.append(Act(self.tries, act.__name__, (*given, *named.values())))
        return act(self, *given, **named)

    return done
