"""Mend values of a source that no file of a project can hold, and say so; everything else stays as it is.

Sources hold half surrogate pairs, infinite numbers, ids without a visible character, times beyond any clock
and lists within lists without end. Written as they are, such values would make a file unreadable.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.source.model import SourceEvent, SourceStep, SourceTrajectory
from collector.model.action import HALLUCINATED, Action, Invalid, Type
from collector.model.app_data.kept_proof import kept_proof_from
from collector.model.app_data.target import TaskTarget
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import Target
from collector.store.redaction.screens import MASK
from collector.targets.reader import TargetError, read_target

MAX_ID = 200
MAX_TEXT = 100_000
MAX_DEPTH = 40
MAX_NUMBER = 2**53
"""The largest number that every reader of JSON keeps exactly."""
_MASKED = re.compile(r"[*\u2022\u25cf\u00b7\u2217]{2,}")
_HALVES = re.compile("[\ud800-\udfff]")
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\s]+")
_OWN_KEYS = frozenset(field.name for field in dataclasses.fields(Task))


_Record = TypeVar("_Record", bound=Any)


class _Mender:
    """Mends values, and reports each kind of fault once."""

    def __init__(self, log: ExchangeLog, step: str | None = None) -> None:
        self._log = log
        self._step = step

    def value(self, value: Any, depth: int = 0) -> Any:
        """Plain data without what cannot be written; other objects become their text."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, (int, float)):
            return self.number(value)
        if depth >= MAX_DEPTH:
            text = _("A value nested over {limit} deep was left out", limit=MAX_DEPTH)
            self._log.add("too-deep", text, step=self._step)
            return None
        if isinstance(value, Mapping):
            return {self.text(str(key)): self.value(entry, depth + 1) for key, entry in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.value(entry, depth + 1) for entry in value]
        return self.text(str(value))

    def record(self, record: _Record) -> _Record:
        """A frozen dataclass, or None, with its values mended; a number that no file can hold is None."""
        if record is None:
            return record
        changes: dict[str, Any] = {}
        for item in dataclasses.fields(record):
            given = getattr(record, item.name)
            if dataclasses.is_dataclass(given):
                changes[item.name] = self.record(given)
            elif item.name != "path":
                mended = self.value(given)
                is_lost_number = isinstance(mended, str) and not isinstance(given, str)
                changes[item.name] = None if is_lost_number else mended
        return dataclasses.replace(record, **changes)

    def text(self, text: str) -> str:
        """A text of whole characters, at most ``MAX_TEXT`` of them."""
        if len(text) > MAX_TEXT:
            sentence = _("A text was cut after {limit} characters", limit=MAX_TEXT)
            self._log.add("text-cut", sentence, step=self._step)
            text = text[:MAX_TEXT]
        whole = _whole(text)
        if whole != text and "\ufffd" in whole:
            sentence = _("Halves of characters in a text were replaced by \ufffd")
            self._log.add("half-characters", sentence, step=self._step)
        return whole

    def number(self, number: float) -> float | str:
        """A number, as a text when it is not finite or too large for other programs."""
        if isinstance(number, int):
            if abs(number) <= MAX_NUMBER:
                return number
        elif math.isfinite(number):
            return number
        sentence = _("An infinite or too large number is kept as a text")
        self._log.add("number-as-text", sentence, step=self._step)
        try:
            return self.text(str(number))
        except ValueError:  # of more digits than Python writes
            return ">" if number > 0 else "<"


def _mended_target(target: TaskTarget, mender: _Mender, log: ExchangeLog, task_id: str) -> TaskTarget | None:
    """The target as a file can hold it; None when it is none any more."""
    try:
        return read_target(mender.value(target.source))
    except TargetError as error:
        log.add("target-left-out", _("A target was left out: {why}", why=error), step=task_id)
        return None


def mend_task(task: Task, source: str, log: ExchangeLog) -> Task:
    """The task as a file can hold it; ``source`` names one whose own id says nothing."""
    task_id = _fitting_id(task.id, source)
    mender = _Mender(log, task_id)
    values: dict[str, Any] = {
        field.name: mender.value(getattr(task, field.name))
        for field in dataclasses.fields(Task)
        if field.name not in ("id", "extra", "expected_answer", "target", "proof", "replies", "parameters")
    }
    if task.expected_answer is not None:
        texts = tuple(mender.text(text) for text in task.expected_answer.texts)
        values["expected_answer"] = dataclasses.replace(task.expected_answer, texts=texts)
    values["rewordings"] = {style: tuple(said) for style, said in values["rewordings"].items()}
    values["parameters"] = task.parameters
    values["replies"] = tuple(
        dataclasses.replace(reply, question=mender.text(reply.question), answer=mender.text(reply.answer))
        for reply in task.replies
    )
    if task.target is not None:
        values["target"] = _mended_target(task.target, mender, log, task_id)
    if task.proof is not None:
        values["proof"] = kept_proof_from(mender.value(task.proof.as_dict()))
    values["id"] = task_id
    extra = {}
    for key, value in mender.value(task.extra).items():
        extra[f"source_{key}" if key in _OWN_KEYS else key] = value
    for key in _OWN_KEYS.intersection(task.extra):
        log.add(
            "key-renamed",
            _("A key of the source has another meaning here and is kept as {name}", name=f"source_{key}"),
            step=task_id,
            severity=NOTE,
        )
    if task_id != task.id:
        log.add(
            "id-mended",
            _("An id that cannot name a task was changed"),
            step=f"{ascii(task.id)[:60]} > {task_id}",
            severity=NOTE,
        )
    for name in ("target_rule_ids", "essential_states", "forbidden"):
        values[name] = tuple(values[name])
    for name in ("max_steps", "golden_wanted"):
        if isinstance(values[name], str):
            del values[name]
    return Task(**values, extra=extra)


def _fitting_id(task_id: str, source: str) -> str:
    """An id people can see and type; of an over-long one the beginning and a digest."""
    for name in (task_id, source, "task"):
        clean = _INVISIBLE.sub(" ", _whole(name).replace("\ufffd", " ")).strip()
        if len(clean) > MAX_ID:
            clean = f"{clean[: MAX_ID // 2].strip()}~{hashlib.sha256(clean.encode()).hexdigest()[:8]}"
        if clean:
            return clean
    raise AssertionError("the last name is visible")


def mend_trajectory(source: SourceTrajectory, log: ExchangeLog) -> None:
    """Mend everything of ``source`` that is written as text or number, in place; its task apart."""
    mender = _Mender(log)
    source.name = log.where = mender.text(source.name)
    source.kind, source.started = mender.text(source.kind), mender.text(source.started)
    source.episode, source.outcome = mender.record(source.episode), mender.record(source.outcome)
    source.judgements = [mender.record(judgement) for judgement in source.judgements]
    source.device, source.extra = mender.value(source.device), mender.value(source.extra)
    source.software = {name: str(version) for name, version in mender.value(source.software).items()}
    source.apps = {name: str(version) for name, version in mender.value(source.apps).items()}
    source.who, source.note = mender.text(source.who), mender.text(source.note)
    source.annotations = mender.value(source.annotations)
    source.events = [
        SourceEvent(mender.text(event.kind), _time(event.t_ms), mender.value(event.data))
        for event in source.events
    ]
    for step in source.steps:
        step.name, step.wall_time = mender.text(step.name), mender.text(step.wall_time)
        step.package, step.activity = mender.text(step.package), mender.text(step.activity)
        step.intention, step.extra = mender.text(step.intention), mender.value(step.extra)
        step.note, step.target = mender.text(step.note), _mended_node(step.target, mender)
        if (mended := mender.text(str(step.description))) != step.description:
            step.description = mended
        step.t_ms = None if step.t_ms is None else _time(step.t_ms)
        _hide_masked_texts(step)
        _mend_actions(step, mender, log)


def _mended_node(target: Target | None, mender: _Mender) -> Target | None:
    """The node of a step with plain values; its place stays."""
    if target is None:
        return None
    attributes = {mender.text(str(key)): mender.text(str(value)) for key, value in target.attributes.items()}
    selectors = tuple(mender.text(str(each)) for each in target.selectors)
    return dataclasses.replace(target, attributes=attributes, selectors=selectors)


def _mend_actions(step: SourceStep, mender: _Mender, log: ExchangeLog) -> None:
    """Mend the action of a step and what its agent said; an agent's action beyond any screen is invalid."""
    turn = step.agent
    invalid = Invalid(turn.raw, HALLUCINATED, _("An action lies beyond any screen")) if turn else None
    if turn is not None:
        predicted = _mended(turn.predicted, mender) or (invalid if turn.predicted is not None else None)
        turn = mender.record(dataclasses.replace(turn, predicted=None))
        step.agent = dataclasses.replace(turn, predicted=mender.record(predicted))
    if step.action is not None:
        action = _mended(step.action, mender)
        if action is None:
            log.add("action-unknown", _("An action lies beyond any screen"), step=step.name)
        step.action = action or mender.record(invalid)


def _mended(action: Action | None, mender: _Mender) -> Action | None:
    """The action with whole texts; None for none, and for one whose numbers no file can hold."""
    if action is None:
        return None
    given = dataclasses.asdict(action)
    changed = {name: mender.value(value) for name, value in given.items() if name != "path"}
    if any(isinstance(changed[name], str) and not isinstance(given[name], str) for name in changed):
        return None
    return dataclasses.replace(action, **changed)


def _hide_masked_texts(step: SourceStep) -> None:
    """Keep nothing of a text that the source shows in dots, as passwords are: its length tells something."""
    turn = step.agent
    for action in (step.action, turn.predicted if turn is not None else None):
        if not isinstance(action, Type) or not _MASKED.fullmatch(action.text):
            continue
        step.extra = _replaced(step.extra, action.text)
        if step.action == action:
            step.action = Type(redacted=True)
        if turn is not None:
            predicted = Type(redacted=True) if turn.predicted == action else turn.predicted
            thought, raw = (_replaced(text, action.text) for text in (turn.thought, turn.raw))
            turn = step.agent = dataclasses.replace(turn, predicted=predicted, thought=thought, raw=raw)


def _replaced(value: Any, text: str) -> Any:
    """Plain data with a mask of constant length in place of ``text``."""
    if isinstance(value, str):
        return value.replace(text, MASK)
    if isinstance(value, dict):
        return {key: _replaced(entry, text) for key, entry in value.items()}
    return [_replaced(entry, text) for entry in value] if isinstance(value, list) else value


def _whole(text: str) -> str:
    """A text whose surrogate pairs are characters, and whose halves of one are U+FFFD."""
    if not _HALVES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", errors="replace")


def _time(t_ms: int) -> int:
    return min(max(t_ms, 0), MAX_NUMBER)
