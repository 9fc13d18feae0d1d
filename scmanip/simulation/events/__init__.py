"""What may happen in a run, and how it ends."""
