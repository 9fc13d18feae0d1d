"""Other tools: the same system in their terms, asked in ours, and units that they run."""

from ._mujoco import MujocoTwin as MujocoTwin
from ._pinocchio import PinocchioTwin as PinocchioTwin
from .fmu._unit import write_fmu as write_fmu
