"""Laws that are made of others by configuration or mode."""
