"""Export labelled windows to train A3's reward model: JSON lines beside the screenshots they name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.exports.copied_screens import CopiedScreens
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.format import FOR_TRAINING, STATES, TRAJECTORIES, VERDICTS, Format
from collector.judge.evaluation.trajectory_end import last_judged
from collector.judge.votes.project_votes import votes_by_trajectory
from collector.judge.windows import TrainingWindow, training_windows
from collector.model.action import action_to_dict
from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.model.verdicts.voted_subject import VotedSubject
from collector.store.project.project import Project
from collector.store.trajectory import codec
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory

SAMPLES, PICTURES = "windows.jsonl", "pictures"


def write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    """Write the windows of every trajectory that a person labelled into the folder ``path``."""
    path.mkdir(exist_ok=True)
    (path / SAMPLES).touch()
    for folder, subjects in votes_by_trajectory(part.project, part.folders()):
        labelled = [subject for subject in subjects if subject.people]
        if labelled and log.begin(part.project.paths.relative(folder)):
            _write_windows(part.project, folder, labelled, path, log)
            log.keep()
    log.where = ""
    if not (path / SAMPLES).stat().st_size:
        log.add("no-labels", _("No person labelled essential states of this project"), severity=NOTE)


def _write_windows(
    project: Project, folder: Path, subjects: list[VotedSubject], path: Path, log: ExchangeLog
) -> None:
    """Write the windows of one trajectory."""
    try:
        stored = open_trajectory(folder)
    except UserError as error:
        log.add("trajectory-unreadable", _("A trajectory was left out: {why}", why=error))
        return
    # No judge is asked about what was recorded after the completion signal.
    samples, split = training_windows(subjects, last_judged(stored.steps) + 1)
    for state in split:
        log.add("people-split", _("People are split on {state}: it gives no window", state=state))
    place = f"{PICTURES}/{folder.parent.name}/{folder.name}"
    log.makes(path / place)
    screens = CopiedScreens(stored, path / place, log)
    written = [_line(project, stored, sample, screens, place) for sample in samples]
    if missing := sum(line is None for line in written):
        text = _("Windows left out because a screenshot is missing: {count}", count=missing)
        log.add("no-screenshot", text)
    log.append(path / SAMPLES, b"".join(codec.dump_line(line) for line in written if line is not None))
    if any(written):
        log.written.trajectories.append(log.where)


def _line(
    project: Project, stored: StoredTrajectory, sample: TrainingWindow, screens: CopiedScreens, place: str
) -> dict[str, Any] | None:
    """One sample; None when a screenshot of its window is missing."""
    indexes = range(sample.window.first, sample.window.last + 1)
    names = [screens.picture(index) for index in indexes]
    if not all(names):
        return None
    header, state = stored.header, project.states.get(sample.state)
    task = project.task(header.task_id)
    actions = (stored.steps[index].action for index in indexes[:-1])
    return {
        "task": header.task_id,
        "instruction": task.instruction if task is not None else header.instruction,
        "trajectory": header.id,
        "kind": header.kind,
        "state": sample.state,
        "sentence": state.label if state is not None else sample.state,
        "first": sample.window.first,
        "last": sample.window.last,
        "pictures": [f"{place}/{name}" for name in names],
        "actions": [action_to_dict(action) if action is not None else None for action in actions],
        "positive": sample.is_positive,
        "labelled_by": list(sample.people),
    }


FORMAT = Format(
    id="a3rm",
    title=N_("Labelled windows to train A3's reward model"),
    use=FOR_TRAINING,
    holds=(TRAJECTORIES, STATES, VERDICTS),
    files=N_("windows.jsonl: two states each, positive where people saw a state reached; and pictures/"),
    write=write,
    entries=(SAMPLES, PICTURES),
)
