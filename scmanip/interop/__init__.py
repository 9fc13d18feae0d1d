"""Other tools: the same system in their terms, asked in ours."""

from ._mujoco import MujocoTwin as MujocoTwin
from ._pinocchio import PinocchioTwin as PinocchioTwin
