"""Take the end of a finished recording back, so that it can go on, as long as nothing stands on it."""

from __future__ import annotations

from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import FINISHED, RECORDING
from collector.model.verdicts.judgement import PERSON
from collector.store.project.project import Project
from collector.store.trajectory.edit_journal import title_of
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter


def reopen_recording(project: Project, folder: Path) -> None:
    """Make a finished recording unfinished again: its final state is deleted, its steps stay.

    Raises UserError when it is not finished, or when somebody's work stands on it.
    """
    project.require_writable()
    _require_unused(project, folder)
    with TrajectoryWriter.open(folder) as writer:
        if writer.header.status != FINISHED:
            raise UserError(_("{id} is not finished", id=folder.name))
        writer.update_header(status=RECORDING, finished="")
        if writer.steps and writer.steps[-1].action is None:
            writer.delete(len(writer) - 1)


def finish_again(project: Project, folder: Path) -> None:
    """Finish a recording that :func:`reopen_recording` reopened. Raises UserError when it went on since."""
    project.require_writable()
    with TrajectoryWriter.open(folder) as writer:
        deleted = title_of("delete", {"number": len(writer) + 1})
        if writer.header.status != RECORDING or writer.undo_title not in ("", deleted):
            raise UserError(
                _("{id} is not finished again", id=folder.name), _("it was changed since"),
                _("Finish it by hand"),
            )  # fmt: skip
        if writer.undo_title:
            writer.undo()
        writer.finish(writer.header.duration_ms)


def _require_unused(project: Project, folder: Path) -> None:
    stored = open_trajectory(folder)
    people = {each.judge for each in stored.judgements().judgements if each.kind == PERSON}
    others = sorted(people.union(stored.annotations()) - {stored.header.who.strip()})
    why = _("{people} worked on it", people=", ".join(others)) if others else _named_by(project, folder)
    if why:
        raise UserError(
            _("The end of {id} stays", id=folder.name), why, _("Record the task once more instead")
        )


def require_unnamed(project: Project, folder: Path) -> None:
    """Raise UserError when the work on essential states names a trajectory: it would be missed there."""
    why = _named_by(project, folder)
    if why:
        raise UserError(
            _("{id} stays as it is", id=folder.name), why, _("Duplicate it and take the copy apart")
        )


def _named_by(project: Project, folder: Path) -> str:
    """A sentence that says which file of the work on essential states names a trajectory; empty for none."""
    file = next((path for path in project.paths.state_work_files() if _names(path, folder.name)), None)
    return _("{file} names it", file=file.relative_to(project.folder).as_posix()) if file is not None else ""


def _names(path: Path, name: str) -> bool:
    try:
        return name in path.read_text("utf-8", "replace")
    except OSError:
        return False
