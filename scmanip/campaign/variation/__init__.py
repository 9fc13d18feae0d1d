"""What a study may vary, how it is set in the files of a mission, and how it is read back."""
