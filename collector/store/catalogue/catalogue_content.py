"""Read as much of a trajectory's files as the catalogue keeps of them, many trajectories a second."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.model.action import NOT_ON_PHONE
from collector.model.errors import UserError
from collector.model.message import from_json
from collector.model.trajectory import TrajectoryHeader
from collector.store.catalogue.episode_counting import RunStep, run_step_from_line, run_step_from_step
from collector.store.catalogue.touches import Touches, touches_of
from collector.store.files import layout
from collector.store.files.format_versions import TRAJECTORY
from collector.store.trajectory import codec
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory

_LARGEST_PLAIN = 4 * 1024 * 1024
_EVENTS_OF_GOLDEN = 512 * 1024
"""So many bytes of the events of a recording are searched for anomalies."""
_EVENTS_OF_RUN = 64 * 1024 * 1024
"""So many of those of a run: its numbers must not depend on its length."""
_EVENT_WORDS = (b'"transition"', b'"settings"')
"""What the lines have that say something of an anomaly, or of the plan of a run."""
_NOT_ON_PHONE = frozenset(action.kind for action in NOT_ON_PHONE)
_NO_TOUCHES = Touches()


@dataclass(frozen=True, slots=True)
class TrajectoryContent:
    """What the catalogue needs of a trajectory's header and steps."""

    header: TrajectoryHeader
    steps: int
    actions: int
    """Actions on the phone: invalid answers and completion signals are none."""
    problems: list[str]
    texts: list[str]
    """Descriptions, notes and intentions of its steps."""
    run: Sequence[RunStep] = ()
    """The steps of a run; none for a recording of a person."""
    touches: Touches = _NO_TOUCHES


def read_content(folder: str) -> TrajectoryContent:
    """The content of the trajectory in ``folder``. Raises StoreError.

    Folders are plain texts here: a Path takes as long to build as a file to open.
    """
    return _plain_content(folder) or _content(open_trajectory(Path(folder)))


def read_anomaly_events(folder: str, *, is_run: bool) -> list[codec.Line]:
    """The events of anomalies, and the plan of a run; lines that cannot be read are left out."""
    try:
        lines = list(_event_lines(f"{folder}{os.sep}{layout.EVENTS}", is_run=is_run))
    except (OSError, ValueError):
        return []
    events = []
    for line in lines:
        try:
            value = codec.load_json(line)
        except ValueError:
            continue
        events += [value] if isinstance(value, dict) else []
    return events


def _event_lines(path: str, *, is_run: bool) -> Iterator[bytes]:
    data = _bytes_of(path, _EVENTS_OF_RUN if is_run else _EVENTS_OF_GOLDEN, cut=True)
    for word in _EVENT_WORDS:
        at = data.find(word)
        while at >= 0:
            end = data.find(b"\n", at)
            end = len(data) if end < 0 else end
            yield data[data.rfind(b"\n", 0, at) + 1 : end]
            at = data.find(word, end)


def _content(stored: StoredTrajectory) -> TrajectoryContent:
    steps = stored.steps
    problems = [*stored.problems, *(step.state.problem for step in steps if step.state.problem)]
    texts = [text for step in steps for text in (step.description, step.note, step.intention)]
    actions = sum(step.action is not None and step.action.kind not in _NOT_ON_PHONE for step in steps)
    run = tuple(map(run_step_from_step, steps)) if stored.header.is_run else ()
    touches = touches_of(map(codec.step_to_line, steps))
    return TrajectoryContent(stored.header, len(steps), actions, problems, texts, run, touches)


def _plain_content(folder: str) -> TrajectoryContent | None:
    """Read a trajectory without edits and with nothing unusual in it, several times as fast.

    None for any other: a link, a torn or damaged line, a large file.
    """
    try:
        if _size(f"{folder}{os.sep}{layout.EDITS}"):
            return None
        document = codec.load_json(_bytes_of(f"{folder}{os.sep}{layout.HEADER}"))
        header = codec.header_from_document(TRAJECTORY.upgrade(document, layout.HEADER))
        data = _bytes_of(f"{folder}{os.sep}{layout.STEPS}")
        # No JSON line has a line break in it, so all lines together are one array.
        lines = codec.load_json(b"[" + data.replace(b"\n", b",").removesuffix(b",") + b"]")
    except (OSError, ValueError, UserError):
        return None
    if len(lines) != data.count(b"\n") or not all(map(codec.is_plain_step, lines)):
        return None
    run = tuple(map(run_step_from_line, lines)) if header.is_run else ()
    return TrajectoryContent(
        header, len(lines), _actions_in(lines), _problems_in(lines),
        [line.get(name, "") for line in lines for name in codec.TEXTS], run, touches_of(lines),
    )  # fmt: skip


def _actions_in(lines: Sequence[Any]) -> int:
    kinds = [line["action"]["kind"] for line in lines if line.get("action")]
    return sum(kind not in _NOT_ON_PHONE for kind in kinds)


def _problems_in(lines: Sequence[Any]) -> list[str]:
    states = [line["state"] for line in lines if line["state"].get("problem")]
    return [from_json(state["problem"], state.get("problem_message")) for state in states]


def _size(path: str) -> int:
    """The size of a file, 0 for a missing one; of a link its own, which is more than 0."""
    try:
        return os.lstat(path).st_size
    except FileNotFoundError:
        return 0


def _bytes_of(path: str, largest: int = _LARGEST_PLAIN, *, cut: bool = False) -> bytes:
    """The bytes of a file that is no link; of a larger one the first, if it may be ``cut``, or ValueError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    try:
        data = os.read(handle, min(largest, max(_LARGEST_PLAIN, os.fstat(handle).st_size)) + 1)
    finally:
        os.close(handle)
    if len(data) > largest and not cut:
        raise ValueError(path)
    return data
