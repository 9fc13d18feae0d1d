"""Operations beside what the literature publishes."""

from __future__ import annotations

from scmanip.dynamics import SymbolicModel, derive
from scmanip.symbolic import Operations
from scmanip.system import load_system

from .report import Section, at_most, table

STANFORD = "Stanford arm, inverse dynamics"
GENERAL = "general six revolute joints, inverse dynamics"
PUBLISHED = (
    (STANFORD, "Kane and Levinson 1983", 646, 394),
    (STANFORD, "Khalil and Kleinfinger 1987, doubtful", 142, 99),
    (GENERAL, "Angeles, Ma and Rojas 1989", 521, 435),
    (GENERAL, "Balafoutis and Patel 1991, best tabled", 450, 386),
)


def operation_counts() -> Section:
    """Return our counts, the published ones, and for the Stanford arm those of one shared set beside separate programs."""
    stanford, general, bench = (derive(load_system(f"model:{name}")) for name in ("stanford_arm", "general_6r", "bench_6r"))
    tau = {STANFORD: stanford.inverse_dynamics.tau.operations, GENERAL: general.inverse_dynamics.tau.operations}
    rows = []
    for arm, operations in tau.items():
        rows.append((f"{arm}: scmanip", *_cells(operations)))
        rows += [(f"   {source}", m, a, "", "", m + a) for where, source, m, a in PUBLISHED if where == arm]
    rows += [(f"{name}: scmanip", *_cells(operations)) for name, operations in _others(stanford, bench).items()]
    separate = tau[STANFORD].total + stanford.forward_dynamics.operations.total
    rows.append(("Stanford arm, separate inverse and forward dynamics: scmanip", "", "", "", "", separate))
    head = ("operations", "x", "+", "/", "functions", "in all")
    return Section("Operation counts", table(head, rows), _verdicts(tau, bench))


def _others(stanford: SymbolicModel, bench: SymbolicModel) -> dict[str, Operations]:
    return {
        "Stanford arm, mass matrix and bias in one set": stanford.program("H", "C", "gravity_force").operations,
        "Stanford arm, forward dynamics": stanford.forward_dynamics.operations,
        "bench_6r, H and J* of the tip": bench.program("H", "J_star:tip").operations,
        "bench_6r, forward dynamics": bench.forward_dynamics.operations,
        "bench_6r, inverse dynamics": bench.inverse_dynamics.operations,
    }


def _verdicts(tau: dict[str, Operations], bench: SymbolicModel) -> list:
    products = {name: o.multiplications + o.additions for name, o in tau.items()}
    return [
        at_most(f"{STANFORD}, x and +", products[STANFORD], 239, "{:.0f}"),
        at_most(f"{GENERAL}, x and +", products[GENERAL], 836, "{:.0f}"),
        at_most("bench_6r, H and J* of the tip, in all", bench.program("H", "J_star:tip").operations.total, 1300, "{:.0f}"),
        at_most("bench_6r, forward dynamics, in all", bench.forward_dynamics.operations.total, 2114, "{:.0f}"),
    ]


def _cells(o: Operations) -> tuple[int, ...]:
    return o.multiplications, o.additions, o.divisions, o.functions, o.total
