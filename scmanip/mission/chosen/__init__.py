"""Tables of laws that are made of others by configuration or mode."""
