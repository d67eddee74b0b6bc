"""What an agent said in a step: its thought, its answer, and what was executed in place of its prediction."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from collector.hierarchy.captions import caption
from collector.model.action import Action
from collector.model.episode import AgentTurn
from collector.model.episode_text import usage_facts
from collector.model.i18n import _
from collector.model.predictions import invalid_of, was_changed
from collector.model.trajectory import Step
from studio.widgets.badge import Badge
from studio.widgets.captions.step_text import action_detail
from studio.widgets.controls import Label
from studio.widgets.plain_text_box import PlainTextBox

_NO_TURN = AgentTurn()
_LONGEST_LABEL = 1500
"""Characters of a thought that is shown whole; a longer one scrolls in a box."""


class AgentTurnView(QWidget):
    """Hidden for a step in which no agent said anything."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.invalid = _Strip()
        self._thought_title = Label(_("Thought"), "caption", "text-2")
        self.thought = Label("", wrap=True)
        self.thought.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.long_thought = PlainTextBox(_("Thought"))
        self.changed = _Changed()
        self.raw = PlainTextBox(_("Answer as received"), code=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        parts = (self.invalid, self._thought_title, self.thought, self.long_thought, self.changed, self.raw)
        for part in parts:
            column.addWidget(part)
            if part is not self._thought_title:
                part.setContentsMargins(0, 0, 0, 6)
        self.hide()

    def show_step(self, step: Step | None) -> None:
        """Show what was said in a step."""
        turn = step.agent if step is not None else None
        invalid = invalid_of(step) if step is not None else None
        self.setVisible(turn is not None or invalid is not None)
        if step is None or self.isHidden():
            return
        turn = turn or _NO_TURN
        self.invalid.show_reason(action_detail(invalid) if invalid is not None else "",
                                 invalid.reason if invalid is not None else "")  # fmt: skip
        is_long = len(turn.thought) > _LONGEST_LABEL
        self.thought.setText("" if is_long else turn.thought)
        for part in (self._thought_title, self.thought):
            part.setVisible(bool(turn.thought) and not is_long)
        self.long_thought.set_text(turn.thought if is_long else "")
        self.changed.show_actions(turn.predicted if was_changed(step) and invalid is None else None,
                                  step.action)  # fmt: skip
        self.raw.set_text(turn.raw or (invalid.raw if invalid is not None else ""))


class _Strip(QFrame):
    """The red strip of an invalid action: what is wrong, and why."""

    def __init__(self) -> None:
        super().__init__()
        self._badge = Badge()
        self.reason = Label("", "body", "text", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 2)
        column.setSpacing(4)
        row = QHBoxLayout()
        row.addWidget(self._badge)
        row.addStretch()
        column.addLayout(row)
        column.addWidget(self.reason)
        self.hide()

    def show_reason(self, problem: str, reason: str) -> None:
        """Show the problem of an invalid answer with its reason; an empty problem hides the strip."""
        self.setVisible(bool(problem))
        self._badge.set_badge(problem, "state-err", "err", reason)
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))


class _Changed(QWidget):
    """The predicted action over the executed one, where they differ."""

    def __init__(self) -> None:
        super().__init__()
        self.predicted, self.executed = Label("", wrap=True), Label("", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for title, label in ((_("Predicted"), self.predicted), (_("Executed"), self.executed)):
            column.addWidget(Label(title, "caption", "text-2"))
            column.addWidget(label)
        self.hide()

    def show_actions(self, predicted: Action | None, executed: Action | None) -> None:
        """Show both actions; no predicted one hides the widget."""
        self.setVisible(predicted is not None)
        if predicted is None:
            return
        self.predicted.setText(_action_line(predicted))
        executed_text = _action_line(executed) if executed is not None else _("nothing")
        points = predicted.point, executed.point if executed is not None else None
        if points[0] is not None and points[1] is not None and points[0] != points[1]:
            apart = _("{count} px", count=round(points[0].distance_to(points[1])))
            executed_text = _("{action}, {distance} away", action=executed_text, distance=apart)
        self.executed.setText(executed_text)


def _action_line(action: Action) -> str:
    """An action in words; where it touches, its detail says all that a caption without a screen would."""
    return action_detail(action) if action.point is not None else caption(action, None)


def turn_facts(turn: AgentTurn) -> list[tuple[str, str]]:
    """Tokens, cost and times of an agent's turn."""
    times = ", ".join(f"{name} {milliseconds:,} ms" for name, milliseconds in turn.timings_ms.items())
    return [*usage_facts(turn.usage), *([(_("Phases"), times)] if times else [])]
