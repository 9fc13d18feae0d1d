"""Laws that are linear about one state."""
