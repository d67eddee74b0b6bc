"""The last changes of a person of the states of a project, kept so that a later command can undo them.

They lie in a folder of the person and not in the project: an undo writes only what this account itself did.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from collector.host.private_files import make_private_folder
from collector.host.user_folders import state_folder
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.states.work_change import StateWorkChange, apply_work_change
from collector.states.work_files.state_work import StateWork, WorkDocument, document_of, kind_of, value_of
from collector.store.files.disk import Disk
from collector.store.files.errors import StoreError
from collector.store.files.names import folder_name
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange, entry_of, states_of

_MOST = 50
_FOLDER = "states-undo"


def remember_change(project: Project, who: str, change: StateWorkChange) -> None:
    """Keep a change that ``who`` just made. Raises WriteFailed, after which it cannot be undone."""
    _write(project, who, [*_read(project, who), _plain(change)][-_MOST:])


def undo_last(work: StateWork, who: str) -> StateWorkChange:
    """Undo the last change of ``who`` that was kept; called again, the one before it.

    Returns the change that was undone. Raises UserError when there is none, and StoreError when the same part
    was changed since: nothing is changed then.
    """
    kept = _read(work.project, who)
    if not kept:
        raise UserError(
            _("{who} has changed no states here that can be undone", who=who),
            _("changes of the command line are kept, not those of the window, of git or of an editor"),
        )
    try:
        change = _change(kept[-1], work.project)
    except (KeyError, TypeError, ValueError, AttributeError, StoreError) as error:
        _write(work.project, who, kept[:-1])
        raise UserError(_("The last change cannot be undone"), str(error)) from None
    apply_work_change(work, change.reversed)
    _write(work.project, who, kept[:-1])
    return change


def _path(project: Project, who: str) -> Path:
    digest = hashlib.sha256(str(project.folder.resolve()).encode(errors="surrogateescape")).hexdigest()
    return state_folder() / _FOLDER / digest[:16] / f"{folder_name(who)}.json"


def _read(project: Project, who: str) -> list[Any]:
    try:
        kept = json.loads(_path(project, who).read_bytes())
    except (OSError, ValueError):
        return []
    return kept if isinstance(kept, list) else []


def _write(project: Project, who: str, kept: list[Any]) -> None:
    path = _path(project, who)
    make_private_folder(path.parent.parent)
    make_private_folder(path.parent)
    Disk().write(path, json.dumps(kept, ensure_ascii=False).encode())


def _plain(change: StateWorkChange) -> dict[str, Any]:
    file = change.after or change.before
    task = change.task
    return {
        "title": str(change.title),
        "kind": kind_of(file) if file is not None else "",
        "files": [
            document_of(value) if value is not None else None for value in (change.before, change.after)
        ],
        "states": [
            [entry_of(state) if state is not None else None for state in (item.before, item.after)]
            for item in change.states
        ],
        "task": [task[0].id, *(list(item.essential_states) for item in task)] if task is not None else None,
    }


def _change(plain: Mapping[str, Any], project: Project) -> StateWorkChange:
    """The change of :func:`_plain`. Raises KeyError, TypeError, ValueError and StoreError for another."""

    def file(document: Any) -> WorkDocument | None:
        return value_of(plain["kind"], document, _FOLDER) if document is not None else None

    def state(entry: Any) -> Any:
        return next(iter(states_of({"states": [entry]}, _FOLDER).values())) if entry is not None else None

    before, after = map(file, plain["files"])
    states = tuple(StateChange(state(first), state(second)) for first, second in plain["states"])
    named = None
    if plain["task"] is not None:
        task_id, first, second = plain["task"]
        task = project.task(task_id)
        if task is None:
            raise ValueError(_("There is no task {id}", id=task_id))
        named = replace(task, essential_states=tuple(first)), replace(task, essential_states=tuple(second))
    return StateWorkChange(plain["title"], before, after, states, named)
