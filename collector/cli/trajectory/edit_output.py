"""What an edit of trajectories comes to, on the command line: before and after, and what was made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collector.cli.output import print_json, say
from collector.model.i18n import _
from collector.model.message import in_language

if TYPE_CHECKING:  # takes long to load, and the help needs none of it
    from collector.recording.edits.edit_plan import EditedTrajectory, EditPlan
    from collector.recording.edits.trajectory_edit import MadeEdit, TrajectoryEdit
    from collector.store.project.project import Project

_MARKS = {"stays": " ", "goes": "-", "comes": "+"}


def make_or_show(project: Project, edit: TrajectoryEdit, *, only_shown: bool, as_json: bool) -> None:
    """Make an edit and print its plan and what was made; with ``only_shown`` the plan alone."""
    plan = edit.plan()
    made = None if only_shown else edit.make()
    if as_json:
        print_json({**plan_values(plan), "made": made_names(project, made) if made is not None else None})
        return
    print_plan(plan)
    if made is None:
        say(_("Nothing was changed"))
    else:
        print_made(project, made)


def plan_values(plan: EditPlan) -> dict[str, Any]:
    """A plan as values of a JSON document; steps count from 0."""
    return {
        "title": plan.title,
        "before": list(map(_trajectory_values, plan.before)),
        "after": list(map(_trajectory_values, plan.after)),
        "notes": [in_language(note) for note in plan.notes],
    }


def made_names(project: Project, made: MadeEdit) -> list[str]:
    """The trajectories that there are after an edit, by their places in the project."""
    return [project.paths.relative(folder) for folder in made.folders]


def print_plan(plan: EditPlan) -> None:
    """Print the steps before and after an edit, and what else it comes to."""
    for title, listed in ((_("Before the edit"), plan.before), (_("After the edit"), plan.after)):
        for shown in listed:
            say(f"{title}: {shown.id} ({shown.task_id})")
            _print_steps(shown)
    for note in plan.notes:
        say(in_language(note))


def print_made(project: Project, made: MadeEdit) -> None:
    """Say what was made."""
    say(_("Done: {title}", title=made.title))
    for name in made_names(project, made):
        say(_("It is {name} now", name=name))


def print_moved(project: Project, made: MadeEdit, sentence: str, *, as_json: bool) -> None:
    """Print what was undone or redone; ``sentence`` has a field for its title."""
    if as_json:
        print_json({"title": made.title, "trajectories": made_names(project, made)})
        return
    say(sentence)
    names: Sequence[str] = made_names(project, made)
    for name in names:
        say(name)


def _print_steps(shown: EditedTrajectory) -> None:
    for number, planned in enumerate(shown.steps, start=1):
        say(f"{_MARKS[planned.fate]} {number:>3}  {planned.caption}")


def _trajectory_values(shown: EditedTrajectory) -> dict[str, Any]:
    return {
        "id": shown.id,
        "task": shown.task_id,
        "steps": [
            {"step": number, "caption": planned.caption, "fate": str(planned.fate)}
            for number, planned in enumerate(shown.steps)
        ],
    }


def bytes_of(path: Path | None) -> bytes | None:
    """The contents of a file that a person names; None for none."""
    return path.read_bytes() if path is not None else None
