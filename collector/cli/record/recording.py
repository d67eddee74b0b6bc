"""Record tasks one after the other: say what becomes a step, and obey what is typed meanwhile."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from collector.cli.device.phone import leased_phone
from collector.cli.output import print_json, say
from collector.cli.record.typed_lines import STOP, TypedLines, typed_lines
from collector.device.device_lease import RECORDING
from collector.device.session import DeviceSession
from collector.judge.evaluation.steps_evaluation import LiveVerdicts
from collector.judge.registry import RULES_JUDGE
from collector.model.errors import UserError
from collector.model.i18n import N_, _, ngettext
from collector.model.verdicts.judgement import TASK, Subject
from collector.recorder.events import (
    NextStateReady,
    Phase,
    RecorderNotice,
    RecordingState,
    StepCommitted,
    StepsChanged,
)
from collector.recording.task_recording import TaskRecording, wait_for_screen
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory

_FINISH, _NEXT, _UNDO, _PAUSE, _QUIT = ("", "f"), ("n",), ("u",), ("p",), ("q", STOP)
_LOOK_SECONDS = 0.1
_DISCARDED = "discarded"
"""The status of a recording that was not kept: it had no step."""
Tell = Callable[[str], None]
_HELP = N_(
    "Enter: finish   n: finish, then the next task   u: undo   p: pause   q or Ctrl+C: keep unfinished"
)
_PHASES = {
    Phase.RECORDING: N_("The recording goes on"),
    Phase.PAUSED: N_("Paused"),
    Phase.FINISHING: N_("Waiting for the last screen"),
}


def record_tasks(
    tasks: tuple[str, ...], who: str, folder: Path, serial: str, *, by_itself: bool, has_video: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Record a golden trajectory of each task until one is kept unfinished. Raises UserError."""
    project = Project.open(folder)
    project.require_writable()
    unknown = [task for task in tasks if project.task(task) is None]
    if unknown:
        raise UserError(
            _("The project has no task {id}", id=unknown[0]), "", _("`waymark task list` lists them")
        )
    done, tell = [], partial(say, err=as_json)  # of JSON the document alone is printed
    with (
        leased_phone(serial, RECORDING) as device,
        _session(device.serial) as session,
        typed_lines() as typed,
    ):
        tell(_(_HELP))
        for task in tasks:
            recording = TaskRecording(project, task, who, session, has_video=has_video)
            outcome, goes_on = _record(recording, task, typed, tell, by_itself=by_itself)
            done.append(outcome)
            if not goes_on:
                break
    if as_json:
        print_json({"recordings": done})


def record_again(
    project: Project, place: Path, who: str, serial: str, step: int, *, inserts: bool, as_json: bool
) -> None:
    """Record a trajectory on from a step, or steps before it, once the phone is there. Raises UserError."""
    from collector.recording.edits.step_edits import step_to_replace

    tell = partial(say, err=as_json)
    stored, _step = step_to_replace(project, place, who, step)
    with (
        leased_phone(serial, RECORDING) as device,
        _session(device.serial) as session,
        typed_lines() as typed,
        TaskRecording(project, stored.header.task_id, who, session, resumed=place) as recording,
    ):
        tell(_("Bringing the phone to where step {number} begins", number=step + 1))
        recording.go_on_at(step, inserts=inserts)
        recording.events.subscribe(partial(_tell_event, tell))
        tell(_(_HELP))
        tell(_("The phone is where step {number} begins", number=step + 1))
        _word, is_finished = _obey(recording, typed, by_itself=False)
    outcome = _outcome(place, stored.header.task_id)
    _tell_outcome(tell, outcome, is_finished=is_finished)
    if as_json:
        print_json({"recordings": [outcome]})


@contextlib.contextmanager
def _session(serial: str) -> Iterator[DeviceSession]:
    session = DeviceSession(serial)
    session.start()
    try:
        wait_for_screen(session)
        yield session
    finally:
        session.close()


def _record(
    recording: TaskRecording, task: str, typed: TypedLines, tell: Tell, *, by_itself: bool
) -> tuple[dict[str, Any], bool]:
    """Record one task. Returns what came of it, and whether the next one may begin."""
    recording.events.subscribe(partial(_tell_event, tell))
    with recording:  # from here on a touch is recorded, so it is said now
        tell(_("Recording {task} as {id}", task=task, id=recording.folder.name))
        if recording.rules_problem:
            tell(_("The states are not judged: {why}", why=recording.rules_problem))
        word, is_finished = _obey(recording, typed, by_itself=by_itself)
    outcome = _outcome(recording.folder, task)
    _tell_outcome(tell, outcome, is_finished=is_finished)
    return outcome, is_finished and (by_itself or word in _NEXT)


def _tell_outcome(tell: Tell, outcome: dict[str, Any], *, is_finished: bool) -> None:
    steps, name = ngettext("{count} step", "{count} steps", outcome["steps"]), outcome["trajectory"]
    if outcome["status"] == _DISCARDED:
        tell(_("Nothing was recorded: {id} is not kept", id=name))
        return
    tell(
        _("Finished {id}: {steps}", id=name, steps=steps)
        if is_finished
        else _("Kept, not finished: {id}, {steps}", id=name, steps=steps)
    )


def _obey(recording: TaskRecording, typed: TypedLines, *, by_itself: bool) -> tuple[str, bool]:
    """Do what is typed until the recording ends; returns what ended it, and whether it is finished."""
    while True:
        word = typed.next(_LOOK_SECONDS)
        if word is None:
            if by_itself and recording.verdicts.done is not None and recording.recorder.next_index:
                return _FINISH[0], recording.finish()
        elif word in _UNDO:
            recording.recorder.undo()
            say(_("The phone stays where it is: bring it to where the next step begins"), err=True)
        elif word in _PAUSE:
            is_paused = recording.recorder.phase is Phase.PAUSED
            (recording.recorder.resume if is_paused else recording.recorder.pause)()
        elif word in (*_FINISH, *_NEXT, *_QUIT):
            try:
                return word, word not in _QUIT and recording.finish()
            except UserError as error:  # there is nothing to finish
                say(str(error), err=True)
        else:
            say(_(_HELP), err=True)


def _outcome(folder: Path, task: str) -> dict[str, Any]:
    """What was recorded, as it is on the disk; nothing is left of a recording without a step."""
    if not folder.exists():
        return {
            "trajectory": folder.name, "task": task, "folder": str(folder), "status": _DISCARDED, "steps": 0,
            "verdict": None,
        }  # fmt: skip
    stored = open_trajectory(folder)
    verdict = stored.judgements().newest().get((RULES_JUDGE, Subject(TASK)))
    return {
        "trajectory": stored.header.id, "task": task, "folder": str(folder), "status": stored.header.status,
        "steps": len(stored.steps), "verdict": verdict.verdict if verdict is not None else None,
    }  # fmt: skip


def _tell_event(tell: Tell, event: object) -> None:
    """Tell what happened; on a thread of the recording."""
    match event:
        case StepCommitted(step=step) if step.action is not None:
            tell(f"{step.index + 1:>3}  {step.description}")
            if step.state.problem:
                tell(f"     {step.state.problem}")
        case NextStateReady():
            tell("     " + _("Next state captured"))
        case StepsChanged(title=title):
            tell(_("Undone: {title}", title=title))  # nothing else changes them here
        case RecorderNotice(what=what, to_do=to_do):
            say(f"{what}. {to_do}" if to_do else what, err=True)
        case RecordingState(phase=phase, reason=reason) if phase in _PHASES:
            tell(f"{_(_PHASES[phase])}. {reason}" if reason else _(_PHASES[phase]))
        case LiveVerdicts(done=done) if done is not None:
            tell(_("The rules say that the task is done"))
