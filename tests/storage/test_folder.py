"""Folders: files are whole or not there, and nothing leads out, whatever lies in them."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from scmanip.errors import InvalidInput, ScmanipError, UnsafePath
from scmanip.storage import EntryKind, Folder, Manifest, _place, _stage, is_stage

ELSEWHERE = ("../x", "/etc/passwd", "a/../../x", "a//b", ".", "..", "", "a/.", "x\0y")
EVERY_WAY = {
    "read": lambda folder, name: folder.read(name),
    "digest": lambda folder, name: folder.digest(name),
    "write": lambda folder, name: folder.write({name: b"mine"}),
    "write_with": lambda folder, name: folder.write_with(name, lambda file: file.write(b"mine")),
    "remove": lambda folder, name: folder.remove(name),
    "lock": lambda folder, name: folder.lock(name).__enter__(),
}


@pytest.fixture(params=["handles", "paths"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go through the folder by handles, and by paths as where the operating system knows no handles of folders."""
    for module in (_place, _stage):
        monkeypatch.setattr(module, "WINDOWS", request.param == "paths")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a folder with a file that must stay as it is."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_bytes(b"precious")
    return tmp_path / "outside"


def contents(path: Path) -> dict[str, bytes]:
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()}


@pytest.mark.usefixtures("system")
def test_what_is_written_is_read_and_listed(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "new" / "deep")
    folder.write({"a.txt": b"one", "sub/b.txt": b"two", "sub/deeper/c": b""})
    folder.write_with("stream", lambda file: [file.write(b"x" * 1000) for _ in range(1000)])
    assert folder.read("sub/b.txt") == b"two"
    assert folder.digest("stream") == sha256(b"x" * 1_000_000).hexdigest()
    assert list(folder.files()) == ["a.txt", "stream", "sub/b.txt", "sub/deeper/c"]
    assert folder.names("sub") == ("sub/b.txt", "sub/deeper")
    assert folder.names("none") == ()
    assert [folder.kind(name) for name in ("a.txt", "sub", "none", "none/x")] == [
        EntryKind.FILE, EntryKind.FOLDER, EntryKind.NOTHING, EntryKind.NOTHING,
    ]  # fmt: skip


def test_files_are_made_with_the_permissions_of_the_user(tmp_path: Path) -> None:
    Folder(tmp_path).write({"a": b""})
    (tmp_path / "b").touch()
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_a_file_longer_than_expected_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1234")
    assert Folder(tmp_path).read("a", most=4) == b"1234"
    with pytest.raises(UnsafePath, match="expected a file of at most 3 bytes"):
        Folder(tmp_path).read("a", most=3)


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("name", ELSEWHERE)
@pytest.mark.parametrize("way", EVERY_WAY)
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, outside: Path, way: str, name: str) -> None:
    with pytest.raises(UnsafePath, match="expected a name inside it") as caught:
        EVERY_WAY[way](Folder(tmp_path / "f"), name)
    assert isinstance(caught.value, ScmanipError)
    assert contents(outside) == {"file": b"precious"}


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("way", EVERY_WAY)
def test_links_to_files_and_folders_are_refused_with_their_path(tmp_path: Path, outside: Path, way: str) -> None:
    inside = tmp_path / "f"
    inside.mkdir()
    (inside / "file").symlink_to(outside / "file")
    (inside / "dangling").symlink_to(outside / "not-there")
    (inside / "sub").symlink_to(outside)
    for name, link in (("file", "file"), ("dangling", "dangling"), ("sub/file", "sub"), ("sub/new", "sub")):
        with pytest.raises(UnsafePath) as caught:
            EVERY_WAY[way](Folder(inside), name)
        assert str(caught.value).startswith(f"'{inside / link}': expected a f")
        assert str(caught.value).endswith("found a link")
    assert contents(outside) == {"file": b"precious"}
    assert sorted(os.listdir(inside)) == ["dangling", "file", "sub"]


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("way", EVERY_WAY)
def test_pipes_and_folders_in_the_place_of_files_are_refused_and_nothing_waits_for_them(tmp_path: Path, way: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "sub").mkdir()
    (tmp_path / "file").touch()
    for name, found in (("pipe", "a device or pipe"), ("sub", "a folder"), ("file/x", "a file")):
        with pytest.raises(UnsafePath, match=f"found {found}"):
            EVERY_WAY[way](Folder(tmp_path), name)


def test_the_folder_itself_may_be_reached_through_a_link(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "link").symlink_to(outside)
    Folder(tmp_path / "link").write({"new": b"x"})
    assert contents(outside) == {"file": b"precious", "new": b"x"}


def test_a_lock_file_with_a_second_name_elsewhere_is_not_emptied(tmp_path: Path, outside: Path) -> None:
    (tmp_path / "f").mkdir()
    os.link(outside / "file", tmp_path / "f" / "lock")
    with pytest.raises(UnsafePath, match="other names"), Folder(tmp_path / "f").lock("lock"):
        pass
    assert contents(outside) == {"file": b"precious"}


def test_one_holds_the_lock_and_the_next_is_told_who(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    with (
        folder.lock("lock"),
        pytest.raises(InvalidInput, match=f"expected no other driver, found process {os.getpid()} on .* at work in it"),
        folder.lock("lock"),
    ):
        pass
    with folder.lock("lock"):
        pass


@pytest.mark.usefixtures("system")
def test_a_link_is_moved_and_not_followed(tmp_path: Path, outside: Path) -> None:
    inside = tmp_path / "f"
    inside.mkdir()
    (inside / "link").symlink_to(outside)
    Folder(inside).move("link", "aside/link")
    assert (inside / "aside" / "link").is_symlink()
    assert contents(outside) == {"file": b"precious"}


@pytest.mark.parametrize("call", ["write", "fsync"])
@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_disk_that_refuses_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, after: int
) -> None:
    folder = Folder(tmp_path)
    folder.write({"a": b"first", "sub/b": b"first"})
    real, calls = getattr(os, call), []

    def full(*args: object) -> object:
        calls.append(args)
        if len(calls) > after:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(*args)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.raises(OSError, match="No space left"):
            folder.write({"a": b"second", "sub/b": b"second", "c": b"second"})
    assert contents(tmp_path) == {"a": b"first", "sub/b": b"first"}


def test_a_file_that_grows_too_large_is_an_error_and_leaves_what_was_there(tmp_path: Path) -> None:
    """As on a full disk, by the limit that the operating system puts on files."""
    Folder(tmp_path).write({"a": b"first"})
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limit[1]))
    try:
        for write in (
            lambda: Folder(tmp_path).write({"b": b"x", "a": b"y" * 20_000}),
            lambda: Folder(tmp_path).write_with("a", lambda file: file.write(b"y" * 20_000)),
        ):
            with pytest.raises(OSError, match="File too large"):
                write()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, old)
    assert contents(tmp_path) == {"a": b"first"}


def test_every_file_is_on_the_disk_before_any_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    for call in ("fsync", "replace"):
        real = getattr(os, call)
        monkeypatch.setattr(os, call, lambda *a, call=call, real=real, **k: (calls.append(call), real(*a, **k))[1])
    Folder(tmp_path).write({"a": b"1", "b": b"2", "c": b"3"})
    assert calls == ["fsync"] * 3 + ["replace"] * 3 + ["fsync"]


KILLED = """
import os, signal, sys
from scmanip.storage import Folder
folder = Folder(sys.argv[1])
folder.write_with("a", lambda file: (file.write(b"half"), file.flush(), os.kill(os.getpid(), signal.SIGKILL)))
"""


@pytest.mark.usefixtures("system")
def test_what_a_killed_writer_left_is_removed_by_the_next_and_a_living_one_is_let_be(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.write({"a": b"first"})
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert done.returncode == -signal.SIGKILL
    left = [name for name in os.listdir(tmp_path) if is_stage(name)]
    assert len(left) == 1
    assert folder.read("a") == b"first"
    assert list(folder.files()) == ["a"]

    def while_another_writes(file) -> None:
        mine = [name for name in os.listdir(tmp_path) if is_stage(name)]
        assert len(mine) == 1
        assert mine != left
        Folder(tmp_path).write({"b": b"other"})
        assert [name for name in os.listdir(tmp_path) if is_stage(name)] == mine
        file.write(b"second")

    folder.write_with("a", while_another_writes)
    assert contents(tmp_path) == {"a": b"second", "b": b"other"}


def test_links_under_the_name_of_a_stage_are_not_followed(tmp_path: Path, outside: Path) -> None:
    inside = tmp_path / "f"
    inside.mkdir()
    (inside / ".scmanip-0123456789abcdef").symlink_to(outside / "file")
    (inside / ".scmanip-fedcba9876543210").symlink_to(outside)
    Folder(inside).write({"a": b"x"})
    assert contents(outside) == {"file": b"precious"}
    (inside / ".scmanip-00000000000000ff").touch()  # as a killed writer leaves it
    assert Manifest.found(Folder(inside), ["a"]).problems(Folder(inside)) == (
        "'.scmanip-0123456789abcdef': a link, not one of the files that were written",
        "'.scmanip-fedcba9876543210': a link, not one of the files that were written",
    )


@pytest.mark.usefixtures("system")
def test_files_that_are_replaced_by_others_go_when_those_are_there(tmp_path: Path, outside: Path) -> None:
    folder = Folder(tmp_path / "f")
    folder.write({"a": b"1", "sub/b": b"1"})
    folder.write({"a": b"2"}, instead_of=["a", "sub/b", "none"])
    assert contents(tmp_path / "f") == {"a": b"2"}
    (tmp_path / "f" / "link").symlink_to(outside / "file")
    for name in ("../outside/file", "link"):
        with pytest.raises(UnsafePath):
            folder.write({"a": b"3"}, instead_of=[name])
    assert contents(outside) == {"file": b"precious"}
    assert folder.read("a") == b"2"


@pytest.mark.usefixtures("system")
def test_a_manifest_tells_what_is_missing_changed_and_not_listed(tmp_path: Path, outside: Path) -> None:
    folder, files = Folder(tmp_path / "f"), {name: name.encode() for name in ("a", "b", "sub/c", "sub/d", "e", "g")}
    folder.write(files)
    manifest = Manifest.of(files)
    assert manifest == Manifest.found(folder, files)
    assert manifest.problems(folder) == ()
    (folder.path / "a").write_bytes(b"A")
    (folder.path / "b").unlink()
    (folder.path / "sub/c").unlink()
    (folder.path / "sub/c").symlink_to(outside / "file")
    (folder.path / "sub/new").touch()
    (folder.path / "e").unlink()
    os.mkfifo(folder.path / "e")
    (folder.path / "kept").mkdir()
    (folder.path / "kept" / "x").touch()
    (folder.path / os.fsdecode(b"\xff")).touch()
    assert manifest.problems(folder, besides=["kept/"]) == (
        "'a': not as it was written",
        "'b': missing",
        "'sub/c': a link",
        "'e': a device or pipe",
        "'sub/new': not one of the files that were written",
        "'\\udcff': not one of the files that were written",
    )
    assert len(manifest.problems(folder)) == 7


def test_no_single_changed_byte_escapes_a_manifest(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.write({"a": bytes(range(64))})
    manifest = Manifest.found(folder, ["a"])
    for place in range(64):
        data = bytearray(range(64))
        data[place] ^= 1 << place % 8
        (tmp_path / "a").write_bytes(data)
        assert manifest.problems(folder) == ("'a': not as it was written",)
