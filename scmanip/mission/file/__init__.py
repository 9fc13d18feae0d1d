"""The tables of a mission file."""
