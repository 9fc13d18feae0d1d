"""Pages with a scene that one can turn and play, drawn by viser; they are one file, and ask nothing of anybody."""

from ._drawn import draw_bodies as draw_bodies
from ._drawn import pose_body as pose_body
from ._embedded import Embedded as Embedded
from ._embedded import show_history as show_history
from ._embedded import show_system as show_system
from ._embedded import write_history as write_history
from ._embedded import write_system as write_system
from ._page import page as page
from ._page import write_page as write_page
