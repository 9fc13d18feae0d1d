"""Turns pydantic's validation errors into problems with line, column and the nearest valid key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from ...errors import MOST_SHOWN, Problem, checked, expect, likely_first, name_problems, nearest
from ._document import TomlDocument
from ._toml_places import KeyPath

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError
    from pydantic_core import PydanticCustomError

_LONGEST = 60
_MOST_MISSPELT = 100  # keys of a table that are looked at for the one that is missing

Near = Callable[[str, Iterable[str]], str]

_BOUNDS = {
    "greater_than": "a number > {gt}",
    "greater_than_equal": "a number >= {ge}",
    "less_than": "a number < {lt}",
    "less_than_equal": "a number <= {le}",
    "value_error": "{error}",
    "assertion_error": "{error}",
}
_TYPES = {
    "finite_number": "a finite number",
    "float_type": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "string_type": "a text in quotes",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "string_too_short": "a text that is not empty",
    "literal_error": "one of {expected}",
    "too_short": "at least {min_length} entries",
    "too_long": "at most {max_length} entries",
}


@checked
def refusal(expected: str, found: str, *, field: str = "", hint: str = "") -> PydanticCustomError:
    """Return an error that `schema_problems` words as given; `field` names the key inside the table that is at fault.

    >>> error = refusal("a number > 0", "-2.0", field="mass_kg", hint="in kg")
    >>> error.message(), error.context["field"]
    ('a number > 0', 'mass_kg')
    """
    from pydantic_core import PydanticCustomError

    return PydanticCustomError("refusal", "{expected}", {"expected": expected, "found": found, "field": field, "hint": hint})


def visible(name: str) -> str:
    r"""Return a name all of which can be seen, for pydantic's fields of names; raises what pydantic tells of a field.

    >>> visible("link 1")
    'link 1'
    >>> visible("link\u200b1")
    Traceback (most recent call last):
        ...
    pydantic_core._pydantic_core.PydanticCustomError: a text without characters that cannot be seen
    """
    for problem in name_problems("", name):
        raise refusal(problem.expected, problem.found)
    return name


@checked
def schema_problems(document: TomlDocument, error: ValidationError, model: type[BaseModel]) -> list[Problem]:
    r"""Return one problem per error that validating `document.data` against `model` raised, in file order.

    A field's description, where it has one, is the wording of what was expected: "a number >= 0".

    >>> import pydantic
    >>> Wheels = pydantic.create_model("Wheels", inertia_kg_m2=(float, ...))
    >>> document = TomlDocument.parse("inertia_kg_m2 = 'small'\n", "wheel.toml")
    >>> try:
    ...     Wheels.model_validate(document.data)
    ... except pydantic.ValidationError as error:
    ...     print(*schema_problems(document, error, Wheels))
    wheel.toml:1:1: inertia_kg_m2: expected Input should be a valid ... string as a number, found 'small'
    """
    from pydantic import ValidationError  # which is loaded where there is such an error

    expect("error", error, ValidationError, "an error of pydantic")
    expect("model", model, type, "a class of pydantic")
    merged: dict[tuple[str, str], Problem] = {}
    near = _near()
    errors = error.errors(include_url=False)
    for details in sorted(errors, key=lambda details: document.place(_path(document, model, details["loc"]))):
        problem = _problem(document, details, model, near)
        if problem is not None:
            other = merged.get((problem.key, problem.found))  # another branch of a union refused the same value
            expected = problem.expected if other is None else f"{other.expected} or {problem.expected}"
            merged[problem.key, problem.found] = replace(problem, expected=expected)
    return sorted(merged.values(), key=lambda problem: (problem.line, problem.column))


def is_misspelt(key: str, table: Iterable[str], valid: Collection[str]) -> bool:
    """Whether a missing key is in the table under a name that is reported as unknown, with `key` as the hint."""
    unknown = [other for other in table if other not in valid][:_MOST_MISSPELT]
    return any(nearest(other, [key]) and nearest(other, valid) == nearest(key, [key]) for other in unknown)


def _near() -> Near:
    """Return `nearest` for as many different mistakes as are told; a mistake that is made again has the same hint."""
    known: dict[tuple[str, frozenset[str]], str] = {}

    def near(name: str, valid: Iterable[str]) -> str:
        names = list(valid)
        asked = str(name), frozenset(names)
        if asked not in known and len(known) < MOST_SHOWN:
            known[asked] = nearest(name, names)
        return known.get(asked, "")

    return near


def _problem(document: TomlDocument, details: Any, model: type[BaseModel], near: Near) -> Problem | None:
    loc, kind, context = details["loc"], details["type"], details.get("ctx", {})
    path = _path(document, model, loc)
    if kind == "extra_forbidden":
        return _unknown_key(document, path, _keys_of(model, loc[:-1]), model, near)
    if kind == "missing":
        return _missing_key(document, loc, model)
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        return _wrong_tag(document, path, details, model, near)
    if kind == "refusal":
        path = (*path, context["field"]) if context["field"] else path
        return document.problem(path, context["expected"], context["found"], context["hint"])
    return _wrong_value(document, path, details, model)


def _missing_key(document: TomlDocument, loc: KeyPath, model: type[BaseModel]) -> Problem | None:
    """Return the problem, unless the key is there misspelt: one mistake, one message."""
    table = _path(document, model, loc[:-1])
    if is_misspelt(str(loc[-1]), _at(document.data, table), _keys_of(model, loc[:-1])):
        return None
    return document.problem((*table, loc[-1]), _description(model, loc) or "a value", "nothing")


def _wrong_tag(document: TomlDocument, path: KeyPath, details: Any, model: type[BaseModel], near: Near) -> Problem:
    """A table that says by one of its keys which kind it is, and does not say it, or says an unknown kind."""
    context = details["ctx"]
    key = context["discriminator"].strip("'")
    if "tag" in context:
        valid = [word.strip(" '") for word in context["expected_tags"].split(",")]
        found, hint = found_text(context["tag"]), near(context["tag"], valid)
        return document.problem((*path, key), f"one of {', '.join(valid)}", found, hint)
    match = near(key, set(details["input"]) - set(_keys_of(model, details["loc"])))
    expected = _description(model, (*details["loc"], key)) or "a value"
    return document.problem((*path, key), expected, "nothing", match.replace("did you mean", "is it there as"))


def _wrong_value(document: TomlDocument, path: KeyPath, details: Any, model: type[BaseModel]) -> Problem:
    loc, kind, value = details["loc"], details["type"], details["input"]
    context = {key: f"{bound:g}" if isinstance(bound, float) else bound for key, bound in details.get("ctx", {}).items()}
    if kind in _BOUNDS:
        expected = _BOUNDS[kind].format(**context)
    else:
        words = _TYPES.get(kind, details["msg"])
        if kind == "literal_error" and " or " not in context["expected"]:  # there is only one
            words = "{expected}"
        expected = _description(model, loc) or words.format(**context)
    found = f"{len(value)} entries" if kind in ("too_short", "too_long") else found_text(value)
    hint = ""
    if (
        kind == "list_type"
        and isinstance(value, dict)
        and any(_children(table, loc[-1]) for table in _models_at(model, loc[:-1]))
    ):
        hint = f"write [[{loc[-1]}]] with two brackets"
    return document.problem(path, expected, found, hint)


def _unknown_key(document: TomlDocument, path: KeyPath, valid: list[str], model: type[BaseModel], near: Near) -> Problem:
    key = str(path[-1])
    hint = near(key, valid)
    if not hint and len(path) > 1 and key in _keys_of(model, ()):
        hint = f"'{key}' belongs at the top of the file, above the first table"
    return document.problem(path, f"one of the keys {', '.join(likely_first(key, valid))}", f"the unknown key {key!r}", hint)


def found_text(value: Any) -> str:
    """Return a value of a file in few words.

    >>> found_text(True), found_text({"a": 1}), found_text("link 1")
    ('true', 'a table', "'link 1'")
    """
    if isinstance(value, dict):
        return "a table"
    text = str(value).lower() if isinstance(value, bool | float) else repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ..."


def _path(document: TomlDocument, model: type[BaseModel], loc: KeyPath) -> KeyPath:
    """Return `loc` without the steps that pydantic adds for the branches of a union."""
    data: Any = document.data
    path: KeyPath = ()
    models = [model]
    for step in loc:
        models, is_branch = _next_models(models, step)
        keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
        if not is_branch and step in keys:
            data = data[step]
            path = (*path, step)
    return path


def _at(data: Any, path: KeyPath) -> Any:
    for step in path:
        data = data[step]
    return data


def _keys_of(model: type[BaseModel], loc: KeyPath) -> list[str]:
    """Return the keys of the table at `loc`, as a file writes them."""
    keys: dict[str, None] = {}
    for table in _models_at(model, loc):
        keys |= {field.alias or name: None for name, field in table.model_fields.items()}
    return list(keys)


def _description(model: type[BaseModel], loc: KeyPath) -> str:
    for table in _models_at(model, loc[:-1]):
        for name, field in table.model_fields.items():
            if (field.alias or name) == loc[-1]:
                return field.description or ""
    return ""


def _models_at(model: type[BaseModel], loc: KeyPath) -> list[type[BaseModel]]:
    """Return the models that may describe the table at `loc`: several inside a union that no tag has narrowed."""
    models = [model]
    for step in loc:
        models, _ = _next_models(models, step)
    return models


def _next_models(models: list[type[BaseModel]], step: str | int) -> tuple[list[type[BaseModel]], bool]:
    """Return the models one step further, and whether the step is no key but chooses a branch of a union."""
    if isinstance(step, int):
        return models, False
    branch = [table for table in models if len(models) > 1 and _has_tag(table, step)]
    inner = [child for table in models for child in _children(table, step)]
    return branch or inner or models, bool(branch)


def _children(model: type[BaseModel], key: str) -> list[type[BaseModel]]:
    for name, field in model.model_fields.items():
        if (field.alias or name) == key:
            return list(_models_in(field.annotation))
    return []


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    from pydantic import BaseModel

    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def _has_tag(model: type[BaseModel], tag: str) -> bool:
    return any(tag in get_args(field.annotation) for field in model.model_fields.values())
