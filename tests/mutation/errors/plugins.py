"""Errors in finding what packages offer."""

from ..planted import Planted

ERRORS = (
    Planted("the first of two packages is taken", "plugins/_offered.py", "if len(points) > 1:", "if len(points) > 2:"),
    Planted("what does not load ends the program", "plugins/_offered.py", "except Exception as", "except KeyError as"),
)
