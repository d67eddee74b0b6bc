"""Replay a recording of a task with parameters where they have other values than when it was recorded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from collector.model.action import Type
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import Step, Target, TrajectoryHeader
from collector.store.tasks.task_values import recorded_values, values_of

if TYPE_CHECKING:
    from collector.replay.replay import RecordedTrajectory

_SAID = ("text", "content-desc", "hint")
"""Attributes of nodes that say something to a person."""
_ATTRIBUTE = re.compile(rb'(?<=\s)(text|content-desc|hint)="([^"]*)"')
_SELECTED = re.compile(r"((?<![\w-])(?:text|content-desc|hint)\s*=\s*)'([^']*)'")
"""The parts of a selector that say something to a person."""
_ENTITIES = {'"': "&quot;"}


@dataclass(frozen=True, slots=True)
class OtherValues:
    """The values of a recording, each with the one that takes its place. Whole words alone are replaced."""

    now: Mapping[str, str] = field(default_factory=dict)
    """By the value of the recording."""

    @classmethod
    def of(cls, header: TrajectoryHeader, task: Task) -> OtherValues:
        """From the values that ``header`` keeps to those of ``task``, which has one for each parameter.

        Nothing for a task without parameters, and for values that are the same.
        """
        then = recorded_values(header, task)
        wanted = values_of(task, 0) if task.parameters else {}
        return cls.between(then, wanted)

    @classmethod
    def between(cls, then: Mapping[str, str], now: Mapping[str, str]) -> OtherValues:
        """From the values of a recording to others, both by the names of parameters."""
        return cls({
            value: now[name] for name, value in then.items()
            if value.strip() and now.get(name, value) != value
        })  # fmt: skip

    def __bool__(self) -> bool:
        return bool(self.now)

    def in_text(self, text: str) -> str:
        """The text with the values of now."""
        if not self.now or not text:
            return text
        longest_first = sorted(self.now, key=len, reverse=True)
        pattern = "|".join(rf"(?<!\w){re.escape(value)}(?!\w)" for value in longest_first)
        return re.sub(pattern, lambda match: self.now[match[0]], text)

    def in_step(self, step: Step) -> Step:
        """The step with them in the text that is typed, and in what names the node that was touched."""
        if not self.now:
            return step
        action = step.action
        if isinstance(action, Type) and not action.redacted:
            text = self.in_text(action.text)
            action = action if text == action.text else Type(text, len(text))
        target = self._in_target(step.target) if step.target is not None else None
        return replace(step, action=action, target=target, description=self.in_text(step.description))

    def in_xml(self, xml: bytes) -> bytes:
        """The dump of a recorded screen with them in what its nodes say."""
        if not self.now:
            return xml
        escaped = OtherValues({
            escape(then, _ENTITIES): escape(now, _ENTITIES) for then, now in self.now.items()
        })  # fmt: skip

        def said(match: re.Match[bytes]) -> bytes:
            words = escaped.in_text(match[2].decode("utf-8", "surrogateescape"))
            return match[1] + b'="' + words.encode("utf-8", "surrogateescape") + b'"'

        return _ATTRIBUTE.sub(said, xml)

    def _in_target(self, target: Target) -> Target:
        attributes = {
            name: self.in_text(value) if name in _SAID else value for name, value in target.attributes.items()
        }
        selectors = tuple(
            _SELECTED.sub(lambda match: f"{match[1]}'{self.in_text(match[2])}'", selector)
            for selector in target.selectors
        )
        return replace(target, attributes=attributes, selectors=selectors)


@dataclass(frozen=True, slots=True)
class RecordingWithValues:
    """A recording as it would be with other values; a :class:`collector.replay.replay.RecordedTrajectory`."""

    recording: RecordedTrajectory
    values: OtherValues
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, recording: RecordedTrajectory, values: OtherValues) -> RecordingWithValues:
        return cls(recording, values, tuple(map(values.in_step, recording.steps)))

    @property
    def header(self) -> TrajectoryHeader:
        return self.recording.header

    def tree(self, step: Step) -> bytes | None:
        """The dump of the step's screen with the values of now."""
        xml = self.recording.tree(step)
        return self.values.in_xml(xml) if xml is not None else None


def values_for_replay(
    header: TrajectoryHeader, task: Task, seed: int | None, given: Mapping[str, str]
) -> Mapping[str, str]:
    """The values to replay a recording with: its own or those of a seed, and over them those that are given.

    Raises UserError for a name that the task has no parameter of.
    """
    values = dict(recorded_values(header, task) if seed is None else values_of(task, seed))
    for name in given:
        if name not in values:
            known = ", ".join(values)
            raise UserError(
                _("Task {id} has no parameter {name}", id=task.id, name=name), "",
                _("Use one of: {known}", known=known) if known else "",
            )  # fmt: skip
        if f"{name}.iso" in values and f"{name}.iso" not in given:
            raise UserError(
                _("The date {name} is written in two ways", name=name), "",
                _("Give {name} too", name=f"{name}.iso"),
            )  # fmt: skip
    return {**values, **given}
