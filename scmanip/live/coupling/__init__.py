"""Springs and dampers between a hand and what it holds, how firm they may be, and a hand that leads without them."""
