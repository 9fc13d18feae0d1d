"""Speeds that are the components of a body's angular velocity in its own axes [Kane1983] eqs 2-12."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InvalidInput, Problem, UnknownName
from ...spatial import Array, inverse_3, scalar_type, transpose
from ...system import System
from ..sums._parameters import Parameters
from ._body_partials import Placements, origin_partials, path_rotation
from ._speeds import JointRates, Place, ReadOff, SpeedMap, Speeds


@dataclass(frozen=True)
class BodyAngularVelocity(Speeds):
    """Three joint rates give way to the angular velocity in N of `body`, in its own axes; the other speeds stay.

    body : its name; joints : three revolute joints, or angles of gimbals such as "wrist.1", between the base and the body,
    which must be able to turn it any way.
    The speeds are called body.1, body.2, body.3. Rank is lost where the three joint axes lie in a plane.

    >>> arm = scmanip.load_system("model:stanford_arm")
    >>> BodyAngularVelocity("F", ("q3", "q4", "q5")).names(arm)
    ('q1', 'q2', 'q6', 'F.1', 'F.2', 'F.3')
    """

    body: str
    joints: tuple[str, str, str]

    def names(self, system: System) -> tuple[str, ...]:
        own = dict(zip(self._rows(system), (f"{self.body}.{axis}" for axis in (1, 2, 3)), strict=True))
        return tuple(own.get(k, name) for k, name in enumerate(JointRates().names(system)))

    def read_off(self, system: System) -> ReadOff:
        first, second, third = self._rows(system)
        return ReadOff(system.body_number(self.body), (first, second, third))

    def map(self, place: Place) -> SpeedMap:
        """The middle one of the three bodies carries the equation: omega = G qdot_3 + K u_others in its axes.

        There G depends on fewer coordinates than anywhere else; the paper's 1/sin(q2) is its determinant.
        """
        system, rows = place.system, self._rows(place.system)
        n, body = system.layout.n_u, system.body_number(self.body)
        parameters = place.parameters
        link = int(parameters.link_of[body])
        placements = Placements.of(parameters, place)
        middle = int(sorted(parameters.carried[[row - system.layout.n_base for row in rows]])[1])
        identity = SpeedMap(np.eye(n), np.zeros(n))
        omega = origin_partials(parameters, placements, identity).omega_r[middle]
        for i in self._beyond(parameters, link, middle):
            motion = parameters.motions[i]
            for j, axis in zip(parameters.speeds[i], motion.angular, strict=True):
                omega = np.array(omega, dtype=scalar_type(omega, place.q))
                to_parent = placements.R[i] if motion.dof > 1 else parameters.dcm[i]  # one turn leaves its axis where it is
                across = path_rotation(parameters, placements, int(parameters.parent[i]), middle)
                omega[:, system.layout.n_base + j] = across @ (to_parent @ axis)
        turn = path_rotation(parameters, placements, link, middle) @ parameters.child_dcm[body]
        return _solved(n, list(rows), omega, turn)

    def _beyond(self, parameters: Parameters, link: int, middle: int) -> list[int]:
        """Links after the middle one on the path to a link."""
        beyond = []
        while link != middle:
            beyond.append(link)
            link = int(parameters.parent[link])
        return beyond

    def _rows(self, system: System) -> tuple[int, int, int]:
        """Places in u of the three joints, in the order in which they are met from the base outwards."""
        body, names = system.body_number(self.body), system.layout.qdot_names
        for joint in self.joints:
            if joint not in names:
                raise UnknownName("joint", joint, f"system '{system.name}'", names)
        numbers = sorted({names.index(joint) for joint in self.joints})
        parameters = Parameters.of(system)
        path = parameters.path[parameters.link_of[body]]
        single = {j for _, j in system.layout.single()}
        turning = [k for k in numbers if parameters.angular[k].any() and k in single and path[k]]
        if len(turning) != 3 or len(self.joints) != 3:
            expected = f"three revolute joints on the path from the base to '{self.body}'"
            raise InvalidInput(Problem("BodyAngularVelocity joints", expected, ", ".join(self.joints)))
        first, second, third = (system.layout.n_base + k for k in turning)
        return first, second, third


def _solved(n: int, rows: list[int], omega: Array, turn: Array) -> SpeedMap:
    """Return the map of speeds s with turn s[rows] = omega u, and s = u in all other rows.

    omega : (3, n) in axes of the middle body; turn : (3, 3) from the body's own axes to these
    """
    others = [k for k in range(n) if k not in rows]
    dtype = scalar_type(omega, turn)
    inverse = inverse_3(omega[:, rows])
    W, A = np.array(np.eye(n), dtype=dtype), np.array(np.eye(n), dtype=dtype)
    W[np.ix_(rows, rows)] = inverse @ turn
    W[np.ix_(rows, others)] = -(inverse @ omega[:, others])
    A[rows] = transpose(turn) @ omega
    return SpeedMap(W, np.zeros(n), A, np.zeros(n))
