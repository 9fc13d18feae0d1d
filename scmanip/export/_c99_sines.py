"""Sine and cosine in C that a compiler can inline, as our own machine code has them: calls are a third of short programs."""

from __future__ import annotations

from collections.abc import Collection, Iterator

NAMES = {"sin": "near_sine", "cos": "near_cosine"}
RESERVED = ("near_sine", "near_cosine", "quarter_turns", "chosen_number", "number_bits", "sine_of_rest", "cosine_of_rest")
BOTH = """\
/*
 * Sine and cosine within 2 units in the last place, to be inlined: x is k quarter turns and a rest, of which polynomials
 * give both; what is not within 1e7 goes to math.h.
 */
typedef union {
    double number;
    unsigned long long bits;
} number_bits;
typedef char number_bits_are_64[sizeof(unsigned long long) == sizeof(double) ? 1 : -1];

/* The rest; the low bits of k are those of `turns`. Products with k are exact, or fused. */
static inline double quarter_turns(double x, unsigned long long *turns)
{
    const double shifted = x * 0.6366197723675814 + 6755399441055744.0, k = shifted - 6755399441055744.0;
    number_bits low;
    low.number = shifted;
    *turns = low.bits;
#ifdef FP_FAST_FMA
    return fma(k, 1.4973849048591698e-33, fma(k, -6.123233995736766e-17, fma(k, -1.5707963267948966, x)));
#else
    {
        const double a = x - k * 1.570796325802803, b = k * 9.920935791635221e-10, c = k * 5.17018297889025e-19;
        const double d = a - b, e = d - c;
        return e + (((a - d) - b) + ((d - e) - c) - k * 2.9038559739793605e-28);
    }
#endif
}

static inline double sine_of_rest(double r, double z)
{
    double p = -2.5051131455427946e-08 + z * 1.591810123027412e-10;
    p = -0.0001984126983675497 + z * (2.755731610068303e-06 + z * p);
    return r + r * z * (-0.16666666666666666 + z * (0.008333333333330946 + z * p));
}

static inline double cosine_of_rest(double z)
{
    double p = 2.0876146024689747e-09 + z * -1.1382614868556325e-11;
    p = 2.4801587298763433e-05 + z * (-2.7557317270560326e-07 + z * p);
    return (1.0 - 0.5 * z) + z * z * (0.041666666666666664 + z * (-0.0013888888888887395 + z * p));
}

/* One of two numbers, the first in odd quarters, with the sign of the half: without a branch that could be guessed wrong. */
static inline double chosen_number(unsigned long long turns, double odd, double even)
{
    const unsigned long long mask = 0ULL - (turns & 1ULL);
    number_bits one, other, result;
    one.number = odd;
    other.number = even;
    result.bits = ((one.bits & mask) | (other.bits & ~mask)) ^ ((turns & 2ULL) << 62);
    return result.number;
}
"""
SINE = """
static inline double near_sine(double x)
{
    unsigned long long turns;
    const double r = quarter_turns(x, &turns), z = r * r;
    const double found = chosen_number(turns, cosine_of_rest(z), sine_of_rest(r, z));
    return fabs(x) <= 1e7 ? found : sin(x);
}
"""
COSINE = """
static inline double near_cosine(double x)
{
    unsigned long long turns;
    const double r = quarter_turns(x, &turns), z = r * r;
    const double found = chosen_number(turns + 1ULL, cosine_of_rest(z), sine_of_rest(r, z));
    return fabs(x) <= 1e7 ? found : cos(x);
}
"""


def sines(operations: Collection[str]) -> Iterator[str]:
    """Give the functions that a program of these operations calls."""
    if {"sin", "cos"} & set(operations):
        yield BOTH + (SINE if "sin" in operations else "") + (COSINE if "cos" in operations else "")
