"""Read what the catalogue keeps of a trajectory: the columns of its row, and the text a search looks at."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from collector.model.episode import Episode, Outcome
from collector.model.errors import UserError
from collector.model.judgement import MISSED, REACHED, RULE, STATE, TASK, UNDECIDED, WINDOW, Judgement
from collector.model.message import from_json, to_json
from collector.model.trajectory import TrajectoryHeader
from collector.store import codec, layout
from collector.store.catalogue_row import listed
from collector.store.format_versions import TRAJECTORY
from collector.store.interruptions import INTERRUPTED, anomalies_in
from collector.store.judgements import read_judgements
from collector.store.label_judgements import judgements_that_count
from collector.store.labels import read_all_labels
from collector.store.reader import StoredTrajectory, open_trajectory, read_annotations

_LARGEST_PLAIN = 4 * 1024 * 1024
_EVENTS_READ = 512 * 1024
"""So many bytes of the events are searched for anomalies; those of a run of hours are longer."""
_EPISODE = (
    "experiment", "cell", "agent", "model", "prompt", "condition", "modality", "buttons", "variation",
    "language", "seed", "repeat", "attempt",
)  # fmt: skip
_OUTCOME = ("reason", "claimed", "early_stop", "infrastructure")
_NO_EPISODE, _NO_OUTCOME = Episode(), Outcome()


@dataclass(frozen=True, slots=True)
class _Content:
    """As much of a trajectory as its row needs."""

    header: TrajectoryHeader
    steps: int
    problems: list[str]
    texts: list[str]
    """Descriptions, notes and intentions of its steps."""


def columns_of(folder: str, *, inside: bool = True, events: bool = True) -> tuple[dict[str, object], str]:
    """The columns of the trajectory in ``folder`` but its place, and its searchable text.

    ``inside`` and ``events`` say whether it has annotations or judgements, and events.
    """
    try:
        content = _plain_content(folder) or _content(open_trajectory(Path(folder)))
    except UserError as error:
        name = os.path.basename(folder)  # noqa: PTH119 - see _plain_content
        row: dict[str, object] = {"id": name, "task": Path(folder).parent.name, "status": "damaged"}
        return {**row, "problems": 1, "problem": str(error)}, name
    header = content.header
    episode, outcome = header.episode or _NO_EPISODE, header.outcome or _NO_OUTCOME
    words = [
        header.id, header.task_id, header.instruction, header.who, header.note, episode.agent, episode.model,
        outcome.reason, outcome.infrastructure, *content.texts,
    ]  # fmt: skip
    columns: dict[str, object] = {
        "id": header.id,
        "task": header.task_id,
        "kind": header.kind,
        "who": header.who,
        "status": header.status,
        "started": header.started,
        # Lists are sorted by it: of an import that does not know its start, the time of the import.
        "added": header.started or str(header.extra.get(codec.IMPORTED_AT, "")),
        "duration_ms": header.duration_ms,
        "steps": content.steps,
    }
    if content.problems:
        columns |= {
            "problems": len(content.problems),
            "problem": str(content.problems[0]),
            "problem_message": _message_of(content.problems[0]),
        }
    if header.episode or header.outcome:
        columns |= _columns_of_run(episode, outcome)
    if anomalies := _anomalies_of(header, folder if events else ""):
        columns["anomalies"] = listed(anomalies)
    if inside:
        columns |= {"review": _review(Path(folder)), **_columns_of_judgements(Path(folder))}
    return columns, "\n".join(filter(None, words))


def _columns_of_run(episode: Episode, outcome: Outcome) -> dict[str, object]:
    usage = outcome.usage
    counts = [count for count in (usage.input_tokens, usage.output_tokens) if count is not None]
    return {
        **{name: getattr(episode, name) for name in _EPISODE},
        **{name: getattr(outcome, name) for name in _OUTCOME},
        "outcome": outcome.status,
        "tokens": sum(counts) if counts else None,
        "cost": usage.cost,
        "currency": usage.currency,
        "time_ms": usage.time_ms,
    }


def _anomalies_of(header: TrajectoryHeader, folder: str) -> list[str]:
    """The anomalies of the condition, and those that the header or the events in ``folder`` name."""
    condition = header.episode.condition if header.episode else ""
    names = [name.strip() for name in condition.split(",")]
    injected = header.extra.get(INTERRUPTED)
    if isinstance(injected, list):
        names += filter(None, map(_name_of, injected))
    if folder:
        names += _injected_in(f"{folder}{os.sep}{layout.EVENTS}")
    return [name for name in dict.fromkeys(names) if name]


def _name_of(value: object) -> str:
    if isinstance(value, dict):
        value = value.get("anomaly")
    return value if isinstance(value, str) else ""


def _injected_in(path: str) -> list[str]:
    """The anomalies that the first events say were injected; lines that cannot be read are left out."""
    try:
        data = _bytes_of(path, _EVENTS_READ, cut=True)
    except (OSError, ValueError):
        return []
    if b'"injected"' not in data:
        return []
    lines = []
    for line in data.split(b"\n"):
        if b'"injected"' in line:
            try:
                value = codec.load_json(line)
            except ValueError:
                continue
            lines += [value] if isinstance(value, dict) else []
    return [interruption.anomaly for interruption in anomalies_in(lines)]


def _columns_of_judgements(folder: Path) -> dict[str, object]:
    """The verdicts that count: of the task by judge, and the states that somebody saw reached, or missed."""
    people = read_all_labels(folder)
    newest = list(judgements_that_count(read_judgements(folder), people.values()).values())
    task = [judgement for judgement in newest if judgement.subject.kind == TASK]
    states = _verdicts_of_states(newest)
    by_rules = [judgement for judgement in newest if judgement.kind == RULE]
    latest = max(by_rules, key=lambda judgement: judgement.time, default=None)
    return {
        "rules_version": latest.version if latest is not None else "",
        "rules_reached": listed(
            [
                item.subject.state
                for item in by_rules
                if item.subject.kind == STATE and item.verdict == REACHED
            ]
        ),
        "verdicts": listed([f"{judgement.verdict}={judgement.judge}" for judgement in task]),
        "reached": listed([state for state, verdict in states if verdict == REACHED]),
        "missed": listed([state for state, verdict in states if verdict == MISSED]),
        "labelled": listed(sorted(who for who, labels in people.items() if labels.labelled)),
        "reasons": listed([judgement.reason_id for judgement in task if judgement.reason_id]),
        "disputed": int(_is_disputed(newest)),
    }


def _is_disputed(newest: Iterable[Judgement]) -> bool:
    """Whether two judges say different things of the task, or of one essential state."""
    votes: dict[tuple[str, str], set[str]] = {}
    for judgement in newest:
        subject = judgement.subject
        if subject.kind != WINDOW and judgement.verdict != UNDECIDED:
            votes.setdefault((subject.kind, subject.state), set()).add(judgement.verdict)
    return any(len(verdicts) > 1 for verdicts in votes.values())


def _verdicts_of_states(newest: Iterable[Judgement]) -> list[tuple[str, str]]:
    """State and verdict, once each: a judge of windows saw a state that it saw in any window."""
    judged: dict[tuple[str, str], str] = {}
    for judgement in newest:
        subject = judgement.subject
        if subject.kind == TASK:
            continue
        key = judgement.judge, subject.state
        if subject.kind == STATE or judged.get(key) != REACHED:
            judged[key] = judgement.verdict
    return list(dict.fromkeys((state, verdict) for (_judge, state), verdict in judged.items()))


def _content(stored: StoredTrajectory) -> _Content:
    problems = [*stored.problems, *(step.state.problem for step in stored.steps if step.state.problem)]
    texts = [text for step in stored.steps for text in (step.description, step.note, step.intention)]
    return _Content(stored.header, len(stored.steps), problems, texts)


def _plain_content(folder: str) -> _Content | None:
    """The same of a trajectory without edits and with nothing unusual in it, read several times as fast.

    None for any other: a link, a torn or damaged line, a large file. Folders are plain texts here: a Path
    takes as long to build as a file to open.
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


def _bytes_of(path: str, largest: int = _LARGEST_PLAIN, *, cut: bool = False) -> bytes:
    """The bytes of a file that is no link; of a larger one the first, if it may be ``cut``, or ValueError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    try:
        data = os.read(handle, largest + 1)
    finally:
        os.close(handle)
    if len(data) > largest and not cut:
        raise ValueError(path)
    return data


def _message_of(problem: str) -> str:
    """The code and values of a problem as JSON; empty when it has none."""
    message = to_json(problem)
    return json.dumps(message) if message else ""


def _review(folder: Path) -> str:
    """The review status that all reviewers agree on; empty otherwise."""
    statuses = {
        str(annotation["review"])
        for annotation in read_annotations(folder).values()
        if annotation.get("review")
    }
    return statuses.pop() if len(statuses) == 1 else ""
