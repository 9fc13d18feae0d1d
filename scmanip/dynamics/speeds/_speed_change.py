"""A choice of speeds for one system as programs, and its derivative along the motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...errors import NumericalFailure
from ...spatial import Array, quaternion_rate
from ...symbolic import Program, record
from ...system import coordinate_rates
from ..programs._derivation import Derivation
from ._speeds import Place, ReadOff, SpeedMap, Speeds

Given = Mapping[str, Array]  # q, t and, with a floating base, r_0 and attitude_xyzw


@dataclass(frozen=True, eq=False)
class SpeedChange:
    """The equations of one system with another choice of speeds, ready to be recorded."""

    derivation: Derivation
    speeds: Speeds

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names (p) of the speeds."""
        return self.speeds.names(self.derivation.system)

    @cached_property
    def read_off(self) -> ReadOff | None:
        """The body whose angular velocity is read off the speeds."""
        return self.speeds.read_off(self.derivation.system)

    @cached_property
    def place_shapes(self) -> dict[str, tuple[int, ...]]:
        """Inputs that say where the system is."""
        base = {} if self.derivation.system.fixed else {"r_0": (3,), "attitude_xyzw": (4,)}
        return {**base, "q": (self.derivation.system.layout.n_q,), "t": ()}

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Inputs of every program: numbers of the system that are inputs, then where it is."""
        return {**self.derivation.shapes, **self.place_shapes}

    def place(self, given: Given) -> Place:
        """Return the place of these inputs."""
        still = {"r_0": np.zeros(3), "attitude_xyzw": np.array([0.0, 0, 0, 1])}
        at = {key: np.asarray(given[key]) if key in given else still[key] for key in (*still, "q")}
        return Place(self.derivation, t=given["t"], numbers=self.derivation.given_numbers(given), **at)

    @cached_property
    def map_program(self) -> Program:
        """W, X and, where they are known, A, B and D of the place."""

        def outputs(**given: Array) -> dict[str, Array]:
            with np.errstate(divide="raise", invalid="raise"):
                speeds = self.speeds.map(self.place(given))
            return {key: value for key, value in vars(speeds).items() if value is not None}

        try:
            return record(self.shapes, outputs)
        except ArithmeticError:  # a number, not a recorded scalar, was divided by: zero in every place
            raise NumericalFailure(
                f"the generalized speeds {', '.join(map(repr, self.names))} of system '{self.derivation.system.name}' "
                "depend on each other everywhere: they cannot be solved for u; choose other speeds"
            ) from None

    @cached_property
    def rates_program(self) -> Program:
        """u = W s + X of the place and s."""

        def outputs(s: Array, **given: Array) -> dict[str, Array]:
            speeds = self.map(given)
            return {"u": speeds.W @ s + speeds.X}

        return record({**self.shapes, "s": (len(self.names),)}, outputs)

    @cached_property
    def speeds_program(self) -> Program:
        """s = A u + B of the place and u."""

        def outputs(u: Array, **given: Array) -> dict[str, Array]:
            speeds = self.map(given)
            assert speeds.A is not None and speeds.B is not None
            return {"s": speeds.A @ u + speeds.B}

        return record({**self.shapes, "u": (self.derivation.system.layout.n_u,)}, outputs)

    def remainder(self, given: Given, s: Array, u: Array) -> Array:
        """Return udot (n_u,) at sdot = 0, Wdot s + Xdot: what solves A udot + Adot u + Bdot = 0 where there is an A."""
        speeds = self.map(given)
        if speeds.A is None:
            return self.along(self.rates_program, "u", {**given, "s": s}, u)
        return -(speeds.W @ self.along(self.speeds_program, "s", {**given, "u": u}, u))

    def map_rate(self, given: Given, u: Array) -> SpeedMap:
        """Return Wdot and Xdot in the places of W and X, along a motion u (n_u,)."""
        speeds = self.map(given)

        def dot(name: str) -> Array:
            return self.along(self.map_program, name, given, u)

        if speeds.A is None or speeds.B is None:
            return SpeedMap(dot("W"), dot("X"))
        Wdot = -(speeds.W @ dot("A") @ speeds.W)
        return SpeedMap(Wdot, -(Wdot @ speeds.B) - speeds.W @ dot("B"))

    def map(self, given: Given) -> SpeedMap:
        """Return the map at a place, over any scalar."""
        return SpeedMap(**self._evaluated(self.map_program, given))

    def along(self, program: Program, output: str, given: Given, u: Array) -> Array:
        """Return the time derivative of an output along the motion, all inputs but the place held; t runs.

        u : (n_u,) how the system moves
        """
        layout = self.derivation.system.layout
        rates: dict[str, Array] = {"q": coordinate_rates(layout, np.asarray(given["q"]), u[layout.joints]), "t": np.array(1.0)}
        if not layout.fixed:
            turn = quaternion_rate(np.asarray(given["attitude_xyzw"]), u[layout.base_angular])
            rates |= {"r_0": u[layout.base_linear], "attitude_xyzw": turn}
        tangent = self._tangents.get((program.digest, output))
        if tangent is None:
            tangent = self._tangents[program.digest, output] = program.tangent(output, list(self.place_shapes))
        directions = {f"d_{key}": value for key, value in rates.items()}
        return self._evaluated(tangent, {**given, **directions})[f"d_{output}"]

    def _evaluated(self, program: Program, given: Given) -> dict[str, Array]:
        """Return the outputs of a program by name for inputs of any scalar; what it does not have is passed over.

        Numbers of the system that are not given are its own.
        """
        inputs = {**self.derivation.numbers, **given}
        values = program.evaluate(*(inputs[i.name] for i in program.inputs))
        return {output.name: value for output, value in zip(program.outputs, values, strict=True)}

    @cached_property
    def _tangents(self) -> dict[tuple[str, str], Program]:
        return {}
