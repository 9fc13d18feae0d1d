"""The command `scmanip verify`: formulations against each other, conservation laws, operation counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..actuators import Drive
from ..dynamics import Cases, Formulation, Model, Reference, by_sums, compile_model, formulations, three_axis_gimbals
from ..errors import InvalidInput, MissingExtra
from ..interop import MujocoTwin, PinocchioTwin
from ..spatial import Array
from ..system import State, System, load_system, with_unit_quaternions
from ._constraint_laws import show_constraint_laws
from ._disagreements import EXACT, VALUES, Disagreement, Found, disagreements, floors_of, solved_tolerance
from ._laws import laws
from ._outermost import outermost_frame
from ._pairs import show_pairs
from ._screen import Sheet

STATES = 20
UNLOCKED = 0.3  # sine of the angle between the first and the last axis of a gimbal
COUNTED = ("M", "H", "forward_dynamics", "inverse_dynamics", "J_star")
HEADINGS = {"J_star": "J*"}
Twin = PinocchioTwin | MujocoTwin


def verify(sheet: Sheet, file: str, seed: int) -> bool:
    """Show how far the formulations of a system are apart and which laws hold; return whether all is within tolerance.

    file : a system file or "model:name"; seed : of the random states
    """
    return verify_system(sheet, load_system(file), seed)


def verify_system(sheet: Sheet, system: System, seed: int) -> bool:
    """The same of a system that is read already."""
    model, cases = compile_model(system), random_cases(system, seed)
    base = "fixed base" if system.fixed else "floating base"
    sheet.say(f"system {system.name}: {base}, {system.freedom_words}", "bold")
    ways = [*formulations(system), *twins(sheet, system)]
    sheet.say(f"{STATES} states, seed {seed}: worst error against {ways[0].name}, relative to largest entry")
    agree = _show_disagreements(sheet, system, cases, ways)
    lawful = _show_laws(sheet, model, cases)
    held = show_constraint_laws(sheet, model, cases)
    _show_counts(sheet, model, cases.frame)
    passed = agree and lawful and held
    sheet.say("every check passed" if passed else "FAILED", "green" if passed else "bold red")
    return passed


def random_cases(system: System, seed: int) -> Cases:
    """Return `STATES` states in which everything moves, joints within their limits, with random inputs.

    Gimbals are kept away from lock, unless their limits leave nothing else.
    """
    rng, layout = np.random.default_rng(seed), system.layout

    def rows(size: int) -> Array:
        return rng.normal(size=(STATES, size))

    q, qdot = _random_q(rng, system), rows(layout.N)
    if system.fixed:
        states = State(q=q, qdot=qdot)
    else:
        turn = rows(4)
        attitude, spins = turn / np.linalg.norm(turn, axis=1, keepdims=True), 100 * rows(layout.n_a)
        moving = State(rows(3), attitude, q, rows(3), rows(3), qdot)
        states = State.renormalised(np.concatenate([moving.x, spins], axis=1), layout)
    return Cases(states, 10 * rows(layout.N), 10 * rows(6), rows(layout.n_u), outermost_frame(system))


def _random_q(rng: np.random.Generator, system: System) -> Array:
    """Return (STATES, n_q)."""
    coordinates = system.coordinates
    widest = [np.pi if coordinate.unit == "rad" else 1.0 for coordinate in coordinates]
    lower = np.array([max(c.lower, min(-w, c.upper - w)) for c, w in zip(coordinates, widest, strict=True)])
    upper = np.array([min(c.upper, max(w, c.lower + w)) for c, w in zip(coordinates, widest, strict=True)])
    q = rng.uniform(lower, upper, (STATES, len(coordinates)))
    for place, aligned in _middle_angles(system):
        for _ in range(100):
            locked = np.abs(np.sin(q[:, place] - aligned)) < UNLOCKED
            q[locked, place] = rng.uniform(lower[place], upper[place], locked.sum())
    return with_unit_quaternions(q, [i for i, _ in system.layout.quaternions])


def _middle_angles(system: System) -> Iterator[tuple[int, float]]:
    """Yield, per joint of three turns, its middle angle's place in q and an angle at which it locks."""
    for gimbal in three_axis_gimbals(system):
        yield gimbal.angle, gimbal.lock


def twins(sheet: Sheet, system: System) -> list[Formulation]:
    """Return the system in other codes, those that are installed."""
    if system.turners or system.offering(Drive):
        sheet.note("not compared: Pinocchio, MuJoCo and Kane's methods, which know wheels and motors as bodies only")
        return []
    found, makers = [], (("Pinocchio", PinocchioTwin), ("MuJoCo", MujocoTwin))
    for name, make in makers:
        try:
            found.append(_formulation(name, make(system)))
        except (MissingExtra, InvalidInput) as error:
            sheet.note(f"not compared: {name}, {error}" if isinstance(error, InvalidInput) else f"not compared: {error}")
    return found


def _formulation(name: str, twin: Twin) -> Formulation:
    system = twin.system

    def of(cases: Cases) -> dict[str, Array]:
        frame, n = system.frame(cases.frame), system.layout.n_base
        own = n + np.flatnonzero(system.layout.actuated)

        def values(state: State, tau: Array, wrench: Array | None, udot: Array) -> dict[str, Array]:
            M, J = twin.M(state), twin.jacobian(state, frame.body, frame.origin_m)
            P, L_C = twin.momentum(state)
            rest = np.concatenate(twin.inverse_dynamics(state, 0 * udot))
            return {
                "M": M,
                "bias": rest[6 - n :],
                "forward": twin.forward_dynamics(state, tau, wrench, ()),
                "inverse": np.concatenate(twin.inverse_dynamics(state, udot)),
                "J_star": J[:, own] - J[:, :n] @ np.linalg.solve(M[:n, :n], M[:n, own]),
                "P": P,
                "L_C": L_C,
            }

        return cases.each(values)

    return Formulation(name, of)


def _show_disagreements(sheet: Sheet, system: System, cases: Cases, ways: Sequence[Formulation]) -> bool:
    """Show a row per formulation against the first, then every pair; return whether all agree."""
    sums = compile_model(system, implementation=Reference())
    found = {way.name: Found.by(way, cases) for way in ways}
    reference = found[ways[0].name]
    solved, floors = solved_tolerance(reference.values["M"]), floors_of(sums, cases)
    table = {way.name: list(disagreements(floors, solved, way.name, found[way.name], reference)) for way in ways[1:]}
    allowed = [f"{solved.max() if column in ('forward', 'J_star') else EXACT:.1e}" for column in VALUES]
    rows = [("", *(HEADINGS.get(column, column) for column in VALUES), "no.")]
    for number, (name, errors) in enumerate(table.items(), start=2):
        cells = {row.column: f"{row.error:.1e}" + ("" if row.tolerable else "!") for row in errors}
        rows.append((name, *(cells.get(column, "-") for column in VALUES), str(number)))
    sheet.table([*rows, ("allowed, at most", *allowed, "")])
    failed = [row for errors in table.values() for row in errors if not row.tolerable]
    for row in failed:
        _show_failure(sheet, row)
    return show_pairs(sheet, found, floors, solved) and not failed


def _show_failure(sheet: Sheet, row: Disagreement) -> None:
    column = HEADINGS.get(row.column, row.column)
    sheet.say(f"{row.between}: {column} off by {row.error:.1e} in state {row.state}, allowed {row.allowed:.1e}", "bold red")


def _by_tree(model: Model, cases: Cases) -> Iterator[tuple[str, Model, Cases]]:
    """Yield models and cases of the trees of a system, about which the laws are, each with the name of its root."""
    (base, *others), states, layout = model.system.trees, cases.states, model.layout
    if not others:
        yield "", model, cases
        return
    x, q, qdot = states.x, states.q, states.qdot
    carried = x[:, : layout.x_q.start], q[:, base.q], states.u[:, layout.base], qdot[:, base.qdot], x[:, layout.x_actuators]
    free = [(q[:, tree.pose], q[:, tree.q], qdot[:, tree.twist], qdot[:, tree.qdot]) for tree in others]
    for tree, parts in zip((base, *others), (carried, *free), strict=True):
        own, udot = tree.system.layout, np.zeros((STATES, tree.system.layout.n_u))
        state = State.renormalised(np.concatenate(parts, axis=1), own)
        yield tree.root, compile_model(tree.system), Cases(state, cases.tau[:, tree.qdot], cases.wrench, udot, cases.frame)


def _show_laws(sheet: Sheet, model: Model, cases: Cases) -> bool:
    """Show a row per law of each tree, with the state in which it fares worst; return whether all hold."""
    passed = True
    for root, tree, own in _by_tree(model, cases):
        rows = [(f"law of {root!r}" if root else "law", "worst", "allowed", "")]
        states = [own.states[i] for i in range(STATES)]
        allowed = solved_tolerance(np.stack([tree.M(state) for state in states]))
        for sentence, error in laws(tree).items():
            wrenches = [None if tree.layout.fixed else wrench for wrench in own.wrench]
            errors = np.array([error(tree, *case) for case in zip(states, own.tau, wrenches, strict=True)])
            worst = int(np.argmax(errors / allowed))  # the first that is not a number, if any
            holds = bool(errors[worst] <= allowed[worst])
            passed = passed and holds
            rows.append((sentence, f"{errors[worst]:.1e}", f"{allowed[worst]:.1e}", "ok" if holds else "FAILED"))
        sheet.table(rows)
    return passed


def _show_counts(sheet: Sheet, model: Model, frame: str) -> None:
    """Show what the equations cost, in the form that runs and by the sums over links; base not turned."""
    rows = [("operations", "what runs", "sums over links")]
    for quantity in COUNTED:
        name = f"{quantity}:{frame}" if quantity == "J_star" else quantity
        symbolic = model.symbolic.quantity(name)
        rows.append((quantity, str(symbolic.operations.total), str(by_sums(model.symbolic, name).operations.total)))
    sheet.table(rows)
