"""What stands for the parts of a system."""
