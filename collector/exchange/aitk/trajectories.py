"""Human annotations and agent runs: ``history.json`` and ``states/{screenshots,xmls}/step_<n>``.

Answers of the evaluator (``eval_results.jsonl``) become judgements of the runs beside them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.aitk import tasks as aitk_tasks
from collector.exchange.aitk.actions import OWN_ACTION, action_from, own_action
from collector.exchange.aitk.history import HISTORY
from collector.exchange.aitk.runs import RUNS, cut_short, device_of, episode_of, outcome_of
from collector.exchange.aitk.tasks import task_from
from collector.exchange.aitk.turns import AitkTranslator, read_step
from collector.exchange.aitk.verdicts import read_verdicts
from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.source import files as source_files
from collector.exchange.source.answers import why_unread
from collector.exchange.source.checks import picture_size
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, RUN
from collector.model.verdicts.judgement import Judgement

_STEP_KEYS = frozenset((
    "xml", "screenshot", "action", "agent_message", "package", "activity", "achieved_essential_states",
    OWN_ACTION,
))  # fmt: skip
_OF_TASK = frozenset((*aitk_tasks.KEYS, *aitk_tasks.STATE_KEYS, "steps", "exp_args"))
_DERIVED = ("marked_screenshots", "traj_combined.png", "eval_func.pkl")


def detect(path: Path) -> float:
    """Sure when a ``history.json`` lies beside a ``states`` folder."""
    for folder in source_files.folders(path):
        if (folder / HISTORY).is_file() and (folder / "states").is_dir():
            return 0.95
    return 0.6 if any((folder / "states" / "xmls").is_dir() for folder in source_files.folders(path)) else 0.0


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """The task files first, so that runs find their tasks; then every trajectory at or below ``path``.

    A folder whose history is missing still gives its states.
    """
    if path.is_dir():
        yield from aitk_tasks.read(path, log)
    verdicts = read_verdicts(path, log)
    for folder in source_files.folders(path):
        if (folder / "states" / "screenshots").is_dir() or (folder / HISTORY).is_file():
            log.where = folder.name
            # Between what is imported and a run lies the folder of its experiment.
            experiment = folder.parent.name if path not in (folder, folder.parent) else ""
            experiment = "" if experiment == RUNS else experiment
            yield _trajectory(folder, experiment, verdicts.get(folder, []), log)


def _trajectory(
    folder: Path, experiment: str, judgements: list[Judgement], log: ExchangeLog
) -> SourceTrajectory:
    history = _history(folder, log)
    steps = _steps(history)
    config = history.get("exp_args")
    is_run = "exp_args" in history or any("agent_message" in step for step in steps)
    if not history:
        config = _config_beside(folder)
        is_run = bool(judgements or config)
    task = _task(folder, history, log)
    trajectory = SourceTrajectory(folder.name, task, [], kind=RUN if is_run else GOLDEN)
    if "exp_args" in history:
        trajectory.extra["exp_args"] = config
    _add_steps(trajectory, folder, steps, AitkTranslator.of(config) if is_run else None, log)
    if is_run:
        trajectory.device = device_of(config)
        trajectory.episode = episode_of(folder, config, task.id, experiment)
        trajectory.judgements = _within(judgements, len(trajectory.steps))
        trajectory.outcome = outcome_of(task, trajectory.steps, judgements) if history else cut_short()
    _add_derived(folder, log)
    return trajectory


def _config_beside(folder: Path) -> object:
    """The configuration of the experiment of ``folder``, from a finished run of it; None without one."""
    for beside in sorted(folder.parent.glob(f"*/{HISTORY}")):
        try:
            history = source_files.read_json(beside)
        except ExchangeError:
            continue
        return history.get("exp_args") if isinstance(history, dict) else None
    return None


def _within(judgements: list[Judgement], count: int) -> list[Judgement]:
    """The judgements, their windows cut at the last state: AITK shows the model that one twice."""
    within = []
    for judgement in judgements:
        subject = judgement.subject
        if subject.last is not None and subject.last >= count:
            subject = dataclasses.replace(subject, last=max(0, count - 1))
        within.append(dataclasses.replace(judgement, subject=subject))
    return within


def _history(folder: Path, log: ExchangeLog) -> Mapping[str, Any]:
    path = folder / HISTORY
    log.use(path)
    try:
        history = source_files.read_json(path) if path.is_file() else None
    except ExchangeError as error:
        log.add("history-unreadable", str(error))
        return {}
    if not isinstance(history, dict):
        log.add(
            "history-missing",
            _("There is no history.json: the run was cut short, so it has states but no actions and no task"),
        )
        return {}
    return history


def _steps(history: Mapping[str, Any]) -> list[dict[str, Any]]:
    steps = history.get("steps")
    return [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []


def _task(folder: Path, history: Mapping[str, Any], log: ExchangeLog) -> Task:
    try:
        extra = {key: value for key, value in history.items() if key not in _OF_TASK}
        return dataclasses.replace(task_from(history), extra=extra)
    except ValueError as error:
        if history:
            log.add("task-incomplete", _("The task in history.json is incomplete: {why}", why=error))
        return Task(id=folder.name, instruction=str(history.get("task", "")))


def _add_steps(
    trajectory: SourceTrajectory,
    folder: Path,
    steps: list[dict[str, Any]],
    translator: AitkTranslator | None,
    log: ExchangeLog,
) -> None:
    shots = source_files.numbered(folder / "states" / "screenshots", r"step_(\d+)" + source_files.PICTURE)
    trees = source_files.numbered(folder / "states" / "xmls", r"step_(\d+)\.xml")
    claimed: set[Path] = set()
    achieved = []
    for number, step in enumerate(steps):
        shot = _named(folder / "states" / "screenshots", step.get("screenshot"), log, number)
        tree = _named(folder / "states" / "xmls", step.get("xml"), log, number)
        claimed.update(path for path in (shot, tree) if path)
        ready = _step(str(number), step, shot, tree)
        trajectory.steps.append(ready)
        _add_action(ready, step, translator, log)
        reached = step.get("achieved_essential_states")
        reached = reached if isinstance(reached, list) else []
        achieved += [{"step": number, "state": str(state)} for state in reached]
    if achieved:
        trajectory.annotations["achieved_states"] = achieved
    left = sorted(
        number
        for number in shots.keys() | trees.keys()
        if shots.get(number) not in claimed and trees.get(number) not in claimed
    )
    for number in left:
        if steps and number < len(steps) - 1:
            continue  # reported as a file of no step
        trajectory.steps.append(SourceStep(str(number), shots.get(number), trees.get(number)))
        log.add("no-action", _("A state has no action in history.json"), step=number, severity=NOTE)


def _named(folder: Path, name: object, log: ExchangeLog, step: int) -> Path | None:
    """The file a step names, if it exists and is a plain name."""
    if not name:
        return None
    path = folder / Path(str(name).replace("\\", "/")).name
    if not source_files.is_file(path):
        log.add("file-missing", _("A file that history.json names is not there"), step=step)
        return None
    return path


def _step(name: str, values: dict[str, Any], screenshot: Path | None, tree: Path | None) -> SourceStep:
    return SourceStep(
        name,
        screenshot,
        tree,
        package=str(values.get("package") or ""),
        activity=str(values.get("activity") or ""),
        extra={key: value for key, value in values.items() if key not in _STEP_KEYS},
    )


def _add_action(
    step: SourceStep, values: dict[str, Any], translator: AitkTranslator | None, log: ExchangeLog
) -> None:
    """Set the action of ``step``; with the ``translator`` of a run also what the agent said."""
    action = values.get("action")
    if isinstance(action, dict) and OWN_ACTION not in values:  # otherwise it is only near
        step.extra["source_action"] = action
    if translator is not None:
        has_action = OWN_ACTION not in values or values[OWN_ACTION] is not None
        given = values if has_action else {**values, "action": None}
        ready = read_step(given, translator, picture_size(step.screenshot) or Size(0, 0))
        step.action, step.agent = ready.action, ready.turn
    elif isinstance(action, dict):
        try:
            step.action = action_from(action)
        except ValueError as error:
            log.add(
                "action-unknown",
                _("An action is not understood: {why}", why=why_unread(error)),
                step=step.name,
            )
    if OWN_ACTION in values:
        step.action = own_action(values[OWN_ACTION]) or (step.action if values[OWN_ACTION] else None)


def _add_derived(folder: Path, log: ExchangeLog) -> None:
    """Report derived files, programs and videos, which are left out."""
    for name in _DERIVED:
        path = folder / name
        if not path.exists():
            continue
        log.use(*source_files.files(path))
        if path.suffix == ".pkl":
            log.add("pickle-refused", _("{name} is a program in disguise and is never opened", name=name))
        else:
            log.add(
                "derived",
                _("{name} is generated from the other files and was left out", name=name),
                severity=NOTE,
            )
    video = folder / "process.mp4"
    if video.exists():
        log.use(video)
        log.add("video-left-out", _("process.mp4 was left out: videos are not imported"))
