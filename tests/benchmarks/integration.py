"""Whole runs: the 64 s problem against Pinocchio with SciPy, ten thousand dispersed missions, a controller in Python."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from statistics import median

import numpy as np

from scmanip.control import ComputedTorque, Sampled
from scmanip.dynamics import Model, RunTimeInertia, compile_model, inertia_table
from scmanip.guidance import JointSequence
from scmanip.modes import Floating
from scmanip.simulation import FullState, Outcome, ensemble, simulate
from scmanip.system import State, load_system

from .agreement import DisagreementError
from .report import Section, at_least, at_most, duration, table
from .sixty_four_seconds import T_END, InPython, OurRun, PinocchioRun
from .stopwatch import QUICK, Call, Pace, Times, timed

ACCURACY = 1e-6  # of every entry of the state at 64 s
TOLERANCES = [10 ** (-k / 4) for k in range(12, 37)]  # of which the loosest fits nobody
RUNS, STEP_S, MISSION_S = 10_000, 0.5, 308.0


def integration(model: Model, pace: Pace) -> tuple[Section, ...]:
    """Return the sections on whole runs."""
    return _one_run(model, pace), _many_runs(pace), _laws_in_python(model, pace)


def _one_run(model: Model, pace: Pace) -> Section:
    ours, theirs = OurRun(model), PinocchioRun(model)
    truth = ours.end(1e-13, FullState())
    runs: dict[str, Callable[[float], np.ndarray]] = {
        "simulate": ours.end,
        "simulate, full state": lambda rtol: ours.end(rtol, FullState()),
        "Pinocchio, SciPy's DOP853": theirs.end,
    }
    chosen = {name: _loosest(name, end, truth) for name, end in runs.items()}
    alone: dict[str, Callable[[float], object]] = {**runs, "simulate": ours.history}
    alone["simulate, full state"] = lambda rtol: ours.history(rtol, FullState())
    calls = {name: Call("run(rtol)", run=run, rtol=chosen[name][0]) for name, run in alone.items()}
    times = timed(calls, max(5, pace.turns // 3))
    rows = [
        (name, f"{chosen[name][0]:.1e}", f"{chosen[name][1]:.1e}", duration(t.median), duration(t.best))
        for name, t in times.items()
    ]
    slow = times["Pinocchio, SciPy's DOP853"].median
    fast = {name: times[name].median for name in ("simulate", "simulate, full state")}
    verdicts = [at_most(f"64 s problem at 1e-6, one warm {name}", t * 1e3, 1.0, "{:.3g} ms") for name, t in fast.items()]
    verdicts.append(at_least("64 s problem at 1e-6, Pinocchio and SciPy : simulate", slow / fast["simulate"], 100.0, "{:.0f}x"))
    looks = {
        f"{name}, {samples} samples": _look(ours, T_END / (samples - 1), name, pace.turns * 4)
        for name in ("residuals", "tau", "work_by_joint")
        for samples in (2, 641)
    }
    verdicts += [at_most(f"history.{what}", t.median * 1e3, 1.0, "{:.3g} ms") for what, t in looks.items()]
    lines = [
        *table(("64 s of bench_6r", "rtol", "error", "median", "best"), rows),
        "",
        *table(
            ("read of a fresh history", "median", "best"),
            [(what, duration(t.median), duration(t.best)) for what, t in looks.items()],
        ),
        "",
        "rtol: the loosest that keeps the error at 64 s within 1e-6.",
        f"Pinocchio and SciPy take {slow / fast['simulate, full state']:.0f} times as long as the full state, its check.",
    ]
    return Section("Integration: one run", lines, verdicts)


def _look(ours: OurRun, step_s: float, name: str, turns: int) -> Times:
    """Return what it takes to read something of a history for the first time."""
    seconds = []
    for _ in range(turns):
        history = ours.history(1e-7, output_step_s=step_s)
        start = time.perf_counter()
        getattr(history, name)
        seconds.append(time.perf_counter() - start)
    return Times(median(seconds), min(seconds))


def _loosest(name: str, end: Callable[[float], np.ndarray], truth: np.ndarray) -> tuple[float, float]:
    """Return the loosest tolerance whose error, and that of the next finer one, is small enough, and that error."""
    errors = [float(abs(end(rtol) - truth).max()) for rtol in TOLERANCES]
    for rtol, error, finer in zip(TOLERANCES, errors, errors[1:], strict=False):
        if error <= ACCURACY and finer <= ACCURACY:
            return rtol, error
    raise DisagreementError(f"{name} does not come within {ACCURACY:g} of the state at 64 s: {min(errors):.1e}")


def _many_runs(pace: Pace) -> Section:
    system = load_system("model:spatial_six_link")
    model, nominal = compile_model(system, inertia=RunTimeInertia()), compile_model(system)
    n = RUNS // 20 if pace is QUICK else RUNS
    rng, layout = np.random.default_rng(1), system.layout
    x = np.tile(State.at_rest(system, np.zeros(6)).x, (n, 1))
    x[:, layout.x_u] += 1e-3 * rng.normal(size=(n, layout.n_u))
    tables = np.tile(inertia_table(system), (n, 1, 1))
    scale = rng.uniform(0.9, 1.1, (n, tables.shape[1], 1))
    tables[:, :, :1] *= scale
    tables[:, :, 4:] *= scale * rng.uniform(0.95, 1.05, scale.shape)
    parameters = {"K_P": rng.uniform(0.8, 1.2, (n, 6)), "K_D": rng.uniform(0.8, 1.2, (n, 6)), "inertia": tables}

    def fly(cases: slice, step_s: float) -> tuple[float, np.ndarray]:
        given = {name: array[cases] for name, array in parameters.items()}
        start, states = time.perf_counter(), State.unpack(x[cases], layout)
        runs = ensemble(
            model,
            Floating(),
            ComputedTorque(nominal),
            states,
            reference=JointSequence(6),
            t_end_s=MISSION_S,
            step_s=step_s,
            parameters=given,
            threads=2,
        )
        if set(runs.outcomes) != {Outcome.COMPLETED}:
            raise DisagreementError("a dispersed mission did not complete")
        return time.perf_counter() - start, runs.x[:, -1]

    fly(slice(0, 8), STEP_S)  # compiles
    seconds, ends = fly(slice(0, n), STEP_S)
    error = abs(fly(slice(0, 40), STEP_S / 4)[1] - ends[:40]).max()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines = [
        f"{n} missions of {MISSION_S:g} s with dispersed masses, inertias, gains and initial speeds, two threads: "
        f"{duration(seconds)}",
        f"fixed steps of {STEP_S:g} s of order 8, largest error of 40 final states {error:.1e}",
        f"largest memory of this process so far {peak:.0f} MB",
    ]
    verdict = at_most(f"{RUNS} dispersed spatial missions, two threads", seconds * RUNS / n, 20.0, "{:.3g} s")
    return Section("Integration: many runs", lines, [verdict])


def _laws_in_python(model: Model, pace: Pace) -> Section:
    """The 64 s problem with its law in Python beside Pinocchio and SciPy, and what a sample at 50 Hz takes beside the law."""
    ours, theirs = OurRun(model), PinocchioRun(model)
    law = ours.law
    ours.law = InPython(law)
    runs = {
        "law in Python": Call("run(1e-7, full)", run=ours.end, full=FullState()),
        "Pinocchio, SciPy's DOP853": Call("run(1e-7)", run=theirs.end),
    }
    times = timed(runs, max(5, pace.turns // 5))
    alone, samples = _sampled_law()
    flights = {"whole": Call("fly()", fly=alone), "beside": Call("fly(law())", fly=alone, law=samples.again)}
    held = timed({**flights, "law": Call("law()", law=samples.said)}, max(3, pace.turns // 10))
    beside, less_law = (time * 1e6 / len(samples.seen) for time in (held["beside"].best, held["whole"].best - held["law"].best))
    ratio = times["Pinocchio, SciPy's DOP853"].median / times["law in Python"].median
    rows = [(name, duration(t.median), duration(t.best)) for name, t in times.items()]
    lines = [
        *table(("64 s of bench_6r, rtol 1e-7, full state", "median", "best"), rows),
        f"spatial mission, {MISSION_S:g} s, a Python function at 50 Hz: {duration(held['whole'].median)}, of which the law "
        f"{duration(held['law'].median)} where it is asked again and again",
        f"a sample of it: {beside:.3g} us with a law that only says again what it said, {less_law:.3g} us less the law",
    ]
    verdicts = [
        at_least("64 s problem, Pinocchio and SciPy : law in Python", ratio, 2.0),
        at_most("a sample at 50 Hz beside the law", less_law, 8.0, "{:.3g} us"),
        at_most("spatial mission with a Python function at 50 Hz", held["whole"].median, 0.5, "{:.3g} s"),
    ]
    return Section("Integration: a controller in Python", lines, verdicts)


class _Law:
    """A law in Python, and where it was asked."""

    def __init__(self, inertia: np.ndarray, reference: JointSequence) -> None:
        self._inertia, self._reference = inertia, reference
        self.seen: list[tuple[float, State]] = []
        self.commands: list[np.ndarray] = []

    def __call__(self, t: float, state: State) -> np.ndarray:
        wanted = self._reference.at(t)
        return np.asarray(self._inertia @ (wanted.q - state.q + 2 * (wanted.qdot - state.qdot)))

    def noted(self, t: float, state: State) -> np.ndarray:
        """Return the same, and note where."""
        self.seen.append((t, state))
        self.commands.append(self(t, state))
        return self.commands[-1]

    def again(self) -> Callable[[float, State], np.ndarray]:
        """Return a law that says the same again, and nothing else."""
        commands = iter(self.commands)
        return lambda t, state: next(commands)

    def said(self) -> None:
        """Say it all again."""
        for t, state in self.seen:
            self(t, state)


def _sampled_law() -> tuple[Callable[[], None], _Law]:
    system = load_system("model:spatial_six_link")
    model = compile_model(system)
    start = State.at_rest(system, np.zeros(6))
    law = _Law(model.H(start), JointSequence(6))  # the diagonal of H alone would let the wrist chatter at this rate

    def fly(told: Callable[[float, State], np.ndarray] = law) -> None:
        run = simulate(model, Floating(), Sampled(told, rate_Hz=50.0), start, t_end_s=MISSION_S, rtol=1e-8)
        if run.outcome is not Outcome.COMPLETED:
            raise DisagreementError(run.advice)

    fly(law.noted)
    return fly, law
