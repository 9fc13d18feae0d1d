"""What installed packages add, by their entry points, and what rooms above make of things below: loaded when asked for."""

from ._from_module import objects_named as objects_named
from ._kinds import Kinds as Kinds
from ._late import late as late
from ._offered import broken as broken
from ._offered import load as load
from ._offered import offered as offered
from ._views import view as view
