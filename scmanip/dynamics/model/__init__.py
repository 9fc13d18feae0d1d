"""A system's equations behind one door."""
