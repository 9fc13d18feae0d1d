"""Changes of TOML files, in their tables and in their text, each drawn from a generator of random numbers."""

from __future__ import annotations

import copy
import random
import re
import tomllib
from collections.abc import Callable
from typing import Any

Path = tuple[str | int, ...]

NUMBERS: list[Any] = [
    *(0, 1, -1, 2, 3, 7, 1e-300, -1e-300, 5e-324, 1e-12, 0.5, 1.5, 90, 180.0, 1e6, 1e12, 1e15, 1e150, 1e300, 1.7e308),
    *(float("nan"), float("inf"), float("-inf"), 2**53, 2**63, -(2**63), 10**30, 10**400, -0.0),
]
TEXTS = [
    *(
        "",
        " ",
        "base",
        "tip",
        "x",
        "base.com",
        "é",
        "e\u0301",
        "ﬁ",
        "\u200b",
        "\u202e",
        "\0",
        "\n",
        "\x1b[31m",
        "a" * 300,
        "日本語",
    ),
    *(
        "model:ets7",
        "model:nothing",
        "../x.toml",
        "/dev/zero",
        "revolute",
        "fixed",
        "floating",
        "zxz",
        "=cmd()",
        "{}%s",
        "1",
        "a.b",
    ),
]
UNITS = [("deg", "rad"), ("rad", "deg"), ("_m", "_mm"), ("_m", "_km"), ("rpm", "rad_s"), ("_Nm", "_N"), ("_s", ""), ("kg", "g")]
BARE = re.compile(r"[A-Za-z0-9_-]+")


def written(data: dict[str, Any]) -> str:
    """TOML of plain data: what is a table or a list of tables at the top has headers, the rest stands in one line."""
    plain = [f"{_key(k)} = {_value(v)}" for k, v in data.items() if not _is_section(v)]
    lines = list(plain)
    for key, value in data.items():
        if _is_section(value):
            for table in value if isinstance(value, list) else [value]:
                lines.append(f"[[{_key(key)}]]" if isinstance(value, list) else f"[{_key(key)}]")
                lines += [f"{_key(k)} = {_value(v)}" for k, v in table.items()]
    return "\n".join(lines) + "\n"


def _is_section(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value))


def _key(key: str) -> str:
    return key if BARE.fullmatch(key) else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in value) + '"'
    return str(value).lower() if isinstance(value, bool) else repr(value)


def places(data: Any, path: Path = ()) -> list[Path]:
    """Every key and every entry of a list, by its path."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [place for key, value in pairs for place in [(*path, key), *places(value, (*path, key))]]


def at(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data


def mutated(rng: random.Random, text: str) -> str:
    """A text with one to three changes."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        text = in_text(rng, text) if rng.random() < 0.35 else in_tables(rng, text)
    return text


def in_tables(rng: random.Random, text: str) -> str:
    """The text of the changed tables; the same text where it is no TOML."""
    try:
        data = copy.deepcopy(tomllib.loads(text))
    except (ValueError, RecursionError):
        return in_text(rng, text)
    known = places(data)
    if not known:
        return in_text(rng, text)
    path = rng.choice(known)
    _change(rng, data, path, known)
    return written(data)


def _change(rng: random.Random, data: dict[str, Any], path: Path, known: list[Path]) -> None:
    holder, last = at(data, path[:-1]), path[-1]
    value = holder[last]
    change = rng.randrange(13)
    if change == 0:
        del holder[last]
    elif change == 1 and isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), copy.deepcopy(value))
    elif change <= 3 and isinstance(last, str):
        _rename(holder, last, _other_key(rng, last))
    elif change == 4:
        holder[last] = rng.choice(NUMBERS)
    elif change == 5:
        holder[last] = rng.choice(TEXTS)
    elif change == 6:
        holder[last] = rng.choice([True, False, [], {}, [[]], [{}], {"a": 1}, [value], [value] * 3, {"x": value}])
    elif change == 7 and isinstance(value, int | float) and not isinstance(value, bool):
        holder[last] = value * rng.choice([-1, 0.5, 2, 1.01, 1e3, 1e-3, 1e10])
    elif change == 8 and isinstance(holder, dict):
        holder[rng.choice(["nothing", "name", "mass_kg", "type", "lower_deg", "damping_Nms_rad", rng.choice(TEXTS)])] = value
    elif change == 9:
        holder[last] = copy.deepcopy(at(data, rng.choice(known)))
    elif change == 10 and isinstance(value, list):
        holder[last] = (
            value[: rng.randrange(len(value) + 1)] if rng.random() < 0.5 else value * rng.choice([2, 3, 40] * 10 + [900])
        )
    elif change == 11 and isinstance(value, str):
        holder[last] = value + rng.choice(["x", " ", "\0", "\u0301", value])
    else:
        _unit(rng, holder, last, value)


def _unit(rng: random.Random, holder: Any, last: Any, value: Any) -> None:
    if isinstance(last, str):
        old, new = rng.choice(UNITS)
        _rename(holder, last, last.replace(old, new))
    elif isinstance(value, int | float):
        holder[last] = value + rng.choice([1, -1, 1e-7, 1e-5, 0.1])


def _other_key(rng: random.Random, key: str) -> str:
    cut = rng.randrange(len(key)) if key else 0
    return rng.choice([key[:cut] + key[cut + 1 :], key + "s", key.upper(), key[:cut] + "_" + key[cut:], rng.choice(TEXTS)])


def _rename(table: dict[str, Any], old: str, new: str) -> None:
    table[new] = table.pop(old)


def in_text(rng: random.Random, text: str) -> str:
    """A text in which characters or lines are others."""
    lines = text.split("\n")
    at_line, at_character = rng.randrange(len(lines)), rng.randrange(len(text) + 1)
    before, after = text[:at_character], text[at_character + 1 :]
    above, line, below = lines[:at_line], lines[at_line], lines[at_line + 1 :]
    changes: list[Callable[[], str]] = [
        lambda: before,
        lambda: before + after,
        lambda: before + rng.choice("[]{}=.\"'#,\n\\\0é 0aeE_-+") + text[at_character:],
        lambda: before + chr(rng.choice([rng.randrange(128), rng.randrange(0x250), 0xFEFF, 0x1F600])) + after,
        lambda: "\n".join(above + below),
        lambda: "\n".join(above + [line] * rng.choice([2, 3] * 20 + [400]) + below),
        lambda: "\n".join(rng.sample(lines, len(lines))) if rng.random() < 0.2 else f"{text}\n{line}",
        lambda: "\n".join([*above, ".".join(["a"] * rng.choice([3, 33] * 20 + [5000])) + " = 1", line, *below]),
        lambda: "\n".join([*above, _nested(rng.choice([2, 31, 33] * 20 + [3000])), line, *below]),
        lambda: "\n".join([*above, *(f"k{i} = {i}" for i in range(rng.choice([3, 30] * 20 + [3000]))), line, *below]),
        lambda: text.replace("=", " = ", 1).replace("\n", "\r\n"),
        lambda: re.sub(r"\d+", lambda found: str(rng.choice(NUMBERS)) if rng.random() < 0.05 else found[0], text),
    ]
    return rng.choice(changes)()


def _nested(depth: int) -> str:
    return f"x = {'[' * depth}{']' * depth}"
