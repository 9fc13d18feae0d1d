"""Sine and cosine inlined: one reduction by multiples of pi/2, two polynomials, the C library beyond 1e7."""

from __future__ import annotations

from ._writer import COLD, Writer

FAR = 1e7
TWO_OVER_PI = 0.6366197723675814
ROUNDER = 1.5 * 2.0**52  # adding it rounds to an integer, whose low bits are then those of the sum
HALF_PI_FUSED = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33)
HALF_PI_SHORT = (
    1.570796325802803,
    9.920935791635221e-10,
    5.17018297889025e-19,
    2.9038559739793605e-28,
)  # three of 31 bits at most, and the rest
SINE = (  # (sin(r)/r - 1)/r^2 in powers of r^2, near-minimax on |r| <= pi/4
    -0.16666666666666666,
    0.008333333333330946,
    -0.0001984126983675497,
    2.755731610068303e-06,
    -2.5051131455427946e-08,
    1.591810123027412e-10,
)
COSINE = (  # (cos(r) - 1 + r^2/2)/r^4 likewise
    0.041666666666666664,
    -0.0013888888888887395,
    2.4801587298763433e-05,
    -2.7557317270560326e-07,
    2.0876146024689747e-09,
    -1.1382614868556325e-11,
)


def sine_and_cosine(writer: Writer, x: str, *, sine: bool = True, cosine: bool = True) -> tuple[str, str]:
    """Append sine and cosine of x, or only the one that is wanted, within 1.6 units in the last place; sin(-0) is +0."""
    quadrant, r = _reduced(writer, x)
    z = writer.arithmetic("fmul", r, r)
    odd = writer.value(f"trunc {writer.bits} {quadrant} to {writer.truth}")
    of_sine, of_cosine = _sine(writer, r, z), _cosine(writer, z)
    near: dict[str, str] = {}
    if sine:
        near["sin"] = _signed(writer, _chosen(writer, odd, of_cosine, of_sine), quadrant)
    if cosine:
        following = writer.value(f"add {writer.bits} {quadrant}, {writer.integer(1)}")
        near["cos"] = _signed(writer, _chosen(writer, odd, of_sine, of_cosine), following)
    joined = _beyond(writer, x, near)
    return joined.get("sin", ""), joined.get("cos", "")


def _reduced(writer: Writer, x: str) -> tuple[str, str]:
    """Append k and r with x = k pi/2 + r; k is right in its two low bits."""
    shifted = writer.multiply_add(x, writer.constant(TWO_OVER_PI), writer.constant(ROUNDER))
    k = writer.value(f"fsub {writer.type} {shifted}, {writer.constant(ROUNDER)}")
    quadrant = writer.value(f"bitcast {writer.type} {shifted} to {writer.bits}")
    if writer.fused:
        r = x
        for part in HALF_PI_FUSED:
            r = writer.intrinsic("fma", k, writer.constant(-part), r)
        return quadrant, r
    return quadrant, _reduced_without_fusing(writer, x, k)


def _reduced_without_fusing(writer: Writer, x: str, k: str) -> str:
    """Append x - k pi/2: the first three products are exact, and the errors of the differences are carried along."""

    def minus(a: str, b: str) -> str:
        return writer.value(f"fsub {writer.type} {a}, {b}")

    first, *middle, last = (writer.value(f"fmul {writer.type} {k}, {writer.constant(part)}") for part in HALF_PI_SHORT)
    r, lost = minus(x, first), minus(writer.constant(-0.0), last)
    for product in middle:
        smaller = minus(r, product)
        lost = writer.value(f"fadd {writer.type} {lost}, {minus(minus(r, smaller), product)}")
        r = smaller
    return writer.value(f"fadd {writer.type} {r}, {lost}")


def _polynomial(writer: Writer, z: str, coefficients: tuple[float, ...]) -> str:
    result = writer.constant(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        result = writer.multiply_add(result, z, writer.constant(coefficient))
    return result


def _sine(writer: Writer, r: str, z: str) -> str:
    cube = writer.arithmetic("fmul", r, z)
    return writer.multiply_add(_polynomial(writer, z, SINE), cube, r)


def _cosine(writer: Writer, z: str) -> str:
    square = writer.arithmetic("fmul", z, z)
    start = writer.multiply_add(z, writer.constant(-0.5), writer.constant(1.0))
    return writer.multiply_add(_polynomial(writer, z, COSINE), square, start)


def _chosen(writer: Writer, condition: str, if_true: str, if_false: str) -> str:
    return writer.value(f"select {writer.truth} {condition}, {writer.type} {if_true}, {writer.type} {if_false}")


def _signed(writer: Writer, value: str, quadrant: str) -> str:
    """Append value, negated where bit 1 of the quadrant is set."""
    turned = writer.value(f"and {writer.bits} {quadrant}, {writer.integer(2)}")
    sign = writer.value(f"shl {writer.bits} {turned}, {writer.integer(62)}")
    pattern = writer.value(f"bitcast {writer.type} {value} to {writer.bits}")
    flipped = writer.value(f"xor {writer.bits} {pattern}, {sign}")
    return writer.value(f"bitcast {writer.bits} {flipped} to {writer.type}")


def _beyond(writer: Writer, x: str, near: dict[str, str]) -> dict[str, str]:
    """Append the rarely taken branch: |x| > 1e7, infinite or not a number goes to the C library."""
    size = writer.intrinsic("fabs", x)
    far = writer.value(f"fcmp ugt {writer.type} {size}, {writer.constant(FAR)}")
    some = far
    if writer.lanes > 1:
        packed = writer.value(f"bitcast {writer.truth} {far} to i{writer.lanes}")
        some = writer.value(f"icmp ne i{writer.lanes} {packed}, 0")
    label, here = writer.temporary()[1:], writer.block
    writer.line(f"br i1 {some}, label %far_{label}, label %near_{label}, {COLD}")
    writer.start(f"far_{label}")
    called = {name: writer.library(name, x) for name in near}
    if writer.lanes > 1:
        called = {name: _chosen(writer, far, called[name], near[name]) for name in near}
    writer.line(f"br label %near_{label}")
    writer.start(f"near_{label}")
    return {
        name: writer.value(f"phi {writer.type} [ {near[name]}, %{here} ], [ {called[name]}, %far_{label} ]") for name in near
    }
