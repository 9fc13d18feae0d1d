"""Which cases that were flown together break laws that their modes promise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ..dynamics import Batch
from ..loads import External
from ..modes import ManoeuvreMode, RootJoint
from ..simulation import stored_energy, wheel_momentum
from ..spatial import Array
from ..system import State, System
from ._study_samples import Samples, Stretch

AT_MOST = 64  # samples of phases in one mode that are looked at: what strays from a law stays away from it


@dataclass(frozen=True, eq=False, kw_only=True)
class CaseLedger:
    """What contracts read of a case, as `modes.Ledger` has it."""

    t: Array
    r_0: Array
    r_C: Array
    P: Array
    P_arm: Array
    L_C: Array
    L_arm: Array
    L_0: Array
    h_wheels: Array
    kinetic_energy: Array
    stored_energy: Array
    work: Array
    dissipated: Array
    impulse: Array
    tau: Array
    mass_kg: float
    system: System
    external: External | None
    demand: External | None = None


def broken_laws(samples: Samples) -> list[tuple[str, ...]]:
    """Return the names of the laws that each case breaks beyond their bounds, in any of its phases."""
    found: list[dict[str, None]] = [{} for _ in range(len(samples.x))]
    for mode, stretches in _by_mode(samples.stretches):
        for k, ledger in enumerate(_ledgers(samples, mode, stretches)):
            found[k] |= {name: None for name, residual in mode.contract(ledger).items() if not residual.kept}
    return [tuple(names) for names in found]


def _by_mode(stretches: Sequence[Stretch]) -> Iterator[tuple[ManoeuvreMode, list[Stretch]]]:
    """Yield the phases that follow one another in one mode."""
    for _, group in groupby(stretches, lambda stretch: repr(stretch.phase.mode)):
        part = list(group)
        yield part[0].phase.mode, part


def _ledgers(samples: Samples, mode: ManoeuvreMode, stretches: Sequence[Stretch]) -> Iterator[CaseLedger]:
    """Yield what is known of each case at some of the samples of phases in one mode."""
    first, last = stretches[0].places.start, stretches[-1].places.stop - 1
    places = np.unique(np.linspace(first, last, min(AT_MOST, last - first + 1)).astype(int))
    n, K, model = len(samples.x), len(places), samples.model
    states = State.renormalised(samples.x[:, places].reshape(n * K, -1), samples.layout)
    tables = samples.inertia
    batch: Batch = model.batch if tables is None else model.batch.with_inertia(np.repeat(tables, K, axis=0))
    masses = np.full(n, model.system.mass_kg) if tables is None else tables[:, :, 0].sum(axis=1)
    momentum, parts = batch.momentum(states), batch.momentum_by_body(states)
    external = samples.force("external") if samples.has_environment else None
    r_0 = np.zeros((n * K, 3)) if model.layout.fixed else states.r_0
    series = {
        "r_0": r_0,
        "r_C": r_0 + batch.r_0C(states),
        "P": momentum.P,
        "P_arm": parts.P[:, 1:].sum(axis=1),
        "L_C": momentum.L_C,
        "L_arm": parts.L_C[:, 1:].sum(axis=1),
        "L_0": momentum.L_0,
        "h_wheels": wheel_momentum(model, states),
        "kinetic_energy": batch.kinetic_energy(states),
        "stored_energy": stored_energy(model, states, batch, np.repeat(masses, K)),
    }
    since = {"work": samples.work, "dissipated": samples.dissipated, "impulse": _impulse(samples, mode)}
    rows = {name: part.reshape(n, K, *part.shape[1:]) for name, part in series.items()}
    rows |= {name: part[:, places] - part[:, first : first + 1] for name, part in since.items()}
    rows["tau"] = samples.force("tau")[:, places] if RootJoint.of(model.system) is not None else np.zeros((n, K, 0))
    for k in range(n):
        books = None if external is None else _books(external[k], samples, stretches, places, float(masses[k]))
        yield CaseLedger(
            **{name: part[k] for name, part in rows.items()},
            t=samples.t[places] - samples.t[first],
            mass_kg=float(masses[k]),
            system=model.system,
            external=books,
        )


def _impulse(samples: Samples, mode: ManoeuvreMode) -> Array:
    return samples.force("impulse") if mode.pushed else np.zeros((*samples.x.shape[:2], 6))


def _books(rows: Array, samples: Samples, stretches: Sequence[Stretch], places: NDArray[np.intp], mass_kg: float) -> External:
    """Return what came from the environment, at some samples, since the first of some phases."""
    parts = [External.of(rows[stretch.places]) for stretch in stretches]
    whole = External.joined(parts, [stretch.t for stretch in stretches], mass_kg)
    at = places - stretches[0].places.start
    return External(whole.impulse[at], whole.angular_impulse[at], whole.displacement[at], whole.work[at])
