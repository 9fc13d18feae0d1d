"""Constraints that come and go in a run."""
