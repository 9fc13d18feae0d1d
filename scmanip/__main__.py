"""`python -m scmanip` is the command line."""

from .command import command_line

command_line()
