"""C that programs leave as beside our own machine code for them, in compiled loops over the same states."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from scmanip.compiled import compile_program
from scmanip.compiled.kernel._host import host
from scmanip.control import ComputedTorque, ResolvedRate, Sampled, Saturated, WithFeedforward, program_of
from scmanip.dynamics import Model
from scmanip.export import code
from scmanip.guidance import PoseReference
from scmanip.symbolic import Program

from .agreement import check, relative
from .arms import forces, states
from .report import Section, at_most, table
from .scalar_limit import CASES, Loop
from .stopwatch import Call, Pace, timed

FLAGS = {
    "-O2": "-O2",
    "-O3 fused": "-O3 -march=native -ffp-contract=fast",
    "recommended": "-O2 -march=native -ffp-contract=fast -fschedule-insns -fsched-pressure",
}
TOLERANCE = 1e-12


def exported(model: Model, pace: Pace) -> Section:
    """Return the times of both for forward dynamics and laws once they agree."""
    title = "Exported C against our machine code"
    if not shutil.which("gcc"):
        return Section(title, ["no gcc on this machine"])
    x, tau = states(model.system, CASES), forces(model.system, CASES)
    given = {"x": x.x, "tau": tau, "q_D": x.q[::-1].copy(), "qdot_D": x.qdot[::-1].copy(), "qddot_D": 0 * x.qdot}
    given |= {"position_m": x.r_0[::-1].copy(), "twist": x.u[::-1, :6].copy(), "twist_dot": 0 * x.u[:, :6]}
    led = PoseReference("tip", np.zeros(3), None, np.zeros(6), np.zeros(6))
    rates = ResolvedRate(WithFeedforward(ComputedTorque(model, K_P=0.0, K_D=2.0)))
    programs = {
        "forward dynamics": model.symbolic.derivation.packed_program(["forward_dynamics"]),
        "computed torque": program_of(ComputedTorque(model, K_P=2.0, K_D=3.0)),
        "sampled resolved rate": program_of(Sampled(Saturated(rates, 1e6), rate_Hz=20.0), sample=led),
    }
    rows, verdicts = [], []
    with TemporaryDirectory() as folder:
        for label, program in programs.items():
            ours, *theirs = _times(program, given, Path(folder), pace)
            ratios = [t / ours for t in theirs]
            rows.append(
                (label, len(program.steps), *(f"{t * 1e9:.0f}" for t in (ours, *theirs)), *(f"{r:.2f}x" for r in ratios))
            )
            verdicts.append(at_most(f"exported C of {label} over our machine code", ratios[-1], 1.3, "{:.2f}x"))
    head = ("ns, best turn, compiled loop", "steps", "ours", *(f"gcc {name}" for name in FLAGS), *FLAGS)
    return Section(title, [*table(head, rows), "", f"Recommended: gcc {FLAGS['recommended']}."], verdicts)


def _times(program: Program, given: Mapping[str, np.ndarray], folder: Path, pace: Pace) -> list[float]:
    """Return the seconds per state of our code, and of C with every set of flags."""
    ours = Loop(host(), compile_program(program), given)
    theirs = {name: _loop_in_c(program, given, folder, name) for name in FLAGS}
    times = timed({"ours": ours.call} | {name: call for name, (call, _) in theirs.items()}, pace.turns)
    for name, (_, found) in theirs.items():
        check(f"exported C, {name}", max(map(relative, found, ours.outputs[0])), TOLERANCE)
    return [times[name].best for name in ("ours", *FLAGS)]


def _loop_in_c(program: Program, given: Mapping[str, np.ndarray], folder: Path, name: str) -> tuple[Call, np.ndarray]:
    """Return the call of a C function for all states, and where it puts what it finds."""
    (output,) = program.outputs
    code(program, "c", name="scm_step", examples={"x": np.tile(given["x"], (2, 1))}).save(folder)
    sizes = [item.size for item in program.inputs]
    arrays = [given[item.name] for item in program.inputs]
    pointers = ", ".join(f"const double *a{k}" for k in range(len(sizes)))
    shifted = ", ".join(f"a{k} + {size} * k" for k, size in enumerate(sizes))
    step = f"scm_step({shifted}, out + {len(output.values)} * k);"
    each = f'#include "scm_step.h"\nvoid each(long n, {pointers}, double *out)\n{{ for (long k = 0; k < n; k++) {step} }}\n'
    (folder / "each.c").write_text(each, encoding="utf-8")
    library = folder / f"{program.digest[:8]}{list(FLAGS).index(name)}.so"
    command = ["gcc", "-std=c99", *FLAGS[name].split(), "-shared", "-fPIC", "scm_step.c", "each.c", "-o", library, "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    function, found = ctypes.CDLL(str(library)).each, np.empty((CASES, *output.shape))
    function.argtypes, function.restype = [ctypes.c_long, *[ctypes.c_void_p] * (len(sizes) + 1)], None
    names = {f"a{k}": array.ctypes.data for k, array in enumerate([*arrays, found])}
    call = Call(f"f(n, {', '.join(names)})", cases=CASES, f=function, n=CASES, kept=arrays, **names)
    return call, found
