"""Print the oldest release that pyproject.toml declares of every package that running and testing needs, for pip's `-c`."""

import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
for line in [*project["dependencies"], *project["optional-dependencies"]["test"]]:
    requirement = Requirement(line)
    oldest = [part.version for part in requirement.specifier if part.operator == ">="]
    sys.stdout.write(f"{requirement.name}=={oldest[0]}\n")
