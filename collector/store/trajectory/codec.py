"""Headers and steps as the plain mappings of ``trajectory.json`` and ``steps.jsonl``, and back.

Unknown keys of a step and of a header survive in ``extra``; coordinates are device
pixels, ``size`` is ``[width, height]``, ``bounds`` is ``[left, top, right, bottom]``.
"""

# By hand: a library for records drops unknown keys or refuses what broken dumps hold; the numbers are in
# docs/decisions/json-records-without-a-library.md.

from __future__ import annotations

import json
from collections.abc import Mapping
from types import NoneType
from typing import Any

from collector.model.action import action_from_dict, action_to_dict
from collector.model.app_data.document import app_data_of
from collector.model.geometry import Rect, Size
from collector.model.message import from_json, to_json
from collector.model.trajectory import State, Step, Target, TrajectoryHeader
from collector.store.trajectory.episode_codec import (
    episode_from_dict,
    episode_to_dict,
    outcome_from_dict,
    outcome_to_dict,
    turn_from_dict,
    turn_to_dict,
)

Line = dict[str, Any]
"""One line of ``steps.jsonl`` as read."""

TEXTS = ("description", "note", "intention")
IMPORTED_AT = "imported_at"
"""Key of a header: when the trajectory was imported. When it was recorded is ``started``, if it is known."""
_TEXT, _INTEGERS = {str}, {int}
_LONGEST_MS = 366 * 86_400_000
_STEP_KEYS = frozenset(
    (
        "seq",
        "index",
        "t_ms",
        "wall_time",
        "state",
        "action",
        "target",
        *TEXTS,
        "description_message",
        "redacted",
        "agent",
    )
)
_HEADER_TEXTS = (
    "id",
    "kind",
    "who",
    "status",
    "started",
    "finished",
    "instruction",
    "note",
)
_HEADER_KEYS = frozenset(
    (
        *_HEADER_TEXTS,
        "format",
        "version",
        "task",
        "duration_ms",
        "device",
        "apps",
        "installed",
        "episode",
        "outcome",
        "software",
    )
)


def dump_line(values: Mapping[str, Any]) -> bytes:
    """One JSON line in UTF-8 with its newline; characters are not escaped."""
    try:
        return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError:  # a lone half of a surrogate pair, as broken dumps have
        return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def dump_document(values: Mapping[str, Any]) -> bytes:
    """A JSON file a person can read and compare."""
    try:
        return json.dumps(values, ensure_ascii=False, indent=2).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(values, indent=2).encode() + b"\n"


def load_json(data: bytes) -> Any:
    """Parse JSON; raise ValueError on anything else, nesting bombs included."""
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def moment_ms(value: Any) -> int:
    """A time since the start of a recording: from 0 to a year, whatever clock its file was written by.

    Raises ValueError, TypeError or OverflowError for what is no number.
    """
    return max(0, min(int(value), _LONGEST_MS))


def step_to_line(step: Step) -> Line:
    """The mapping of one step, keys in the documented order."""
    line: Line = {
        "index": step.index,
        "t_ms": step.t_ms,
        "wall_time": step.wall_time,
        "state": state_to_dict(step.state),
        "action": action_to_dict(step.action) if step.action else None,
        "target": target_to_dict(step.target) if step.target else None,
        **_texts_of("description", step.description),
        "note": step.note,
        "intention": step.intention,
    }
    if step.redacted:
        line["redacted"] = True
    if step.agent is not None:
        line["agent"] = turn_to_dict(step.agent)
    return {**line, **{key: value for key, value in step.extra.items() if key not in _STEP_KEYS}}


def step_from_line(line: Mapping[str, Any]) -> Step:
    """The step a line describes; raise ValueError saying what is missing or of the wrong kind."""
    try:
        action, target, turn = line.get("action"), line.get("target"), line.get("agent")
        return Step(
            index=int(line["index"]),
            t_ms=moment_ms(line.get("t_ms", 0)),
            wall_time=str(line.get("wall_time", "")),
            state=state_from_dict(line["state"]),
            action=action_from_dict(action) if action else None,
            target=target_from_dict(target) if target else None,
            description=from_json(str(line.get("description", "")), line.get("description_message")),
            note=str(line.get("note", "")),
            intention=str(line.get("intention", "")),
            redacted=bool(line.get("redacted", False)),
            agent=None if turn is None else turn_from_dict(turn),
            extra={key: value for key, value in line.items() if key not in _STEP_KEYS},
        )
    except KeyError as error:
        raise ValueError(f"no {error.args[0]!r}") from None
    except (TypeError, AttributeError, IndexError, OverflowError) as error:
        raise ValueError(str(error)) from None


def is_plain_step(line: object) -> bool:
    """Whether :func:`step_from_line` accepts a line, found out without building the step.

    False means that it may still accept it; texts and the problem of a plain step are strings.
    """
    if type(line) is not dict:
        return False
    get = line.get
    if type(get("index")) is not int or type(get("t_ms", 0)) is not int:
        return False
    if {type(get(name, "")) for name in TEXTS} != _TEXT:
        return False
    action, target, turn = get("action"), get("target"), get("agent")
    if not _is_plain_state(get("state")) or (target and not _is_plain_target(target)):
        return False
    try:
        if turn is not None:
            turn_from_dict(turn)
        return not action or (type(action) is dict and action_from_dict(action) is not None)
    except (ValueError, TypeError, AttributeError, OverflowError):
        return False


def _is_plain_state(values: object) -> bool:
    if type(values) is not dict:
        return False
    size, get = values.get("size") or [0, 0], values.get
    return (
        type(size) is list
        and len(size) == 2
        and type(size[0]) is type(size[1]) is int
        and type(get("rotation", 0)) is int
        and isinstance(get("sha256") or {}, dict)
        and isinstance(get("source") or {}, dict)
        and type(get("tree_age_ms", 0)) in (int, NoneType)
        and type(get("skew", 0)) in (int, float, NoneType)
        and type(get("problem", "")) is str
    )


def _is_plain_target(values: object) -> bool:
    if type(values) is not dict:
        return False
    path, bounds = values.get("path") or [], values.get("bounds")
    return (
        type(path) is list
        and _INTEGERS.issuperset(map(type, path))
        and (
            not bounds or (type(bounds) is list and len(bounds) == 4 and set(map(type, bounds)) == _INTEGERS)
        )
        and isinstance(values.get("selectors") or [], list)
        and isinstance(values.get("attributes") or {}, dict)
    )


def header_to_document(header: TrajectoryHeader) -> dict[str, Any]:
    """The mapping of ``trajectory.json`` without its version."""
    episode, outcome = header.episode, header.outcome
    return {
        "id": header.id,
        "task": header.task_id,
        "kind": header.kind,
        "who": header.who,
        "status": header.status,
        "instruction": header.instruction,
        "started": header.started,
        "finished": header.finished,
        "duration_ms": header.duration_ms,
        "device": dict(header.device),
        "apps": dict(header.apps),
        **({"installed": list(header.installed)} if header.installed else {}),
        **({"episode": episode_to_dict(episode)} if episode is not None else {}),
        **({"outcome": outcome_to_dict(outcome)} if outcome is not None else {}),
        "software": dict(header.software),
        "note": header.note,
        **{key: value for key, value in header.extra.items() if key not in _HEADER_KEYS},
    }


def header_from_document(values: Mapping[str, Any]) -> TrajectoryHeader:
    """The header a mapping describes; raise ValueError on a wrong kind of value."""
    try:
        episode, outcome = values.get("episode"), values.get("outcome")
        return TrajectoryHeader(
            task_id=str(values.get("task", "")),
            duration_ms=moment_ms(values.get("duration_ms", 0)),
            device=dict(values.get("device") or {}),
            apps={str(key): str(value) for key, value in (values.get("apps") or {}).items()},
            installed=tuple(map(str, values.get("installed") or ())),
            episode=None if episode is None else episode_from_dict(episode),
            outcome=None if outcome is None else outcome_from_dict(outcome),
            software={str(key): str(value) for key, value in (values.get("software") or {}).items()},
            extra={key: value for key, value in values.items() if key not in _HEADER_KEYS},
            **{key: str(values[key]) for key in _HEADER_TEXTS if values.get(key) is not None},
        )
    except (TypeError, AttributeError, OverflowError) as error:
        raise ValueError(str(error)) from None


def _texts_of(name: str, text: str) -> dict[str, Any]:
    """A text under its name, with the code and values of a sentence beside it."""
    message = to_json(text)
    return {name: str(text), f"{name}_message": message} if message else {name: str(text)}


def state_to_dict(state: State) -> dict[str, Any]:
    """A state as a line of a step, or of an event, has it."""
    return {
        "screenshot": state.screenshot,
        "tree": state.tree,
        "package": state.package,
        "activity": state.activity,
        "size": [state.size.width, state.size.height],
        "rotation": state.rotation,
        "sha256": dict(state.sha256),
        "source": dict(state.source),
        "tree_age_ms": state.tree_age_ms,
        "skew": state.skew,
        "secure": state.secure,
        **_texts_of("problem", state.problem),
        **({"apps": dict(state.apps)} if state.apps is not None else {}),
        **({"app_data": state.app_data} if state.app_data is not None else {}),
    }


def state_from_dict(values: Mapping[str, Any]) -> State:
    """Read :func:`state_to_dict`. Raises ValueError, KeyError or TypeError for anything else."""
    age, skew, apps = values.get("tree_age_ms"), values.get("skew"), values.get("apps")
    data = values.get("app_data")
    width, height = values.get("size") or (0, 0)
    return State(
        screenshot=str(values.get("screenshot") or ""),
        tree=str(values.get("tree") or ""),
        package=str(values.get("package", "")),
        activity=str(values.get("activity", "")),
        size=Size(int(width), int(height)),
        rotation=int(values.get("rotation", 0)),
        sha256={str(key): str(value) for key, value in (values.get("sha256") or {}).items()},
        source={str(key): str(value) for key, value in (values.get("source") or {}).items()},
        tree_age_ms=None if age is None else int(age),
        skew=None if skew is None else float(skew),
        secure=bool(values.get("secure", False)),
        problem=from_json(str(values.get("problem", "")), values.get("problem_message")),
        apps=None if apps is None else {str(key): bool(value) for key, value in apps.items()},
        app_data=None if data is None else app_data_of(data),
    )


def target_to_dict(target: Target) -> dict[str, Any]:
    """The mapping of a node that an action landed on, or that a comment is pinned to."""
    bounds = target.bounds
    return {
        "path": list(target.path),
        "bounds": [bounds.left, bounds.top, bounds.right, bounds.bottom] if bounds else None,
        "selectors": list(target.selectors),
        "attributes": dict(target.attributes),
    }


def target_from_dict(values: Mapping[str, Any]) -> Target:
    """The node a mapping describes. Raises ValueError, TypeError or AttributeError for another value."""
    bounds = values.get("bounds")
    return Target(
        path=tuple(int(part) for part in values.get("path") or ()),
        bounds=Rect(*(int(edge) for edge in bounds)) if bounds else None,
        selectors=tuple(str(selector) for selector in values.get("selectors") or ()),
        attributes={str(key): str(value) for key, value in (values.get("attributes") or {}).items()},
    )
