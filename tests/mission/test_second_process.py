"""A mission that another process has flown is flown without recording anything."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from scmanip.mission import load_mission
from scmanip.symbolic import _record

really, steps = _record._recorded, []

def counted(*given):
    program = really(*given)
    steps.append(len(program.steps))
    return program

_record._recorded = counted
run = load_mission(sys.argv[1]).run()
print(len(steps), sum(steps), run.history.states.x.tobytes().hex()[-400:], run.summary())
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["planar_four_link", "capture_of_a_held_client"])
def test_a_second_process_records_nothing_and_says_the_same(tmp_path, name):
    environment = {**os.environ, "SCMANIP_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", SCRIPT, str(ROOT / "missions" / f"{name}.toml")]

    def said() -> list[str]:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.split(" ", 2)

    first, again = said(), said()
    assert int(first[0]) > 5
    assert again[0] == "0", f"{again[0]} programs of {again[1]} steps were recorded"
    assert again[2] == first[2]
