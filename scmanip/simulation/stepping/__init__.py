"""A closed loop that goes on step by step, under inputs that come from outside in between."""
