"""The tables and keys of a study file, `scmanip.study/1`. Importing this file loads pydantic: do it late."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, FiniteFloat

from ..system import visible

SCHEMA = "scmanip.study/1"

Name = Annotated[str, Field(min_length=1, description="a text that is not empty"), AfterValidator(visible)]
Count = Annotated[int, Field(ge=1, description="a whole number of 1 or more")]
Share = Annotated[FiniteFloat, Field(gt=0, lt=1, description="a number between 0 and 1")]
Entries = Annotated[dict[str, Any], Field(description="a table")]


class StudyFileTable(BaseModel):
    """A table that takes the listed keys, of exactly the listed types, and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class FullFactorialTable(StudyFileTable):
    """`sampling = { type = "full_factorial" }`."""

    type: Literal["full_factorial"]


class LatinHypercubeTable(StudyFileTable):
    """`sampling = { type = "latin_hypercube", count = 100 }`."""

    type: Literal["latin_hypercube"]
    count: Count


class SobolTable(StudyFileTable):
    """`sampling = { type = "sobol", count = 256 }`."""

    type: Literal["sobol"]
    count: Count


class CorrelatedTable(StudyFileTable):
    """`[[correlated]]`."""

    paths: list[Name] = Field(min_length=2, description="a list of two paths of dispersions or more")
    matrix: list[list[FiniteFloat]] = Field(description="a square list of lists of numbers")


class LimitTable(StudyFileTable):
    """`base_rotation_deg = { max = 5.0, unit = "deg" }` in `[limits]`."""

    min: FiniteFloat | None = Field(default=None, description="a finite number")
    max: FiniteFloat | None = Field(default=None, description="a finite number")
    unit: Name | None = None
    probability: Share | None = None
    confidence: Share = 0.9


class WorstTable(StudyFileTable):
    """`worst = { metric = "base_rotation_deg", count = 5 }` in `[keep]`."""

    metric: Name
    count: Count
    lowest: bool = False


class KeepTable(StudyFileTable):
    """`[keep]`."""

    nominal: bool = True
    worst: WorstTable | None = Field(default=None, description="a table { metric = name, count = number }")
    failed: bool = False


class NarrowTable(StudyFileTable):
    """`[stop]` with `type = "narrow"`."""

    type: Literal["narrow"]
    of: Name
    half_width: Annotated[FiniteFloat, Field(gt=0, description="a number > 0")]
    unit: Name
    confidence: Share = 0.9
    at_least: Count = 100


class DecidedTable(StudyFileTable):
    """`[stop]` with `type = "decided"`."""

    type: Literal["decided"]
    probability: Share
    confidence: Share = 0.9
    failures: Annotated[int, Field(ge=0, description="a whole number of 0 or more")] = 0


class StudyOutputTable(StudyFileTable):
    """`[output]`."""

    folder: Name | None = None
    output_step_s: Annotated[FiniteFloat, Field(gt=0)] | None = Field(default=None, description="a number > 0")


class StudyFile(StudyFileTable):
    """A whole study file. What the tables of paths and of metrics hold is read by `_load`."""

    schema_: Literal["scmanip.study/1"] = Field(alias="schema", description=f"'{SCHEMA}'")
    name: Name
    title: str = ""
    mission: Name = Field(description="the path of a mission file")
    seed: Annotated[int, Field(ge=0)] = Field(description="a whole number of 0 or more")
    repeats: Count = 1
    sampling: Annotated[FullFactorialTable | LatinHypercubeTable | SobolTable, Field(discriminator="type")] = Field(
        default=FullFactorialTable(type="full_factorial"), description='a table such as { type = "sobol", count = 256 }'
    )
    design: Entries = Field(default_factory=dict, description="a [design] table")
    dispersion: Entries = Field(default_factory=dict, description="a [dispersion] table")
    correlated: list[CorrelatedTable] = Field(default_factory=list, description="[[correlated]] tables")
    metrics: dict[str, Name] = Field(description="a [metrics] table of name = expression")
    limits: dict[str, LimitTable] = Field(default_factory=dict, description="a [limits] table")
    keep: KeepTable = KeepTable()
    stop: Annotated[NarrowTable | DecidedTable, Field(discriminator="type")] | None = Field(
        default=None, description='a table with type = "narrow" or "decided"'
    )
    output: StudyOutputTable = StudyOutputTable()
