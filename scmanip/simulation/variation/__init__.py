"""How the states of runs change with numbers of system and law."""
