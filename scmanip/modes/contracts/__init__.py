"""What modes promise, and how far a run strays from it."""
