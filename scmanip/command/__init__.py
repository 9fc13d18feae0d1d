"""The command line `scmanip`. Only its entry point is imported at once: `scmanip --help` must not wait for the dynamics."""

from ._command_line import command_line as command_line
