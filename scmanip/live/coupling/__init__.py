"""Springs and dampers between a hand and what it holds, and how firm they may be."""
