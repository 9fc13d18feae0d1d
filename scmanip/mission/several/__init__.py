"""Tables of laws that are made of several others, and of tasks."""
