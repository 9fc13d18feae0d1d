"""A system that a hand can hold while it is flown and switched, and the time that it is flown in."""
