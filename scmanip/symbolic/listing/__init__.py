"""Programs as plain data, and what they cost."""
