"""Pinocchio as an oracle."""

from scmanip.interop import PinocchioTwin as PinocchioOracle

__all__ = ["PinocchioOracle"]
