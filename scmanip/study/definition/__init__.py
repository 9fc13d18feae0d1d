"""A study as it is asked for, and the plan of its cases."""
