"""The closed loop, carried from corner to corner."""
