"""The arithmetic of metrics."""
