"""What [Wilde2018] calls quantities, for formulas; where it has them stands in the words of a quantity."""

from __future__ import annotations

import re

from ...symbolic import Letter, typewriter

LATEX = {
    "H0": r"\mathbf{H}_0",
    "H0m": r"\mathbf{H}_{0m}",
    "Hm": r"\mathbf{H}_m",
    "M": r"\mathbf{M}",
    "H": r"\mathbf{H}",
    "H0_inverse": r"\mathbf{H}_0^{-1}",
    "S_U": r"\mathbf{S}_U",
    "r_0C": r"\mathbf{r}_{0C}",
    "Hdot": r"\dot{\mathbf{H}}",
    "H0_dot": r"\dot{\mathbf{H}}_0",
    "H0m_dot": r"\dot{\mathbf{H}}_{0m}",
    "Hm_dot": r"\dot{\mathbf{H}}_m",
    "dH_dq": r"\partial\mathbf{H}_{#1#2}/\partial q_{#3}",
    "dH0_dq": r"\partial(\mathbf{H}_0)_{#1#2}/\partial q_{#3}",
    "dH0m_dq": r"\partial(\mathbf{H}_{0m})_{#1#2}/\partial q_{#3}",
    "dHm_dq": r"\partial(\mathbf{H}_m)_{#1#2}/\partial q_{#3}",
    "C": r"\mathbf{C}",
    "c": r"\mathbf{c}",
    "kinetic_energy": "T",
    "J0": r"\mathbf{J}_0",
    "Jm": r"\mathbf{J}_m",
    "J_star": r"\mathbf{J}^*",
}


def letter_of(output: str, words: str) -> Letter:
    """Return letter and place of an output such as "J_star:tip"; words : what its quantity is, with the equation's number."""
    name, _, frame = output.partition(":")
    number = re.search(r"eq\. (\d+)", words)
    latex = LATEX.get(name, typewriter(name)) + (rf"^{{{typewriter(frame)}}}" if frame else "")
    if name == "J_star" and frame:
        latex = rf"\mathbf{{J}}^{{*\,{typewriter(frame)}}}"
    return Letter(latex, f"[Wilde2018] eq. {number[1]}" if number else "")
