"""Recordings of sessions: what one began with and what was done to it, of which it is flown again."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...compiled import releases
from ...errors import InvalidInput, Problem, ScmanipError, checked, refuse, takes
from ...mission import MISSION, Mission, NamedSystems, Source, mission_of, stored
from ...spatial import Array
from ...storage import Folder
from ...system import System, TomlDocument
from ..coupling._gains import Firmness, Gains
from ..devices._kinds import DEVICES
from ..displays._kinds import DISPLAYS
from ._acts import ACTS, Act
from ._of_files import session_of_mission, session_of_system
from ._session import Session

SCHEMA = "scmanip.live/1"
SYSTEM = "system.toml"
_SETTINGS = ("frame", "display", "device", "firmness", "step_s", "every")
_TABLE, _LIST = (dict, "a table"), (list, "a list")
_KEYS: dict[str, tuple[type, str]] = {
    "files": _TABLE,
    "begun": _TABLE,
    "steps": (int, "a whole number"),
    "acts": _LIST,
    "y": _LIST,
}


@dataclass(frozen=True, eq=False)
class Recording:
    """A session as a file: the texts it began with, its settings, and what was done before which of its steps.

    Equal inputs give equal bits, so that it is flown again, on another processor or with other releases to rounding.

    files : texts of a system, or of a mission and its systems, by name; q : (n_q,) [rad or m] where joints of a system begin
    begun : settings of the `Session` by name
    steps : that were tried; acts : what was done, in order; y : (n,) in SI, the vector of the run at its end
    made : releases by which it was flown

    >>> session = session_of_system(system)
    >>> for _ in range(20):
    ...     taken = session.step()
    ...
    >>> session.then("held joints")
    >>> path = Recording.of(session).save("pulled.json")
    >>> again = Recording.load(path)
    >>> flown = again.flown()
    >>> flown.way, round(flown.t, 3), again.apart(flown), flown.history().outcome.name
    ('held joints', 0.02, 0.0, 'COMPLETED')
    """

    files: Mapping[str, str]
    q: Sequence[float] | None
    begun: Mapping[str, Any]
    steps: int
    acts: tuple[Act, ...]
    y: Array
    made: Mapping[str, str]

    @classmethod
    def of(cls, session: Session) -> Recording:
        """Return that of a session until now; raises `InvalidInput` for one that was made of no file, system or mission."""
        begun = {**session.begun, "step_s": session.step_s, "every": session.every}
        files, q = _files(session.origin), session.state0.q.tolist() if isinstance(session.origin, System) else None
        return cls(files, q, begun, session.tries, tuple(session.acts), session.flight.loop.y.copy(), releases())

    def session(self) -> Session:
        """Return the session as it began."""
        settings = {name: _again(_plain(value)) for name, value in self.begun.items()}
        if MISSION not in self.files:
            return session_of_system(_system(self.files, SYSTEM), np.array(self.q), **settings)
        known = {name: Source(name, self.files[name], _system(self.files, name)) for name in self.files if name != MISSION}
        mission = mission_of(TomlDocument.parse(self.files[MISSION], MISSION), NamedSystems(None, known=known))
        return session_of_mission(mission, **settings)[0]

    def flown(self) -> Session:
        """Return the session flown again until its end; its `history()` is that of a run like any other."""
        live = self.session()
        for step, name, given in self.acts:
            _to(live, step)
            with suppress(ScmanipError):  # what was refused is refused again
                getattr(live, name)(*map(_again, map(_plain, given)))
        return _to(live, self.steps)

    def apart(self, flown: Session) -> float:
        """Return by how much one that was flown again ends elsewhere, in SI; 0 where it is the same to the last bit."""
        y = flown.flight.loop.y
        return float(np.abs(y - self.y).max()) if y.shape == self.y.shape else np.inf

    @property
    def text(self) -> str:
        """It as JSON; raises `InvalidInput` for what no file can say, such as a law or a device of one's own."""
        expected = f"one of {', '.join(ACTS)}, which a file can say"
        refuse([Problem("act", expected, repr(name)) for _, name, _ in self.acts if name not in ACTS])
        acts = [[step, name, [_plain(each) for each in given]] for step, name, given in self.acts]
        begun = {name: _plain(value) for name, value in self.begun.items()}
        told = {"files": dict(self.files), "q": self.q, "begun": begun, "steps": self.steps, "acts": acts}
        return json.dumps({"schema": SCHEMA, **told, "y": self.y.tolist(), "made": dict(self.made)})

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it as JSON and return where; raises as `text`."""
        written = Path(path)
        Folder(written.parent).write({written.name: self.text.encode()})
        return written

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Recording:
        """Read what `save` wrote; raises `InvalidInput` for what is none."""
        file = os.fspath(path)
        try:
            told = json.loads(Path(path).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise InvalidInput(Problem("recording", f"a file of schema {SCHEMA!r}", str(error), file=file)) from None
        if not isinstance(told, dict) or told.get("schema") != SCHEMA:
            found = repr(told.get("schema")) if isinstance(told, dict) else "no table"
            raise InvalidInput(Problem("schema", repr(SCHEMA), found, file=file))
        refuse(_problems(told, file))
        acts = tuple(Act(step, name, tuple(given)) for step, name, given in told["acts"])
        y = np.array(told["y"], dtype=float)
        return cls(told["files"], told.get("q"), told["begun"], told["steps"], acts, y, told.get("made", {}))


@checked
def is_recording(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like a recording of a session: by its name, which ends in .json.

    >>> is_recording("pulled.json"), is_recording("arm.toml")
    (True, False)
    """
    return os.fspath(path).lower().endswith(".json")


def _files(origin: System | Mission | None) -> dict[str, str]:
    if origin is None:
        expected = "a session of session_of_system or session_of_mission"
        raise InvalidInput(Problem("recording", expected, "one with ways of its own"))
    if isinstance(origin, System):
        return {SYSTEM: origin.to_toml()}
    if origin.own:
        raise InvalidInput(Problem("recording", "a mission that files say", f"objects of Python: {', '.join(origin.own)}"))
    return {name: data.decode() for name, data in stored(origin).items()}


def _system(files: Mapping[str, str], name: str) -> System:
    return System.from_toml_text(files[name], file=name)


def _to(live: Session, tries: int) -> Session:
    while live.tries < tries:
        live.step()
    return live


def _kinds() -> dict[str, type[Any]]:
    found = (Firmness, Gains, *DISPLAYS.sound.values(), *DEVICES.sound.values())
    return {kind.__name__: kind for kind in found if is_dataclass(kind)}


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; raises `InvalidInput` for an object of a kind that no table names."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    kinds = _kinds()
    if kinds.get(type(value).__name__) is not type(value):
        raise InvalidInput(Problem("recording", f"numbers, names, or one of {', '.join(kinds)}", repr(value)))
    own = {each.name: _plain(getattr(value, each.name)) for each in fields(value) if each.init}
    return {"kind": type(value).__name__, **own}


def _again(told: Any) -> Any:
    """Return the value of what `_plain` said."""
    if isinstance(told, list):
        return [_again(each) for each in told]
    if not isinstance(told, dict):
        return told
    kinds, own = _kinds(), {name: _again(each) for name, each in told.items() if name != "kind"}
    kind = kinds.get(str(told.get("kind")))
    if kind is None or not own.keys() <= {each.name for each in fields(kind) if each.init}:
        raise InvalidInput(Problem("recording", f"settings of one of {', '.join(kinds)}", repr(told)))
    return kind(**own)


def _problems(told: Mapping[str, Any], file: str) -> list[Problem]:
    """Return what is wrong with a recording that was read."""
    wrong = [
        Problem(key, word, repr(told.get(key)), file=file)
        for key, (kind, word) in _KEYS.items()
        if not isinstance(told.get(key), kind)
    ]
    if wrong:
        return wrong
    if not ({SYSTEM, MISSION} & told["files"].keys()):
        wrong.append(Problem("files", f"'{SYSTEM}' or '{MISSION}'", ", ".join(told["files"]) or "none", file=file))
    texts = told["files"].items()
    wrong += [Problem(name, "a text", repr(text), file=file) for name, text in texts if not isinstance(text, str)]
    unknown = sorted(told["begun"].keys() - _SETTINGS)
    wrong += [Problem(f"begun.{name}", f"one of {', '.join(_SETTINGS)}", repr(name), file=file) for name in unknown]
    wrong += [Problem("y", "numbers", repr(each), file=file) for each in told["y"] if not isinstance(each, int | float)][:1]
    last = 0
    for number, act in enumerate(told["acts"]):
        sound = isinstance(act, list) and len(act) == 3 and act[1] in ACTS and isinstance(act[2], list)
        sound = sound and takes(getattr(Session, act[1]), 1 + len(act[2]))
        if not (sound and isinstance(act[0], int) and last <= act[0] <= told["steps"]):
            expected = f"[step, one of {', '.join(ACTS)}, what it was given], in order of steps"
            return [*wrong, Problem(f"acts[{number}]", expected, repr(act), file=file)]
        last = act[0]
    return wrong
