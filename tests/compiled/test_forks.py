"""A process that is forked while another thread records or compiles can do both itself."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# The child is on its own: whatever lock the other thread holds at the fork, nobody opens in the child.
SCRIPT = """
import os, signal, sys, threading, time
import numpy as np
import scmanip
from scmanip.compiled import compile_program, order_program
from scmanip.dynamics.programs import _programs
from tests.compiled.programs import doubling
from tests.compiled.test_ahead import product

model = scmanip.compile_model(scmanip.load_system("model:planar_four_link"))
state = scmanip.State.at_rest(model.system, np.zeros(model.layout.n_q))
begun = threading.Event()

def slowly(original):
    def call(*given, **options):
        begun.set()
        time.sleep(0.3)
        return original(*given, **options)
    return call

def busy():
    {busy}

thread = threading.Thread(target=busy)
thread.start()
begun.wait()
child = os.fork()
if child == 0:
    signal.alarm(20)  # what is stuck ends
    twice, total = np.empty(3), np.empty(2)
    compile_program(doubling(), cache=None)(np.ones(3), np.array(1.0), twice, total)
    good = total.tolist() == [2.0, 1.0] and np.isfinite(model.H(state)).all()
    os._exit(0 if good else 3)
thread.join()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
BUSY = {
    "a quantity of the same model": "_programs.compile_program = slowly(_programs.compile_program); model.H(state)",
    "machine code ahead": "[order_program(product(k), many=True, cache=None) or begun.set() for k in range(40)]",
    "machine code": "begun.set(); [compile_program(doubling(), cache=None) for _ in range(40)]",
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork here")
@pytest.mark.parametrize("busy", BUSY.values(), ids=BUSY.keys())
def test_a_child_of_a_fork_during_a_compilation_compiles(busy):
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT.format(busy=busy)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.strip() == "0", done.stdout + done.stderr
