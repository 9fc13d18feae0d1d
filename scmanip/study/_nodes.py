"""The tree of a metric's expression."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """A finite constant."""

    value: float
    at: int
    depth: int = 1


@dataclass(frozen=True)
class Series:
    """A quantity along time, by its name."""

    name: str
    at: int
    depth: int = 1


@dataclass(frozen=True)
class Component:
    """One number of several: `inner[index]`."""

    inner: Node
    index: int
    at: int
    depth: int


@dataclass(frozen=True)
class Operation:
    """`left` and `right` joined by + - * / or **."""

    mark: str
    left: Node
    right: Node
    at: int
    depth: int


@dataclass(frozen=True)
class Call:
    """A function of one or more arguments."""

    name: str
    arguments: tuple[Node, ...]
    at: int
    depth: int


Node = Number | Series | Component | Operation | Call


def names_in(node: Node) -> list[Series]:
    """Return the series in a tree, in the order of reading."""
    if isinstance(node, Series):
        return [node]
    inner: tuple[Node, ...] = ()
    if isinstance(node, Component):
        inner = (node.inner,)
    elif isinstance(node, Operation):
        inner = (node.left, node.right)
    elif isinstance(node, Call):
        inner = node.arguments
    return [series for part in inner for series in names_in(part)]
