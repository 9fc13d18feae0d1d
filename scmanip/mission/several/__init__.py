"""Tables of laws that are made of several."""
