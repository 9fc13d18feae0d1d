"""Tables of laws about one state, which are linear."""
