"""Which packaged models the costly batteries are about; the cheap ones take all of `model_names()`."""

from __future__ import annotations

# arms of up to six joints with one freedom each, whose programs are counted and compared in every form
COUNTED = (
    "bench_6r", "ets7", "general_6r", "industrial_6r", "planar_four_link", "spatial_six_link", "stanford_arm",
    "stanford_arm_hd",
)  # fmt: skip
# one of each make: floating, fixed with a slide, several arms, gimbals and a ball, free bodies alone, motors and limits
VARIED = ("astrobee", "ets7", "rocket_body", "ssrms", "stanford_arm", "stoneking_tree")
