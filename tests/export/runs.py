"""Exported code, run by the tools of its language on many states."""

import ctypes
import importlib.util
import shutil
import subprocess
import sys

import numpy as np
import pytest

C_FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")


def tool(*names):
    """Return where a tool lies; a test says so where there is none."""
    for name in names:
        if shutil.which(name):
            return shutil.which(name)
    pytest.skip(f"no {names[0]} on this machine")


def said(command, folder, **options):
    """Return what a command prints; fails with what it says where it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def c(code, program, inputs, folder, flags=("-O2",)):
    """Compile C without a warning, and call it on every state."""
    library = f"{code.name}.so"
    said([tool("gcc", "cc"), *C_FLAGS, *flags, "-shared", "-fPIC", f"{code.name}.c", "-o", library, "-lm"], folder)
    function = getattr(ctypes.CDLL(str(folder / library)), code.name)
    function.restype = None
    count = len(inputs[0])
    outputs = [np.empty((count, *o.shape)) for o in program.outputs]
    for k in range(count):
        given = [ctypes.c_double(a[k]) if a.ndim == 1 else np.ascontiguousarray(a[k]).ctypes for a in inputs]
        function(*given, *(a[k : k + 1].ctypes for a in outputs))
    return outputs


def c_self_test(code, folder, flags=("-O2",)):
    """Compile the self-test without a warning, and return what it prints."""
    files = [name for name in code.files if name.endswith(".c")]
    said([tool("gcc", "cc"), *C_FLAGS, *flags, *files, "-o", f"{code.name}_test", "-lm"], folder)
    return said([folder / f"{code.name}_test"], folder)


def self_test(language, code, folder):
    """Run the self-test of a language, and return what it prints."""
    if language == "c":
        return c_self_test(code, folder)
    if language == "python":
        return said([sys.executable, f"{code.name}_test.py"], folder)
    if language == "matlab":
        octave = tool("octave-cli", "octave")
        return said([octave, "--no-gui", "--no-init-file", "--quiet", "--eval", f"{code.name}_test"], folder)
    said([tool("rustc"), "--edition", "2021", "-D", "warnings", f"{code.name}_test.rs", "-o", "tested"], folder)
    return said([folder / "tested"], folder)


def python(code, program, inputs, folder):
    """Call Python once for all states."""
    spec = importlib.util.spec_from_file_location(code.name, folder / f"{code.name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = getattr(module, code.name)(*inputs)
    return list(found) if isinstance(found, tuple) else [found]


def octave(code, program, inputs, folder):
    """Have Octave call the function on every state."""
    octave = tool("octave-cli", "octave")
    np.savetxt(folder / "given.txt", np.column_stack([a.reshape(len(a), -1) for a in inputs]), fmt="%.17g")
    takes, first = [], 1
    for item in program.inputs:
        sizes = ", ".join(map(str, (*item.shape[::-1], 1, 1)[: max(2, len(item.shape))]))
        takes.append(f"permute(reshape(given(k, {first}:{first + item.size - 1}), {sizes}), [{turned(item.shape)}])")
        first += item.size
    names = [f"out{n}" for n in range(len(program.outputs))]
    shown = [
        f"fprintf('%.17g\\n', permute({name}, [{turned(output.shape)}]));"
        for name, output in zip(names, program.outputs, strict=True)
    ]
    script = [
        "given = load('given.txt');",
        "for k = 1:rows(given)",
        f"[{', '.join(names)}] = {code.name}({', '.join(takes)});",
        *shown,
        "end",
    ]
    (folder / "call_it.m").write_text("\n".join(script), encoding="utf-8")
    text = said([octave, "--no-gui", "--no-init-file", "--quiet", "call_it.m"], folder)
    return parted(text, program, len(inputs[0]))


def turned(shape):
    """Return the axes by which Octave, where the first index runs fastest, has an array in C order."""
    return ", ".join(map(str, range(len(shape), 0, -1))) if len(shape) > 1 else "1, 2"


def rust(code, program, inputs, folder):
    """Compile Rust without a warning, and have it call the function on every state."""
    lines, taken, first = [], [], 0
    for k, item in enumerate(program.inputs):
        row = f"row[{first}..{first + item.size}]"
        lines.append(
            f"let in{k} = <[f64; {item.size}]>::try_from(&{row}).unwrap();" if item.shape else f"let in{k} = row[{first}];"
        )
        taken.append(f"&in{k}" if item.shape else f"in{k}")
        first += item.size
    for k, output in enumerate(program.outputs):
        lines.append(f"let mut out{k} = {f'[0.0_f64; {len(output.values)}]' if output.shape else '0.0_f64'};")
        taken.append(f"&mut out{k}")
    shown = [
        f'for x in {f"out{k}" if o.shape else f"[out{k}]"} {{ println!("{{:e}}", x); }}' for k, o in enumerate(program.outputs)
    ]
    main = f"""\
use std::convert::TryFrom;
use std::io::BufRead;
#[path = "{code.name}.rs"]
mod exported;
fn main() {{
    for line in std::io::stdin().lock().lines() {{
        let row: Vec<f64> = line.unwrap().split_whitespace().map(|x| x.parse().unwrap()).collect();
        {" ".join(lines)}
        exported::{code.name}({", ".join(taken)});
        {" ".join(shown)}
    }}
}}
"""
    (folder / "main.rs").write_text(main, encoding="utf-8")
    said([tool("rustc"), "--edition", "2021", "-D", "warnings", "-C", "opt-level=1", "main.rs", "-o", "main"], folder)
    rows = np.column_stack([a.reshape(len(a), -1) for a in inputs])
    text = "\n".join(" ".join(map(repr, row)) for row in rows.tolist())
    return parted(said([folder / "main"], folder, input=text), program, len(rows))


def parted(text, program, count):
    """Return printed numbers as one array (count, *shape) per output."""
    rows = np.array(text.split(), dtype=float).reshape(count, -1)
    ends = np.cumsum([len(o.values) for o in program.outputs])
    return [part.reshape(count, *o.shape) for part, o in zip(np.split(rows, ends[:-1], axis=1), program.outputs, strict=True)]


RUN = {"c": c, "matlab": octave, "python": python, "rust": rust}
