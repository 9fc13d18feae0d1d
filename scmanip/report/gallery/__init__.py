"""All figures of a run by name, of any series as well, and how notebooks show them."""
