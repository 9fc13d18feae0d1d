"""MuJoCo as an oracle."""

from scmanip.interop import MujocoTwin as MujocoOracle

__all__ = ["MujocoOracle"]
