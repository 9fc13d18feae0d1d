"""What the stages of recursive Kane cost, by recording them: the tables of docs/recursive-kane.md.

`python -m tests.dynamics.kane_counts` prints them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scmanip.dynamics import Parameters, derive
from scmanip.dynamics.recursions._recursive_kane import base_motion, driving_forces, link_motions, link_placements
from scmanip.symbolic import Operations, record
from scmanip.system import System, load_system

Line = tuple[int, int]  # slope and constant of a count that grows with the number of joints
TABLE_1: tuple[tuple[str, str, Line | int, Line | int], ...] = (  # of [Angeles1989]; one number: for six joints
    ("Hollerbach", "EL", (412, -277), (320, -201)),
    ("Luh et al.", "NE", (150, -48), (131, -48)),
    ("Walker and Orin", "NE", (137, -22), (101, -11)),
    ("Hollerbach", "NE", 688, 558),
    ("Kane and Levinson", "Kane", 646, 394),
    ("Khalil et al.", "NE", (105, -92), (94, -86)),
    ("This paper's", "Kane", (105, -109), (90, -105)),
)
STAGES = (  # stage, equations, M and A as printed, for revolute joints
    ("1", "52", (0, 0), (0, 0)),
    ("2", "56", (50, -47), (46, -47)),
    ("3", "57", (55, -62), (44, -58)),
    ("all", "58, 59", (105, -109), (90, -105)),
)
VARIANT = (513, 432)  # of [Angeles1989] for six joints, frames 0 and 1 coincident but for theta_1
LENGTHS = (3, 4, 5, 6, 12, 30)
MODELS = ("general_6r", "industrial_6r", "stanford_arm", "stanford_arm_hd")


class Count(NamedTuple):
    """Multiplications and additions; sines and cosines are not counted, as in the paper."""

    M: int
    A: int

    @classmethod
    def of(cls, operations: Operations) -> Count:
        assert operations.divisions == 0
        return cls(operations.multiplications, operations.additions)

    def __sub__(self, other: Count) -> Count:
        return Count(self.M - other.M, self.A - other.A)

    def __str__(self) -> str:
        return f"{self.M} + {self.A}"


def general_arm(n: int, *, sliding: tuple[int, ...] = (), coincident: bool = False) -> System:
    """Return a serial arm of n joints with nothing special about it, joints `sliding` (from 1) prismatic.

    coincident : whether frame 1 is frame 0 but for theta_1, as in the paper's variant
    """
    head = 'schema = "scmanip.system/1"\ngravity_m_s2 = [0.3, -0.5, -9.79]\n[base]\nfixed = true\n'
    rng = np.random.default_rng(1989)
    return System.from_toml_text(head + "".join(_link(rng, i in sliding, i == 1 and coincident) for i in range(1, n + 1)))


def _link(rng: np.random.Generator, slides: bool, coincident: bool) -> str:
    """Return a [[hd_link]] in which every number matters."""
    alpha, theta, a, b, *rho = rng.uniform(0.3, 1.2, 7).tolist()
    points = rng.normal(size=(3, 6))
    kind, last = ("prismatic", f"theta_rad = {theta}\n") if slides else ("revolute", "")
    placed = "" if coincident else f"alpha_rad = {alpha}\na_m = {a}\nb_m = {b}\n"
    masses = f"mass_kg = {rng.uniform(1, 9)}\nrho_m = {rho}\ninertia_kg_m2 = {(points @ points.T).tolist()}\n"
    return f'[[hd_link]]\ntype = "{kind}"\n{placed}{last}{masses}'


def stages(system: System) -> tuple[Count, Count, Count, Count]:
    """Return the counts of stages 1, 2, 3 and in all; stage 3 is what the driving forces take beyond the first two."""
    p, N = Parameters.of(system), system.layout.N

    def motions(q, qdot, qddot):
        base = base_motion(p, np.eye(3), np.zeros(3), np.zeros(0))
        placements = link_placements(p, q)
        return placements, link_motions(p, placements, base, qdot, qddot)

    def placed(q):
        return {f"a{i}": placement.a for i, placement in enumerate(link_placements(p, q))}

    def moved(**given):
        return {f"{name}{i}": value for i, m in enumerate(motions(**given)[1]) for name, value in vars(m).items()}

    def driven(**given):
        return {"tau": driving_forces(p, *motions(**given))[2]}

    inputs = {"q": (N,), "qdot": (N,), "qddot": (N,)}
    first = Count.of(record({"q": (N,)}, placed).operations)
    second, total = (Count.of(record(inputs, outputs).operations) for outputs in (moved, driven))
    return first, second - first, total - second, total


def customised(system: System) -> Count:
    """Return the count of the customised recursion, which is what models run."""
    return Count.of(derive(system).inverse_dynamics.tau.operations)


def line(lengths: Sequence[int], counts: Sequence[int]) -> Line:
    """Return slope and constant of counts that grow by the same number with every joint; anything else is an error."""
    slope = (counts[-1] - counts[0]) // (lengths[-1] - lengths[0])
    constant = counts[0] - slope * lengths[0]
    assert [slope * n + constant for n in lengths] == list(counts)
    return slope, constant


def _stage_table() -> list[str]:
    plain = list(zip(*(stages(general_arm(n)) for n in LENGTHS), strict=True))
    rows = [("stage", "equations", "printed M", "printed A", "recorded M", "recorded A")]
    for (stage, equations, M, A), counts in zip(STAGES, plain, strict=True):
        found = (line(LENGTHS, [c.M for c in counts]), line(LENGTHS, [c.A for c in counts]))
        rows.append((stage, equations, *map(_formula, (M, A, *found))))
    own = [customised(general_arm(n)) for n in LENGTHS]
    found = (line(LENGTHS, [c.M for c in own]), line(LENGTHS, [c.A for c in own]))
    return _markdown([*rows, ("all, customised", "-", "-", "-", *map(_formula, found))])


def _table_1() -> list[str]:
    rows = [("author", "method", "M", "A", "M, n = 6", "A, n = 6", "together")]
    for author, method, M, A in TABLE_1:
        six = _at(M, 6), _at(A, 6)
        rows.append((author, method, *(_formula(x) if isinstance(x, tuple) else "-" for x in (M, A)), *_cells(six)))
    for name, count in (
        ("as printed, recorded", stages(_model("general_6r"))[3]),
        ("customised", customised(_model("general_6r"))),
    ):
        rows.append((f"scmanip, `general_6r`, {name}", "Kane", "-", "-", *_cells(count)))
    return _markdown(rows)


def _special_table() -> list[str]:
    rows = [("six joints", "printed", "recorded, as printed", "recorded, customised")]
    one = (105 * 6 - 109 + 4, 90 * 6 - 105 + 2)
    for name, printed, system in (
        ("nothing special", (521, 435), general_arm(6)),
        ("frames 0 and 1 coincident", VARIANT, general_arm(6, coincident=True)),
        ("third joint prismatic, p = 1", one, general_arm(6, sliding=(3,))),
    ):
        rows.append((name, str(Count(*printed)), str(stages(system)[3]), str(customised(system))))
    return _markdown(rows)


def _model_table() -> list[str]:
    rows = [("model", "stage 1", "stage 2", "stage 3", "all", "customised", "together")]
    for name in MODELS:
        own = customised(_model(name))
        rows.append((f"`{name}`", *map(str, stages(_model(name))), str(own), str(own.M + own.A)))
    return _markdown(rows)


def _model(name: str) -> System:
    return load_system(f"model:{name}")


def _at(count: Line | int, n: int) -> int:
    return count[0] * n + count[1] if isinstance(count, tuple) else count


def _cells(count: tuple[int, int]) -> tuple[str, ...]:
    return str(count[0]), str(count[1]), str(sum(count))


def _formula(line: Line) -> str:
    slope, constant = line
    return f"{slope} n {'-' if constant < 0 else '+'} {abs(constant)}" if slope or constant else "0"


def _markdown(rows: list[tuple[str, ...]]) -> list[str]:
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return [head, f"|{'---|' * len(rows[0])}", *body]


# How to make every table of the page, by what it shows
TABLES = {"stages": _stage_table, "six joints": _table_1, "special arms": _special_table, "models": _model_table}

if __name__ == "__main__":
    for name, lines in TABLES.items():
        sys.stdout.write("\n".join((f"{name}:", *lines(), "", "")))
