"""Where bodies are over time, and what acts on them."""
