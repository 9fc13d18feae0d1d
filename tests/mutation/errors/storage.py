"""Errors in files and folders."""

from ..planted import Planted

ERRORS = (
    Planted(
        "a file of just the largest size is refused",
        "storage/_folder.py",
        "if most is not None and len(data) > most:",
        "if most is not None and len(data) >= most:",
    ),
    Planted("a file that is too long is cut", "storage/_folder.py", "file.read(most + 1)", "file.read(most)"),
    Planted("files in folders below are not listed", "storage/_folder.py", "yield from self.files(name)", "pass"),
    Planted(
        "files that are being written are listed",
        "storage/_folder.py",
        "elif not (is_stage(name) and kind is EntryKind.FILE):",
        "else:",
    ),
    Planted(
        "files that are replaced go before the new ones are there",
        "storage/_folder.py",
        "for old in () if left else outdated:",
        "for old in outdated if left else ():",
    ),
    Planted(
        "a lock file with another name is emptied",
        "storage/_folder.py",
        "os.fstat(target).st_nlink > 1",
        "os.fstat(target).st_nlink > 2",
    ),
    Planted(
        "a file that was not listed is no problem",
        "storage/_manifest.py",
        "if name not in self.digests and not let:",
        "if name in self.digests and not let:",
    ),
    Planted("a file that is missing is no problem", "storage/_manifest.py", 'return "missing"', 'return ""'),
    Planted(
        "a changed file is as it was written",
        "storage/_manifest.py",
        "if folder.digest(name) == digest else",
        "if len(folder.digest(name)) == len(digest) else",
    ),
    Planted(
        "a link is what it leads to",
        "storage/_place.py",
        "dir_fd=self.folder, follow_symlinks=False",
        "dir_fd=self.folder, follow_symlinks=True",
    ),
    Planted("a name may lead out of its folder", "storage/_place.py", 'part in ("", ".", "..")', 'part in ("", ".")'),
    Planted(
        "a pipe in the place of a file is opened",
        "storage/_place.py",
        "        self.expect(EntryKind.FILE)\n"
        "        target = os.open(self.leaf, flags | _HERE, 0o666, dir_fd=self.folder)\n"
        "        if stat.S_ISREG(os.fstat(target).st_mode):",
        "        target = os.open(self.leaf, flags | _HERE, 0o666, dir_fd=self.folder)\n"
        "        if not stat.S_ISDIR(os.fstat(target).st_mode):",
    ),
)
