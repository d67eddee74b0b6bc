"""What the catalogue keeps of a trajectory: the columns of a list, and the text that a search looks at."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from collector.model.episode import Episode
from collector.model.errors import UserError
from collector.model.message import from_json, to_json
from collector.model.trajectory import TrajectoryHeader
from collector.store import codec, layout
from collector.store.format_versions import TRAJECTORY
from collector.store.reader import StoredTrajectory, open_trajectory, read_annotations

_LARGEST_PLAIN = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class CatalogueRow:
    """What a list shows of a trajectory."""

    folder: str
    """Relative to the project, with forward slashes."""
    id: str
    task: str
    kind: str
    who: str
    status: str
    agent: str
    condition: str
    started: str
    duration_ms: int
    steps: int
    problems: int
    problem: str
    """The first problem, in a sentence."""

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Content:
    """As much of a trajectory as its row needs."""

    header: TrajectoryHeader
    steps: int
    problems: list[str]
    texts: list[str]
    """Descriptions, notes and intentions of its steps."""


def columns_of(folder: Path, *, annotated: bool = True) -> tuple[dict[str, object], str]:
    """The columns of the trajectory in ``folder`` but its place, and its searchable text."""
    try:
        content = _plain_content(str(folder)) or _content(open_trajectory(folder))
    except UserError as error:
        row: dict[str, object] = dict.fromkeys(("kind", "who", "agent", "condition", "started", "review"), "")
        row |= {
            "id": folder.name,
            "task": folder.parent.name,
            "status": "damaged",
            "duration_ms": 0,
            "steps": 0,
        }
        return {**row, "problems": 1, "problem": str(error)}, folder.name
    header = content.header
    episode = header.episode or Episode()
    words = [header.id, header.task_id, header.instruction, header.who, header.note, *content.texts]
    return {
        "id": header.id,
        "task": header.task_id,
        "kind": header.kind,
        "who": header.who,
        "status": header.status,
        "agent": episode.agent,
        "condition": episode.condition,
        "started": header.started or str(header.extra.get(codec.IMPORTED_AT, "")),
        "duration_ms": header.duration_ms,
        "steps": content.steps,
        "problems": len(content.problems),
        "problem": str(content.problems[0]) if content.problems else "",
        "problem_message": _message_of(content.problems[0]) if content.problems else "",
        "review": _review(folder) if annotated else "",
    }, "\n".join(word for word in words if word)


def _content(stored: StoredTrajectory) -> _Content:
    problems = [*stored.problems, *(step.state.problem for step in stored.steps if step.state.problem)]
    texts = [text for step in stored.steps for text in (step.description, step.note, step.intention)]
    return _Content(stored.header, len(stored.steps), problems, texts)


def _plain_content(folder: str) -> _Content | None:
    """The same of a trajectory without edits and with nothing unusual in it, read several times as fast.

    None for any other: a link, a torn or damaged line, a large file.
    """
    try:
        if os.lstat(os.path.join(folder, layout.EDITS)).st_size:  # noqa: PTH118 - see above
            return None
        document = codec.load_json(_bytes_of(os.path.join(folder, layout.HEADER)))  # noqa: PTH118
        header = codec.header_from_document(TRAJECTORY.upgrade(document, layout.HEADER))
        data = _bytes_of(os.path.join(folder, layout.STEPS))  # noqa: PTH118
        # No JSON line has a line break in it, so all lines together are one array.
        lines = codec.load_json(b"[" + data.replace(b"\n", b",").removesuffix(b",") + b"]")
    except (OSError, ValueError, UserError):
        return None
    if len(lines) != data.count(b"\n") or not all(map(codec.is_plain_step, lines)):
        return None
    states = [line["state"] for line in lines if line["state"].get("problem")]
    problems = [from_json(state["problem"], state.get("problem_message")) for state in states]
    texts = [line.get(name, "") for line in lines for name in codec.TEXTS]
    return _Content(header, len(lines), problems, texts)


def _size(path: str) -> int:
    """The size of a file, 0 for a missing one; of a link its own, which is more than 0."""
    try:
        return os.lstat(path).st_size
    except FileNotFoundError:
        return 0


def _bytes_of(path: str) -> bytes:
    """The bytes of a file of usual size that is no link; ValueError for a larger one."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    try:
        data = os.read(handle, _LARGEST_PLAIN + 1)
    finally:
        os.close(handle)
    if len(data) > _LARGEST_PLAIN:
        raise ValueError(path)
    return data


def _message_of(problem: str) -> str:
    """The code and values of a problem as JSON; empty when it has none."""
    message = to_json(problem)
    return json.dumps(message) if message else ""


def shown_problem(problem: str, message: str) -> str:
    """A problem of the catalogue in the language in use."""
    return str(from_json(problem, json.loads(message))) if message else problem


def _review(folder: Path) -> str:
    """The review status that all reviewers agree on; empty otherwise."""
    statuses = {
        str(annotation["review"])
        for annotation in read_annotations(folder).values()
        if annotation.get("review")
    }
    return statuses.pop() if len(statuses) == 1 else ""
