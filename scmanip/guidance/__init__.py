"""Goal in, reference motion out: what the joints, or a frame, should do at a time."""

from ._cycloid import Cycloid as Cycloid
from ._follow import Follow as Follow
from ._follow import check_followed as check_followed
from ._hold import Hold as Hold
from ._joint_reference import JointReference as JointReference
from ._joint_sequence import JointSequence as JointSequence
from ._line import Line as Line
from ._pose_reference import PoseReference as PoseReference
from ._pose_reference import Sample as Sample
from ._rate_profile import RateProfile as RateProfile
from ._reach import Reach as Reach
from ._reference import ReferenceMotion as ReferenceMotion
from ._reference import corners_of as corners_of
from ._reference_form import RecordableReference as RecordableReference
from ._reference_form import ReferenceForm as ReferenceForm
from ._reference_form import numbers_at as numbers_at
from ._reference_form import recorded_form as recorded_form
