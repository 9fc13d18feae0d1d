"""Kane's equations of a tree [Stoneking2008] as a program."""

from __future__ import annotations

from collections.abc import Sequence

from ...spatial import DCM, Array
from ...symbolic import Program, record
from ...system import System
from ..programs._derivation import Derivation
from ..programs._implementation import FoldedInertia
from ._path_tables import PathTables
from ._tree_kane import kane_system

OUTPUTS = ("Omega", "V", "alpha_r", "a_r", "COEF", "RHS")


def kane_program(system: System, joint_order: Sequence[str] | None = None) -> Program:
    """Return Omega, V, alpha_r, a_r, COEF and RHS as one program of the packed state x (n_x,) and tau (N,).

    Its speeds are the paper's, udot = COEF^-1 RHS is in [omega_1; sigma; v_1], as `kane_system` has them; `program.only("COEF",
    "RHS")` is the part without the others. Raises `InvalidInput` for free bodies, turners and rotors of motors.

    joint_order : names of all joints, G1 first

    >>> program = kane_program(system)
    >>> {output.name: output.shape for output in program.outputs}
    {'Omega': (15, 10), 'V': (15, 10), 'alpha_r': (5, 3), 'a_r': (5, 3), 'COEF': (10, 10), 'RHS': (10,)}
    """
    tables, derivation = PathTables.of(system, joint_order), Derivation(system, DCM(), FoldedInertia())

    def outputs(x: Array, tau: Array) -> dict[str, Array]:
        found = kane_system(tables, derivation.at(x), tau)
        return {name: getattr(found, name) for name in OUTPUTS}

    return record({"x": (system.layout.n_x,), "tau": (system.layout.N,)}, outputs)
