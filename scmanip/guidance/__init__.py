"""Goal in, reference motion out: what the joints should do at a time."""

from ._cycloid import Cycloid as Cycloid
from ._hold import Hold as Hold
from ._joint_reference import JointReference as JointReference
from ._joint_sequence import JointSequence as JointSequence
from ._line import Line as Line
from ._reference import Reference as Reference
