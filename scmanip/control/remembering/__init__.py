"""Laws around laws that remember something of their own."""
