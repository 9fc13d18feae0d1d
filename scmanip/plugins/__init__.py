"""What installed packages add: found by their entry points, loaded when a name is first asked for."""

from ._kinds import Kinds as Kinds
from ._offered import broken as broken
from ._offered import load as load
from ._offered import offered as offered
