"""The oracles that know a system."""

from __future__ import annotations

from scmanip.errors import InvalidInput
from scmanip.system import System

from .mujoco_oracle import MujocoOracle
from .pinocchio_oracle import PinocchioOracle


def oracles_of(system: System) -> tuple[PinocchioOracle | MujocoOracle, ...]:
    """Return both, or Pinocchio alone where MuJoCo does not have one of the joints."""
    try:
        return PinocchioOracle(system), MujocoOracle(system)
    except InvalidInput as error:
        assert "joints that MuJoCo has" in str(error)
        return (PinocchioOracle(system),)
