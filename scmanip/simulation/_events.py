"""When limits of actuators acted, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from ..modes import GeneralizedForce


def limit_events(t: Sequence[float], forces: Sequence[GeneralizedForce]) -> tuple[str, ...]:
    """Return one sentence per limit and stretch of samples at which it acts, in order of time.

    t : (n,) times of the samples [s]; what begins and ends between two of them is not seen
    """
    begun: dict[str, float] = {}
    found: list[tuple[float, str]] = []
    last = 0.0
    for time, limits in [*((time, force.limits) for time, force in zip(t, forces, strict=True)), (t[-1], ())]:
        for phrase in [phrase for phrase in begun if phrase not in limits]:
            found.append((begun[phrase], _sentence(phrase, begun.pop(phrase), last)))
        for phrase in limits:
            begun.setdefault(phrase, time)
        last = time
    return tuple(sentence for _, sentence in sorted(found, key=lambda event: event[0]))


def _sentence(phrase: str, first: float, last: float) -> str:
    return f"{phrase} at t = {first:.6g} s" if first == last else f"{phrase} from t = {first:.6g} s to t = {last:.6g} s"
