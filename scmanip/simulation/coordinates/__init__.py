"""What is integrated, and the states that follow from it."""
