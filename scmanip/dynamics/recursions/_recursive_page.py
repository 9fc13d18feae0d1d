"""The recursion of [Angeles1989] for one tree in the paper's letters, stage by stage, with its operation counts."""

from __future__ import annotations

from ...spatial import Array
from ...symbolic import Program, record
from ...system import System
from ..sums._motors import bodies_alone
from ..sums._parameters import Parameters
from ._recursive_kane import recursive_inverse_dynamics

BASE = {
    True: "omega_0 = 0, omega_0-dot = 0, p_0-ddot = -g  (14, 21, 51)",
    False: "omega_0, omega_0-dot, p_0-ddot of the base, which moves; less g",
}


def recursive_kane_program(system: System) -> Program:
    """Return the paper's own form as one program: tau (N,), and the wrench on the base (6,) in base axes, of q, qdot and udot.

    A floating base adds omega_0 (3,) in its own axes. Raises `InvalidInput` for free bodies, turners and rotors of motors.

    >>> program = recursive_kane_program(system)
    >>> [(output.name, output.shape) for output in program.outputs]
    [('tau', (4,)), ('wrench', (6,))]
    """
    parameters, layout = Parameters.of(system), system.layout
    bodies_alone(parameters, "recursive_kane_program")
    base: dict[str, tuple[int, ...]] = {} if system.fixed else {"omega_0": (3,)}

    def outputs(q: Array, qdot: Array, udot: Array, **base: Array) -> dict[str, Array]:
        forces = recursive_inverse_dynamics(parameters, q, qdot, udot, **base)
        return {"tau": forces.tau, "wrench": forces.wrench}

    return record({"q": (layout.n_q,), "qdot": (layout.N,), "udot": (layout.n_u,), **base}, outputs)


def recursive_kane_page(system: System) -> str:
    """Return the three stages link by link, as text; raises `InvalidInput` as `recursive_kane_program`.

    >>> print(recursive_kane_page(system).split("stage 2")[0][:60])
    links: 0 base; 1 link1, after 0; 2 link2, after 1; 3 link3,
    """
    program, links = recursive_kane_program(system), range(1, Parameters.of(system).n_l)
    page = _Page(Parameters.of(system))
    return (
        "\n\n".join(
            [
                page.names(system),
                "stage 1\n  of every link i Q_i, from its axes to those of the link before, and a_i, from O_i-1 to O_i  (7, 8)",
                "\n".join(
                    ["stage 2, outwards", f"  {BASE[system.fixed]}", *(line for i in links for line in page.outwards(i))]
                ),
                "\n".join(["stage 3, inwards", *(line for i in reversed(links) for line in page.inwards(i))]),
                f"recorded: {program.only('tau').operations}",
            ]
        )
        + "\n"
    )


class _Page:
    """Lines of one tree; link i comes after its parent."""

    def __init__(self, parameters: Parameters) -> None:
        self._p = parameters

    def names(self, system: System) -> str:
        """Return which link is which body: one for every elementary motion of a joint."""
        bodies = {int(link): body.name for link, body in zip(self._p.link_of, system.bodies, strict=True)}
        rows = [f"{i} {bodies.get(i, 'without mass')}, after {self._p.parent[i]}" for i in range(1, self._p.n_l)]
        axes = "e_j, d_j: axes of what turns and slides with joint rate j; rho_i: mass centre of link i from O_i"
        return "links: " + "; ".join([f"0 {bodies[0]}", *rows]) + "\n" + axes

    def outwards(self, i: int) -> list[str]:
        """Return the motion of link i from that of its parent."""
        k, rate, push = self._p.parent[i], *self._rates(i)
        omega, omega_dot = f"Q_{i}' omega_{k}", f"Q_{i}' omega_{k}-dot"
        if rate:
            omega_dot = f"{omega_dot} + omega_{i} x ({rate}) + {rate.replace('-dot', '-ddot')}"
            omega = f"{omega} + {rate}"
        lever = f"W_{k} (a_{i} - rho_{k})"
        sliding = f" + 2 omega_{i} x ({push}) + {push.replace('-dot', '-ddot')}" if push else ""
        sliding += f" - ({rate}) x ({push})" if push and rate else ""
        return [
            f"  omega_{i} = {omega}  (12)",
            f"  omega_{i}-dot = {omega_dot}  (13)",
            f"  W_{i} = omega_{i}-dot x 1 + omega_{i} x (omega_{i} x 1)  (53)",
            f"  p_{i}-ddot = Q_{i}' [p_{k}-ddot + {lever}] + W_{i} rho_{i}{sliding}  ({'20' if push else '18'})",
        ]

    def inwards(self, i: int) -> list[str]:
        """Return forces and moments on link i and what its joint takes."""
        after = [j for j in range(1, self._p.n_l) if self._p.parent[j] == i]
        v = "".join(f" + Q_{j} v_{j}" for j in after)
        w = "".join(f" + Q_{j} w_{j} + a_{j} x Q_{j} v_{j}" for j in after)
        return [
            f"  u_{i} = m_{i} p_{i}-ddot,  v_{i} = u_{i}{v}  (48, 49)",
            f"  h_{i}-dot = I_{i} omega_{i}-dot + omega_{i} x I_{i} omega_{i}  (2)",
            f"  w_{i} = h_{i}-dot + rho_{i} x u_{i}{w}  (46, 47)",
            *(f"  tau_{j + 1} = {self._power(j, i)}  (44, 45)" for j in self._p.speeds[i]),
        ]

    def _rates(self, i: int) -> tuple[str, str]:
        """Return how link i turns and slides relative to its parent, empty where it does not."""
        turning = [f"theta_{j + 1}-dot e_{j + 1}" for j in self._p.speeds[i] if self._p.angular[j].any()]
        sliding = [f"b_{j + 1}-dot d_{j + 1}" for j in self._p.speeds[i] if self._p.linear[j].any()]
        return " + ".join(turning), " + ".join(sliding)

    def _power(self, j: int, i: int) -> str:
        turning = [f"e_{j + 1} . w_{i}"] if self._p.angular[j].any() else []
        return " + ".join(turning + ([f"d_{j + 1} . v_{i}"] if self._p.linear[j].any() else []))
