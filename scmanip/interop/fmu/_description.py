"""The file that describes a unit to whoever imports it, in versions 2.0 and 3.0 of the interface."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ._variables import Variable

BASE = {
    "1": {},
    "m": {"m": 1},
    "kg": {"kg": 1},
    "s": {"s": 1},
    "rad": {"rad": 1},
    "N": {"kg": 1, "m": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
}


def description(
    version: int,
    variables: Sequence[Variable],
    sources: Iterable[str],
    *,
    identifier: str,
    name: str,
    words: str,
    token: str,
    tool: str,
    t_end_s: float,
    step_s: float,
) -> bytes:
    """Return `modelDescription.xml`.

    version : 2 or 3
    sources : names of the files that are compiled
    """
    root = Element("fmiModelDescription", fmiVersion=f"{version}.0", modelName=name)
    root.set("guid" if version == 2 else "instantiationToken", token)
    root.set("description", words)
    root.set("generationTool", tool)
    root.set("variableNamingConvention", "flat")
    able = {"canHandleVariableCommunicationStepSize": "true"}
    state = "state" if version == 2 else "State"
    able |= {f"canGetAndSetFMU{state}": "true", f"canSerializeFMU{state}": "true"}
    simulated = Element("CoSimulation", {"modelIdentifier": identifier, **able})
    if version == 2:
        files = SubElement(simulated, "SourceFiles")
        for file in sources:
            SubElement(files, "File", name=file)
    root.append(simulated)
    root.append(_units({variable.unit for variable in variables if variable.unit}))
    SubElement(SubElement(root, "LogCategories"), "Category", name="logStatusError")
    SubElement(root, "DefaultExperiment", startTime="0.0", stopTime=repr(float(t_end_s)), stepSize=repr(float(step_s)))
    listed = SubElement(root, "ModelVariables")
    listed.extend(_variable(version, variable) for variable in variables)
    root.append(_structure(version, [variable for variable in variables if variable.causality == "output"]))
    indent(root)
    return tostring(root, "UTF-8", xml_declaration=True)


def build_description(identifier: str, sources: Iterable[str]) -> bytes:
    """Return `buildDescription.xml`, which says how the sources of a unit of version 3.0 are compiled."""
    root = Element("fmiBuildDescription", fmiVersion="3.0")
    files = SubElement(SubElement(root, "BuildConfiguration", modelIdentifier=identifier), "SourceFileSet", language="C99")
    for file in sources:
        SubElement(files, "SourceFile", name=file)
    indent(root)
    return tostring(root, "UTF-8", xml_declaration=True)


def _units(names: Iterable[str]) -> Element:
    definitions = Element("UnitDefinitions")
    for name in sorted(names):
        unit = SubElement(definitions, "Unit", name=name)
        exponents = _exponents(name)
        if exponents is not None:
            SubElement(unit, "BaseUnit", {base: str(power) for base, power in exponents.items() if power})
    return definitions


def _exponents(unit: str) -> dict[str, int] | None:
    """Return what a unit such as "N m/s" is in those of the SI; None where it is not known."""
    total: Counter[str] = Counter()
    for sign, part in zip((1, -1), unit.split("/"), strict=False):
        for word in part.split():
            if word not in BASE:
                return None
            for base, power in BASE[word].items():
                total[base] += sign * power
    return dict(total)


def _variable(version: int, variable: Variable) -> Element:
    continuous = "tunable" if variable.causality == "parameter" else "continuous"
    about = {"name": variable.name, "valueReference": str(variable.number), "causality": variable.causality}
    about |= {"variability": continuous}
    about |= {"description": variable.meaning} if variable.meaning else {}
    about |= {"initial": "calculated"} if variable.causality == "output" else {}
    value = {"unit": variable.unit} if variable.unit else {}
    value |= {} if variable.start is None else {"start": repr(variable.start)}
    if version == 3:
        return Element("Float64", about | value)
    scalar = Element("ScalarVariable", about)
    SubElement(scalar, "Real", value)
    return scalar


def _structure(version: int, outputs: Sequence[Variable]) -> Element:
    structure = Element("ModelStructure")
    if version == 3:
        for kind in ("Output", "InitialUnknown"):
            for variable in outputs:
                SubElement(structure, kind, valueReference=str(variable.number))
        return structure
    for kind in ("Outputs", "InitialUnknowns"):
        unknowns = SubElement(structure, kind)
        for variable in outputs:
            SubElement(unknowns, "Unknown", index=str(variable.number + 1))
    return structure
