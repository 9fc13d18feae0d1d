"""Who gives what a mode asks for."""
