"""Results folders."""
