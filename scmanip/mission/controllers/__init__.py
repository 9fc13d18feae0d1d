"""Controllers of missions, one file each."""
