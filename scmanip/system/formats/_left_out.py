"""What of another tool's file is not taken over."""


class LeftOut(UserWarning):
    """Something of another tool's file for which a system has no word was not taken over."""
