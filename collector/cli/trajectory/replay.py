"""``waymark trajectory replay``: replay a recorded trajectory on a phone, each step guarded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from collector.cli.device.phone import leased_phone
from collector.cli.option_values import set_option, set_values
from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.shared_options import device_option, in_project
from collector.cli.step_numbers import FROM_0, step_numbers
from collector.cli.trajectory.reference import find
from collector.cli.trajectory.replay_options import (
    no_record_option,
    options_of,
    part_of,
    part_options,
    replay_options,
    timing_of,
    timing_options,
)
from collector.cli.verb_groups import trajectory
from collector.device.device_lease import REPLAY
from collector.judge.evaluation.task_rules import TaskRules
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.text.one_line import one_line
from collector.model.trajectory import Step, TrajectoryHeader
from collector.project_rules.project_rules import ProjectRules
from collector.replay.other_values import OtherValues, RecordingWithValues, values_for_replay
from collector.replay.outcomes import (
    ReplayEvent,
    ReplayResult,
    ReplayStage,
    ReplayStatus,
    StepOutcome,
    why_of,
)
from collector.replay.phone import opened_phone
from collector.replay.replay import Replay
from collector.replay.replay_plan import ReplayPlan, plan_replay
from collector.replay.replay_run import ReplayRuns
from collector.replay.solvability.trial_run import TrialRun
from collector.store.files.zip_path import is_zip
from collector.store.tasks.task_values import recorded_values
from collector.store.trajectory import codec
from collector.store.trajectory.reader import open_trajectory

_WIDEST = 400
_EXPERIMENT = "replays"
_STATUS = {
    ReplayStatus.DONE: N_("done"),
    ReplayStatus.DIVERGED: N_("another screen"),
    ReplayStatus.REFUSED: N_("cannot be done"),
    ReplayStatus.FAULT: N_("stopped by a fault"),
    ReplayStatus.LOST: N_("the phone is gone"),
    ReplayStatus.CANCELLED: N_("cancelled"),
    ReplayStatus.FAILED: N_("the task was not done"),
}


@trajectory.command()
@click.argument("reference")
@in_project
@device_option
@replay_options
@part_options
@timing_options
@set_option
@click.option(
    "--seed", type=int, help="Replay with the values that the parameters of the task have for a seed."
)
@click.option("--dry-run", is_flag=True, help="Only say what would be done; no phone is needed.")
@no_record_option
@json_option
def replay(
    reference: str, folder: Path, serial: str, wait: float, fresh: bool, texts: tuple[str, ...],
    only: int | None, first: int | None, timing: str | None, pause_s: float | None,
    given: tuple[str, ...], seed: int | None, dry_run: bool, no_record: bool, as_json: bool,
) -> int:  # fmt: skip
    """Replay a trajectory on a phone. REFERENCE is an id, task/id, folder or zip file.

    A step is replayed only on its own screen; its target is found by its selectors. The task is judged by
    its rules, else by the last recorded state. Steps under an injected dialog are left out. Parameters have
    the recorded values, or those of --set and --seed. The replay is recorded as a run, unless --no-record
    is given. With --step or --from the phone is taken as it stands, and nothing is recorded. Steps count
    from 1. Exit status: 0 the task was done, 1 it was not, 2 wrong usage.
    """
    part = part_of(only, first)
    if fresh and not part.is_whole:
        raise click.UsageError(_("--fresh begins at the first step: leave out --step and --from"))
    options = replace(options_of(wait, fresh, texts), part=part, timing=timing_of(timing, pause_s))
    place = Path(reference)
    stored = open_trajectory(place if is_zip(place) else find(reference, folder))
    around = ProjectRules.around(stored.folder)
    task_id = stored.header.task_id
    task = around.project.task(task_id) if around is not None else None
    values = _values(stored.header, task, seed, given)
    others = OtherValues.between(recorded_values(stored.header, task), values)
    recorded = RecordingWithValues.of(stored, others) if others else stored
    plan = plan_replay(recorded.steps, options)
    if dry_run:
        _print_plan(plan, as_json=as_json)
        return 0
    rules = TaskRules()
    if around is not None and task is not None:
        rules = TaskRules.of(around, task_id).with_values_of(task, values)
    steps = {step.index: step for step in recorded.steps}
    with leased_phone(serial, REPLAY) as device, opened_phone(device) as phone:
        run = TrialRun()
        if around is not None and part.is_whole and not no_record:
            runs = ReplayRuns(around.project, device, _EXPERIMENT)
            run = TrialRun.begin(runs, task_id, stored.header.id, None, options.texts.values(), values)
        replayed = Replay(recorded, phone, options, rules, run=run.recorded)
        if not as_json:
            replayed.events.subscribe(lambda event: _print_event(event, steps, replayed))
        with run.cancelled_by_an_exception(replayed):
            result = replayed.run()
        run.end(result, replayed)
    if as_json:
        noted = {"left_out": list(replayed.left_out), "run": run.id, "problems": list(run.problems)}
        print_json({**FROM_0, **_as_dict(result), **noted})
    else:
        say(_end(result))
        if run.id:
            say(_("Recorded as {id}", id=run.id))
        for problem in run.problems:
            say(problem, err=True)
    return int(result.status is not ReplayStatus.DONE)


def _values(
    header: TrajectoryHeader, task: Task | None, seed: int | None, given: Sequence[str]
) -> Mapping[str, str]:
    """The values of the parameters to replay with. Raises UserError."""
    if task is None or not task.parameters:
        if given or seed is not None:
            raise click.UsageError(_("The task has no parameters: leave out --set and --seed"))
        return {}
    return values_for_replay(header, task, seed, set_values(given))


def _print_plan(plan: ReplayPlan, *, as_json: bool) -> None:
    if as_json:
        steps = [
            {
                "index": each.step.index, "action": codec.step_to_line(each.step)["action"],
                "after_ms": round(each.after_s * 1000), "selector": each.selector, "problem": each.problem,
            }
            for each in plan.steps
        ]  # fmt: skip
        print_json({**FROM_0, "app": plan.app, "steps": steps, "left_out": list(plan.left_out)})
        return
    if plan.app:
        say(_("The app {app} is closed first", app=plan.app))
    _print_left_out(plan.left_out)
    rows: list[list[object]] = [
        [each.step.index + 1, f"{each.after_s:.1f} s", each.step.description, each.selector, each.problem]
        for each in plan.steps
    ]
    print_table(["STEP", "AFTER", "ACTION", "TARGET", "PROBLEM"], rows)


def _print_left_out(left_out: Sequence[int]) -> None:
    if left_out:
        numbers = step_numbers(left_out)
        say(_("Left out, as they belong to an interruption: steps {steps}", steps=numbers))


def _print_event(event: ReplayEvent, steps: dict[int, Step], replayed: Replay) -> None:
    outcome = event.outcome
    if event.stage is ReplayStage.LOOKING and outcome is None and replayed.next == 0:
        _print_left_out(replayed.left_out)
    if outcome is None:
        return
    step = steps.get(outcome.index)
    status = _(_STATUS[outcome.status])
    line = f"{step.description}: {status}" if step is not None and step.description else status
    if outcome.moved:
        line += " " + _("(found elsewhere, by {selector})", selector=outcome.selector)
    say(f"{outcome.index + 1:>3}  {one_line(line, _WIDEST)}")
    if outcome.problem:
        say(f"     {one_line(outcome.problem, _WIDEST)}")


def _end(result: ReplayResult) -> str:
    verdict = result.verdict
    if verdict is None:
        return _(_STATUS[result.status])
    return why_of(result)


def _as_dict(result: ReplayResult) -> dict[str, Any]:
    verdict = result.verdict
    judged = None
    if verdict is not None:
        judged = {
            "holds": verdict.holds, "by": verdict.by, "rule": verdict.rule, "share": verdict.share,
            "said": verdict.detail,
        }  # fmt: skip
    return {
        "status": str(result.status), "stopped_at": result.stopped_at, "verdict": judged,
        "steps": [_step(outcome) for outcome in result.steps],
    }  # fmt: skip


def _step(outcome: StepOutcome) -> dict[str, Any]:
    missed, point = outcome.divergence, outcome.point
    return {
        "index": outcome.index, "status": str(outcome.status), "selector": outcome.selector,
        "moved": outcome.moved, "point": [point.x, point.y] if point is not None else None,
        "reason": missed.reason if missed is not None else "",
        "expected": missed.expected if missed is not None else "",
        "found": missed.actual if missed is not None else "",
        "nearest": missed.nearest if missed is not None else "",
        "why": outcome.why, "waited_ms": outcome.waited_ms,
    }  # fmt: skip
