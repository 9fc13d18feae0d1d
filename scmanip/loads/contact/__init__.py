"""What shapes do to each other where they touch: laws of the normal force, laws of friction, and the load made of both."""
