"""What a series of a run is: its name, shape, unit, frame and meaning, told once by whoever computes it."""

from ._channel import Channel as Channel
from ._channel import Nature as Nature
from ._channel import Portion as Portion
from ._channels import Channels as Channels
from ._dimension import WRENCH as WRENCH
from ._dimension import XYZ as XYZ
from ._dimension import XYZW as XYZW
from ._dimension import Dimension as Dimension
from ._dimension import Dimensions as Dimensions
from ._page import Page as Page
