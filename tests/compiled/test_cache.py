"""The cache gives back what was kept, or nothing."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scmanip.compiled import Cache, compile_program
from scmanip.compiled.kernel import _host, _objects
from scmanip.compiled.kernel._cache import standard_folder
from scmanip.errors import CacheWarning

from .programs import doubling, one_function, random_program

ROOT = Path(__file__).parents[2]


def _entries(cache):
    return sorted(cache.folder.glob("*.o"))


def _key(program, **changes):
    return _objects.cache_key(replace(_host.host(), **changes), "one", program.digest)


def _result(compiled):
    twice, total = np.empty(3), np.empty(2)
    compiled(np.array([1.0, 2.0, 3.0]), np.array(10.0), twice, total)
    return [*twice, *total]


@pytest.fixture
def compilations(monkeypatch):
    """The IR texts that were compiled since the test began."""
    texts = []
    original = _host.Host.object_code

    def counting(self, source):
        texts.append(source)
        return original(self, source)

    monkeypatch.setattr(_host.Host, "object_code", counting)
    return texts


def test_the_second_time_nothing_is_compiled(cache, compilations):
    first = compile_program(doubling(), cache=cache)
    first.batch(np.ones((9, 3)), np.array(1.0), np.empty((9, 3)), np.empty((9, 2)))
    count = len(compilations)
    again = compile_program(doubling(), cache=cache)
    again.batch(np.ones((9, 3)), np.array(1.0), np.empty((9, 3)), np.empty((9, 2)))
    assert count >= 2
    assert len(compilations) == count
    assert again.evaluator.one_object == first.evaluator.one_object
    assert _result(again) == [2, 4, 6, 11, 10]


def _flip(content, place):
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


DAMAGE = {
    "a bit in the first line": lambda c: _flip(c, 3),
    "a bit in the key": lambda c: _flip(c, 40),
    "a bit in the digest": lambda c: _flip(c, 120),
    "a bit in the code": lambda c: _flip(c, len(c) // 2),
    "the last byte": lambda c: _flip(c, len(c) - 1),
    "half": lambda c: c[: len(c) // 2],
    "all but the header": lambda c: c[:145],
    "everything": lambda c: b"",
    "one byte more": lambda c: c + b"\0",
    "text": lambda c: b"import os\n" * 40,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_entry_is_made_again(cache, compilations, damage):
    compile_program(doubling(), cache=cache)
    path = cache.path(_key(doubling()))
    whole = path.read_bytes()
    path.write_bytes(DAMAGE[damage](whole))
    assert cache.read(path.stem) is None
    count = len(compilations)
    assert _result(compile_program(doubling(), cache=cache)) == [2, 4, 6, 11, 10]
    assert len(compilations) == count + 1
    assert path.read_bytes() == whole


def test_an_entry_under_another_name_is_not_believed(cache):
    compile_program(doubling(), cache=cache)
    compile_program(one_function("exp"), cache=cache)
    mine, other = cache.path(_key(doubling())), cache.path(_key(one_function("exp")))
    mine.write_bytes(other.read_bytes())
    assert _result(compile_program(doubling(), cache=cache)) == [2, 4, 6, 11, 10]


@pytest.mark.parametrize(
    "change", [{"cpu": "other"}, {"features": "+other"}, {"versions": "LLVM 99"}, {"triple": "riscv64-unknown-linux-gnu"}]
)
def test_code_for_another_machine_has_another_key(change):
    assert _key(doubling(), **change) != _key(doubling())


def test_another_program_or_generator_has_another_key(monkeypatch):
    before = _key(doubling())
    assert _key(one_function("sin")) != before
    monkeypatch.setattr(_objects, "generator", lambda: "newer")
    assert _key(doubling()) != before


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path):
    blocked = tmp_path / "a file"
    blocked.write_text("in the way")
    assert _result(compile_program(doubling(), cache=Cache(blocked / "objects"))) == [2, 4, 6, 11, 10]
    assert blocked.read_text() == "in the way"


def test_an_entry_that_cannot_be_read_is_made_again(cache):
    compile_program(doubling(), cache=cache)
    path = cache.path(_key(doubling()))
    path.unlink()
    path.mkdir()
    assert _result(compile_program(doubling(), cache=cache)) == [2, 4, 6, 11, 10]
    assert not list(cache.folder.glob(".writing-*"))


def test_the_folder_is_the_chosen_one_or_the_platforms(monkeypatch, tmp_path):
    monkeypatch.setenv("SCMANIP_CACHE", str(tmp_path / "chosen"))
    assert standard_folder() == tmp_path / "chosen"
    monkeypatch.delenv("SCMANIP_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert standard_folder() == tmp_path / "scmanip"


def test_no_cache_writes_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv("SCMANIP_CACHE", str(tmp_path))
    compile_program(doubling(), cache=None)
    assert list(tmp_path.iterdir()) == []


SCRIPT = """
import hashlib, sys
import numpy as np
from pathlib import Path
from scmanip.compiled import Cache, compile_program
from tests.compiled.programs import doubling, random_program
cache = Cache(Path(sys.argv[1])) if len(sys.argv) > 1 else None
c = compile_program(random_program(3), cache=cache)
e = c.evaluator
parts = e.one_source().encode(), e.one_object, e.many_source().encode(), e.many_object
twice, total = np.empty(3), np.empty(2)
compile_program(doubling(), cache=cache)(np.ones(3), np.array(1.0), twice, total)
assert total.tolist() == [2.0, 1.0]
sys.stdout.write(" ".join(hashlib.sha256(p).hexdigest() for p in parts))
"""


def _start(seed, *arguments):
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-c", SCRIPT, *arguments]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _output(process):
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


@pytest.mark.slow
def test_text_and_machine_code_are_the_same_whatever_the_hash_seed():
    outputs = {_output(_start(seed)) for seed in (0, 1, 4242)}
    assert len(outputs) == 1


@pytest.mark.slow
def test_two_processes_that_write_at_once_both_succeed(cache):
    outputs = {_output(process) for process in [_start(seed, str(cache.folder)) for seed in (1, 2)]}
    assert len(outputs) == 1
    assert _entries(cache)
    assert all(cache.read(path.stem) is not None for path in _entries(cache))
    assert not list(cache.folder.glob(".writing-*"))


def test_cached_code_holds_no_address_of_this_process(cache):
    code = compile_program(random_program(3), cache=cache).evaluator.one_object
    for thing in (np.ndarray, None, np.dtype(np.float64)):
        assert id(thing).to_bytes(8, "little") not in code


def _given_away(monkeypatch, path):
    """Have a path belong to someone else."""
    if os.getuid() == 0:
        os.chown(path, 12345, -1)
        return
    original, inode = os.fstat, path.stat().st_ino

    def fstat(handle):
        status = original(handle)
        return os.stat_result((*status[:4], 12345, *status[5:])) if status.st_ino == inode else status

    monkeypatch.setattr(os, "fstat", fstat)


OTHERS = {
    "a folder of another user": lambda m, folder, file: _given_away(m, folder),
    "a file of another user": lambda m, folder, file: _given_away(m, file),
    "a folder that a group may write to": lambda m, folder, file: folder.chmod(0o770),
    "a folder that all may write to": lambda m, folder, file: folder.chmod(0o1777),
    "a file that a group may write to": lambda m, folder, file: file.chmod(0o660),
    "a file that all may write to": lambda m, folder, file: file.chmod(0o606),
}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such rights")
@pytest.mark.parametrize("change", OTHERS.values(), ids=OTHERS.keys())
def test_code_that_others_may_have_written_is_not_run(cache, compilations, monkeypatch, change):
    compile_program(doubling(), cache=cache)
    key = _key(doubling())
    change(monkeypatch, cache.folder, cache.path(key))
    count = len(compilations)
    with pytest.warns(CacheWarning, match="is not used: (it belongs to another user|others may write to it)") as told:
        assert cache.read(key) is None
        assert cache.read(key) is None
        assert _result(compile_program(doubling(), cache=cache)) == [2, 4, 6, 11, 10]
    assert len(told) == 1
    assert len(compilations) > count


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such rights")
def test_nothing_is_kept_in_a_folder_of_someone_else(cache, monkeypatch):
    cache.folder.mkdir()
    cache.folder.chmod(0o777)
    with pytest.warns(CacheWarning, match="others may write to it"):
        compile_program(doubling(), cache=cache)
    assert list(cache.folder.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such rights")
def test_a_link_in_the_place_of_an_entry_is_not_followed(cache, compilations, tmp_path):
    compile_program(doubling(), cache=cache)
    path = cache.path(_key(doubling()))
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert cache.read(path.stem) is None


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such rights")
def test_a_folder_that_is_made_is_the_users_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("SCMANIP_CACHE", str(tmp_path / "new"))
    before = os.umask(0)
    try:
        compile_program(doubling())
    finally:
        os.umask(before)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in (tmp_path / "new").iterdir())
    assert list((tmp_path / "new").iterdir())
