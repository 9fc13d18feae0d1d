"""Many runs at once."""
