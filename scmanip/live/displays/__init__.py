"""Ways to show a motion or a force to a hand, one file per kind."""
