"""What the cases of a study say together."""
