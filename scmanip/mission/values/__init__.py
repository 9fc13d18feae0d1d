"""What keys of mission files take, and what they become."""
