"""Laws that are made of several: of all at once, of those at a configuration, of one for each mode."""
