"""Kinds of joint, one file each: freedoms, elementary motions, keys of a system file."""

from ._fixed import NoMotion as NoMotion
from ._free import Tumble as Tumble
from ._kind import AXIS as AXIS
from ._kind import NOTHING as NOTHING
from ._kind import JointKey as JointKey
from ._kind import JointKind as JointKind
from ._kind import kind_problems as kind_problems
from ._kinds import KINDS as KINDS
from ._kinds import joint_numbers as joint_numbers
from ._kinds import kind_of as kind_of
from ._motion import Motion as Motion
from ._motion import bias as bias
from ._motion import twists as twists
from ._prismatic import Slide as Slide
from ._revolute import Turn as Turn
from ._screw import Helix as Helix
from ._spherical import Ball as Ball
