"""See a system move in real time and pull at it: hands, couplers, displays, sessions, and a page that shows them."""

from .coupling._coupler import Coupler as Coupler
from .coupling._gains import Firmness as Firmness
from .coupling._gains import Gains as Gains
from .coupling._gains import effective_inertia as effective_inertia
from .coupling._passivity import Observer as Observer
from .coupling._passivity import Region as Region
from .devices._device import Device as Device
from .devices._device import Moved as Moved
from .devices._device import Pose as Pose
from .devices._gizmo import Gizmo as Gizmo
from .devices._handle import Handle as Handle
from .displays._admittance import Admittance as Admittance
from .displays._display import Display as Display
from .displays._display import Link as Link
from .displays._impedance import Impedance as Impedance
from .page._guard import Guard as Guard
from .page._guard import guarded as guarded
from .session._ahead import Ahead as Ahead
from .session._ahead import Foreseen as Foreseen
from .session._pace import Pace as Pace
from .session._pace import Timing as Timing
from .session._session import Seen as Seen
from .session._session import Session as Session
from .session._session import Way as Way
