"""One trajectory as AITK's ``history.json`` and ``states`` folder, and what AITK has no place for."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from collector.exchange.aitk.actions import OWN_ACTION, action_from, action_to
from collector.exchange.aitk.runs import episode_of, outcome_of
from collector.exchange.aitk.turns import AitkTranslator, read_step
from collector.exchange.aitk.verdicts import JUDGE
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.exported_picture import write_picture
from collector.exchange.source.model import SourceStep
from collector.model.action import Action, Answer, Complete, Impossible, action_to_dict
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.essential_state import EssentialState
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import Step
from collector.store.trajectory.achieved_states import marks_of
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import StoredTrajectory

HISTORY = "history.json"
_NOTHING = {"action": "wait", "time": 0}
"""Stands for no action: AITK has one in every step."""
_OURS = frozenset(("source_step", "source_action", "source_tree"))
_COMPLETED = (Answer, Complete, Impossible)


class AitkHistory:
    """Writes one trajectory into ``folder``, which does not exist yet."""

    def __init__(
        self,
        stored: StoredTrajectory,
        task: Task,
        task_keys: Mapping[str, Any],
        folder: Path,
        states: Mapping[str, EssentialState],
        log: ExchangeLog,
    ) -> None:
        """``task`` has the sentences of its essential states, ``task_keys`` is its line in ``tasks.jsonl``.

        ``states`` are those of the project by id.
        """
        self._states = states
        self._stored, self._task, self._line = stored, task, task_keys
        self._folder, self._log = folder, log
        self._is_run = stored.header.is_run
        self._copied: dict[str, str] = {}

    def write(self) -> None:
        """Write states and history. A run that never got its history has none: AITK would try it again."""
        for name in ("screenshots", "xmls"):
            (self._folder / "states" / name).mkdir(parents=True)
        steps = [self._step(number, step) for number, step in enumerate(self._stored.steps)]
        outcome = self._stored.header.outcome
        was_cut = outcome is not None and outcome.infrastructure != "" and not self._actions()
        if was_cut:
            return
        count = self._count()
        for number in range(count, len(steps)):
            text = _("AITK has no place for a screen after the end of a task")
            self._log.add("screen-lost", text, step=number)
        steps = steps[:count]
        self._add_achieved_states(steps)
        keys: dict[str, Any] = dict(self._line)
        if self._is_run:
            keys = {"task": keys.pop("task"), **keys, **self._configuration()}
        text = json.dumps({**keys, "steps": steps}, indent=2, ensure_ascii=self._is_run)
        (self._folder / HISTORY).write_bytes(text.encode("utf-8", "replace"))
        self._report(steps)

    def _actions(self) -> list[Action]:
        return [step.action for step in self._stored.steps if step.action is not None]

    def _count(self) -> int:
        """How many states are steps. A final state is one in an annotation that does not end otherwise."""
        steps = self._stored.steps
        acted = [
            number
            for number, step in enumerate(steps)
            if step.action is not None or step.agent is not None or "source_action" in step.extra
        ]
        last = steps[acted[-1]].action if acted else None
        if self._is_run or isinstance(last, _COMPLETED):
            return acted[-1] + 1 if acted else 0
        return len(steps)

    def _step(self, number: int, step: Step) -> dict[str, Any]:
        extra = {key: value for key, value in step.extra.items() if key not in _OURS}
        files = {
            "screenshot": self._copy(step, step.state.screenshot, "screenshots", number),
            "xml": self._copy(step, step.state.tree, "xmls", number),
        }
        order = sorted(files, reverse=self._is_run)  # as AITK's scripts write them
        values: dict[str, Any] = {**{key: files[key] for key in order}, **self._action(number, step)}
        if self._is_run:
            turn = step.agent or AgentTurn()
            values["agent_message"] = turn.raw or turn.thought
        values |= {"package": step.state.package, "activity": step.state.activity}
        return {**values, **extra}

    def _copy(self, step: Step, name: str, kind: str, number: int) -> str:
        """Copy a file of a state under AITK's name for it, and return that; empty when there is none."""
        if not name:
            text = _("A state has no file for `{name}`, which AITK's scripts need", name=kind)
            self._log.add("file-missing", text, step=number)
            return ""
        if name not in self._copied:  # steps may share the files of a state
            target = f"step_{number}{PurePosixPath(name).suffix or '.xml'}"
            place = self._folder / "states" / kind / target
            if name != step.state.screenshot:
                place.write_bytes(self._stored.blob(name) or b"")
            elif not write_picture(self._stored, step, place, self._log, number):
                return ""
            self._copied[name] = target
        return self._copied[name]

    def _action(self, number: int, step: Step) -> dict[str, Any]:
        source = step.extra.get("source_action")
        if isinstance(source, dict) and step.action in (None, self._read(source, step)):
            return {"action": source}
        if step.action is None:
            is_end = not self._is_run and number == len(self._stored.steps) - 1
            return {"action": action_to(Complete()) if is_end else _NOTHING, OWN_ACTION: None}
        values = action_to(step.action)
        if self._read(values, step) == step.action:
            return {"action": values}
        text = _("AITK has no word for all of an action: {kind}", kind=step.action.kind)
        self._log.add("action-changed", text, step=number)
        return {"action": values, OWN_ACTION: action_to_dict(step.action)}

    def _read(self, values: Mapping[str, Any], step: Step) -> Action | None:
        """The action an importer would read."""
        if self._is_run:
            return read_step({"action": values, "agent_message": step.agent.raw if step.agent else ""}).action
        try:
            return action_from(values)
        except ValueError:
            return None

    def _add_achieved_states(self, steps: Sequence[dict[str, Any]]) -> None:
        """Add the marks of all people to the steps. In a run AITK's annotator makes none."""
        by_person = list(filter(None, map(marks_of, self._stored.annotations().values())))
        marks = [mark for own in by_person for mark in own]
        if self._is_run and not marks:
            return
        for step in steps:
            step["achieved_essential_states"] = []
        for mark in marks:
            if 0 <= mark.step < len(steps):
                reached = steps[mark.step]["achieved_essential_states"]
                state = self._states.get(mark.state)
                sentence = state.sentence or state.id if state is not None else mark.name
                reached += [sentence] if sentence not in reached else []
        if len(by_person) > 1:
            text = _("AITK keeps one person's marks of essential states; those of several are put together")
            self._log.add("annotators-joined", text)

    def _configuration(self) -> dict[str, Any]:
        """``exp_args`` as it was imported, or AITK's configuration as far as the episode fills it."""
        header = self._stored.header
        if header.extra.get("imported_from") == "aitk":  # Appium's runs have none
            return {"exp_args": header.extra["exp_args"]} if "exp_args" in header.extra else {}
        episode = header.episode or Episode()
        arguments = {"model": episode.model} if episode.model not in ("", episode.agent) else {}
        config = {
            "device": {"udid": str(header.device.get("serial") or "")},
            "translator": episode.agent,
            "translator_args": arguments,
            "experiment": {"name": episode.experiment, "backend": "adb", "screen_record": False},
        }
        return {"exp_args": config}

    def _report(self, steps: Sequence[Mapping[str, Any]]) -> None:
        """Report what an import of the folder would not give back."""
        header = self._stored.header
        if self._is_run:
            config, task_name = self._configuration().get("exp_args"), str(self._line.get("name") or "")
            translator = AitkTranslator.of(config)
            read_back = episode_of(self._folder, config, task_name, self._folder.parent.name)
            episode = header.episode or Episode()
            if not episode.model:  # AITK names the model after the agent: that adds, and loses nothing
                read_back = dataclasses.replace(read_back, model="")
            self._compare(episode, read_back)
            read = [SourceStep("", action=step.action) for step in self._stored.steps]
            stored = read_judgements(self._stored.folder).judgements
            answers = [judgement for judgement in stored if judgement.judge == JUDGE]  # are written, too
            if header.outcome is not None:
                self._compare(header.outcome, outcome_of(self._task, read, answers))
            for number, (step, values) in enumerate(zip(self._stored.steps, steps, strict=False)):
                turn = read_step(values, translator, step.state.size).turn
                said = step.agent or AgentTurn()
                if OWN_ACTION in values:
                    turn = dataclasses.replace(turn, predicted=step.action)
                self._compare(said, turn, number)
        for name in ("note", "intention"):
            for number, step in enumerate(self._stored.steps):
                if getattr(step, name):
                    self._lose(name, number)
        if any(step.wall_time for step in self._stored.steps) or header.started:
            self._log.add(
                "times-lost", _("AITK has no times: when each step was taken is only in the project")
            )
        if header.note:
            self._lose("note")
        if self._stored.events():
            text = _("AITK has no events: anomalies, answers and follow-ups are only in the project")
            self._log.add("events-lost", text)

    def _compare(
        self,
        given: Episode | Outcome | AgentTurn,
        read: Episode | Outcome | AgentTurn,
        step: int | None = None,
    ) -> None:
        for field in dataclasses.fields(given):
            if getattr(given, field.name) != getattr(read, field.name):
                self._lose(field.name, step)

    def _lose(self, name: str, step: int | None = None) -> None:
        self._log.add("field-lost", _("The format has no place for `{name}`", name=name), step=step)
