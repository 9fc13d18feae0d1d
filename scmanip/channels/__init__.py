"""What a series of a run is: its name, shape, unit, frame and meaning, told once by whoever computes it."""

from ._channel import Channel as Channel
from ._channel import Nature as Nature
from ._channel import Portion as Portion
from ._channel import with_unit as with_unit
from ._channels import Channels as Channels
from ._channels import Metered as Metered
from ._dimension import WRENCH as WRENCH
from ._dimension import XYZ as XYZ
from ._dimension import XYZW as XYZW
from ._dimension import Dimension as Dimension
from ._dimension import Dimensions as Dimensions
from ._page import Bundle as Bundle
from ._units import PLAIN as PLAIN
from ._units import conversion as conversion
from ._units import for_people as for_people
from ._units import heading as heading
from ._units import in_degrees as in_degrees
from ._units import in_radians as in_radians
from ._units import in_si as in_si
from ._units import integral_of as integral_of
from ._units import plain_unit as plain_unit
from ._units import unit_of as unit_of
