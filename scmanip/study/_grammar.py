"""From the text of a metric to its tree, by descent. Nothing is ever handed to Python to evaluate."""

from __future__ import annotations

import math
from collections.abc import Callable

from ..errors import InvalidInput, nearest
from ._functions import FUNCTIONS
from ._nodes import Call, Component, Node, Number, Operation, Series
from ._tokens import ALLOWED, Token, mistake, tokens

DEEPEST = 60
LARGEST_POWER = 16
_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": lambda a, b: a**b,
}


def parsed(text: str) -> Node:
    """Return the tree of an expression; raises `InvalidInput` with the character where it goes wrong."""
    return _Parser(text).whole()


class _Parser:
    """Reads words from left to right; `at` counts those that are read, `open` the brackets and signs not yet closed."""

    def __init__(self, text: str) -> None:
        self.text, self.words, self.at, self.open = text, tokens(text), 0, 0

    @property
    def next(self) -> Token:
        return self.words[self.at]

    def whole(self) -> Node:
        node = self.sum()
        if self.next.kind != "end":
            raise self.unexpected("an operator or the end")
        return node

    def unexpected(self, expected: str) -> InvalidInput:
        found = "the end" if self.next.kind == "end" else repr(self.next.text)
        return mistake(self.text, self.next.at, expected, found, f"allowed are {ALLOWED}")

    def takes(self, *marks: str) -> Token | None:
        """Step over one of the marks, if one is next."""
        word = self.next
        if word.kind == "mark" and word.text in marks:
            self.at += 1
            return word
        return None

    def expect(self, mark: str) -> None:
        if not self.takes(mark):
            raise self.unexpected(repr(mark))

    def deeper(self, read: Callable[[], Node]) -> Node:
        self.open += 1
        if self.open > DEEPEST:
            raise self.too_deep(self.next.at)
        node = read()
        self.open -= 1
        return node

    def too_deep(self, at: int) -> InvalidInput:
        return mistake(
            self.text, at, f"at most {DEEPEST} operations inside one another", "more", "split it into several metrics"
        )

    def sum(self) -> Node:
        node = self.product()
        while mark := self.takes("+", "-"):
            node = self.joined(mark, node, self.product())
        return node

    def product(self) -> Node:
        node = self.signed()
        while mark := self.takes("*", "/"):
            node = self.joined(mark, node, self.signed())
        return node

    def signed(self) -> Node:
        mark = self.takes("+", "-")
        if mark is None:
            return self.power()
        inner = self.deeper(self.signed)
        return inner if mark.text == "+" else self.joined(mark, Number(-0.0, mark.at), inner)  # which negates zeros too

    def power(self) -> Node:
        node = self.component()
        mark = self.takes("**")
        return node if mark is None else self.joined(mark, node, self.deeper(self.signed))

    def component(self) -> Node:
        node = self.atom()
        while mark := self.takes("["):
            word = self.next
            if word.kind != "number" or not word.text.isdigit():
                raise mistake(self.text, word.at, "the number of a component, from 0, such as [0]", repr(word.text))
            self.at += 1
            self.expect("]")
            node = self.checked(Component(node, int(word.text), mark.at, node.depth + 1))
        return node

    def atom(self) -> Node:
        word = self.next
        if word.kind == "number":
            self.at += 1
            return self.number(float(word.text), word.at)
        if word.kind == "name":
            self.at += 1
            if self.takes("("):
                return self.deeper(lambda: self.call(word))
            if word.text in FUNCTIONS:
                raise self.unexpected(f"'(' behind the function {word.text!r}")
            return Series(word.text, word.at)
        if self.takes("("):
            node = self.deeper(self.sum)
            self.expect(")")
            return node
        raise self.unexpected("a number, a series, a function or '('")

    def call(self, name: Token) -> Node:
        function = FUNCTIONS.get(name.text)
        if function is None:
            hint = nearest(name.text, FUNCTIONS)
            raise mistake(self.text, name.at, f"one of the functions {', '.join(FUNCTIONS)}", repr(name.text), hint)
        arguments = [self.sum()]
        while self.takes(","):
            arguments.append(self.sum())
        self.expect(")")
        if len(arguments) not in function.counts:
            raise mistake(self.text, name.at, f"{name.text}({function.arguments})", f"{len(arguments)} arguments")
        if all(isinstance(argument, Number) for argument in arguments):
            raise mistake(self.text, name.at, f"a series in {name.text}({function.arguments})", "only numbers")
        if function.constant is not None and not isinstance(arguments[function.constant], Number):
            raise mistake(
                self.text, arguments[function.constant].at, f"{name.text}({function.arguments}) with a number", "a series"
            )
        depth = 1 + max(argument.depth for argument in arguments)
        return self.checked(Call(name.text, tuple(arguments), name.at, depth))

    def joined(self, mark: Token, left: Node, right: Node) -> Node:
        if mark.text == "**" and not (isinstance(right, Number) and abs(right.value) <= LARGEST_POWER):
            found = f"{right.value:g}" if isinstance(right, Number) else "a series"
            raise mistake(self.text, right.at, f"a number from -{LARGEST_POWER} to {LARGEST_POWER} as exponent", found)
        if isinstance(left, Number) and isinstance(right, Number):
            return self.folded(mark, left, right)
        return self.checked(Operation(mark.text, left, right, mark.at, 1 + max(left.depth, right.depth)))

    def folded(self, mark: Token, left: Number, right: Number) -> Node:
        try:
            value = _OPERATIONS[mark.text](left.value, right.value)
        except (ArithmeticError, ValueError):
            value = math.nan
        return self.number(value if isinstance(value, float) else math.nan, left.at)

    def number(self, value: float, at: int) -> Number:
        if not math.isfinite(value):
            raise mistake(self.text, at, "a finite number", "one that is too large or undefined")
        return Number(value, at)

    def checked(self, node: Node) -> Node:
        if node.depth > DEEPEST:
            raise self.too_deep(node.at)
        return node
