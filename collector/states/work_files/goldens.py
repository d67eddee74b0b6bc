"""The golden trajectories that two operators propose from: whose they are, and how different."""

from __future__ import annotations

from typing import Any

from collector.model.action import COMPLETION_SIGNALS, AskUser, Wait, action_to_dict
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.store.files.errors import NotFound
from collector.store.files.names import folder_name
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory, require_finished

_COORDINATES = ("x", "y", "x2", "y2")
_MANNER = ("kind", "duration_ms", "path")
"""What does not make two actions different: how long a finger stayed, and the way it took."""
_GRID = 20


def open_golden(project: Project, task_id: str, trajectory_id: str) -> StoredTrajectory:
    """A golden trajectory of a task. Raises NotFound, and UserError when it is none of this task."""
    name = folder_name(trajectory_id)
    folder = next((path for path in project.trajectory_folders(task_id) if path.name == name), None)
    if folder is None:
        raise NotFound(
            _("Task {task} has no trajectory {id}", task=task_id, id=trajectory_id),
            "",
            _("`waymark trajectory list task:{task}` shows those it has", task=task_id),
        )
    stored = open_trajectory(folder)
    header = stored.header
    if header.is_run:
        raise UserError(
            _("{id} is the run of an agent", id=header.id), "", _("Choose a golden trajectory of your own")
        )
    require_finished(header)
    return stored


def open_own_golden(project: Project, task_id: str, trajectory_id: str, who: str) -> StoredTrajectory:
    """As :func:`open_golden`, of the operator ``who``. Raises UserError when another person recorded it."""
    stored = open_golden(project, task_id, trajectory_id)
    recorded_by = stored.header.who.strip()
    if recorded_by != who:
        raise UserError(
            _("{id} is the golden trajectory of {who}", id=trajectory_id, who=recorded_by or "?"),
            _("each operator proposes from the own golden trajectory"),
            _("Choose one that you recorded yourself"),
        )
    return stored


def own_goldens(project: Project, task_id: str, who: str) -> list[str]:
    """Ids of the finished golden trajectories of a task that ``who`` recorded, the oldest first."""
    headers = [stored.header for stored in project.open_trajectories(task_id=task_id)]
    return [
        header.id
        for header in sorted(headers, key=lambda header: (header.started, header.id))
        if header.is_golden and header.who.strip() == who
    ]


def is_same_course(a: StoredTrajectory, b: StoredTrajectory) -> bool:
    """Whether two trajectories take the same actions on the same nodes; waits and the end do not count.

    A3 asks the two operators for distinct strategies (section 3.2).
    """
    return _course(a) == _course(b)


def _course(stored: StoredTrajectory) -> list[object]:
    return [
        _what(step)
        for step in stored.steps
        if step.action is not None and not isinstance(step.action, (Wait, AskUser, *COMPLETION_SIGNALS))
    ]


def _what(step: Step) -> tuple[str, ...]:
    """An action as what it is done to: the node it landed on by name, else where on the screen, coarsely."""
    action, target = step.action, step.target
    assert action is not None
    values = action_to_dict(action)
    for key in ("x1", "y1"):
        values[key[0]] = values.pop(key, values.get(key[0]))
    where = [values.pop(key, None) for key in _COORDINATES]
    rest = repr(sorted((key, value) for key, value in values.items() if key not in _MANNER))
    start, end = _parts(where[:2], step), _parts(where[2:], step)
    course = _direction(start, end) if end else ""
    if target is None:
        return action.kind, rest, course, repr(start)
    words = [target.attributes.get(key, "") for key in ("resource-id", "text", "content-desc")]
    return action.kind, rest, course, repr(words if any(words) else (target.selectors[:1] or target.path))


def _parts(point: list[Any], step: Step) -> tuple[int, ...]:
    """A point in twentieths of the screen; empty when the action has none."""
    numbers = [value for value in point if isinstance(value, int)]
    size = step.state.size
    if len(numbers) != 2 or size is None or not (size.width and size.height):
        return tuple(numbers)
    return numbers[0] * _GRID // size.width, numbers[1] * _GRID // size.height


def _direction(start: tuple[int, ...], end: tuple[int, ...]) -> str:
    across, down = end[0] - start[0], end[1] - start[1]
    if abs(across) > abs(down):
        return "right" if across > 0 else "left"
    return "down" if down > 0 else "up"
