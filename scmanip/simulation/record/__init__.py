"""What is left of a run."""
