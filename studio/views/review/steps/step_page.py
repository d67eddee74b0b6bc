"""The tab *Step*: who ran under which condition and how it ended, and all that is known of the step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QFrame, QSizePolicy, QVBoxLayout, QWidget

from collector.model.episode import Episode, Outcome
from collector.model.episode_text import claim_text, episode_facts, fault_text, usage_facts
from collector.model.i18n import _
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.task_parameter import ISO, PARAMETERS
from collector.model.trajectory import Step, TrajectoryHeader
from collector.model.verdicts.judgement import Judgement
from collector.store.trajectory.interruptions import Interruption
from studio.widgets.controls import Label, surface
from studio.widgets.step_details.step_details import StepDetails

_NO_OUTCOME = Outcome()


class StepPage(QWidget):
    """Shows what it is given; nothing here can be changed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run_facts: QFrame = surface("panel", "bottom")
        self._known: list[tuple[str, str]] = []
        self._facts = QFormLayout(self.run_facts)
        self._facts.setContentsMargins(12, 10, 12, 10)
        self._facts.setHorizontalSpacing(16)
        self._facts.setVerticalSpacing(4)
        self.details = StepDetails(0)
        self.details.set_read_only(True)
        self.details.add_above(self.run_facts)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.details)

    def show_trajectory(
        self, header: TrajectoryHeader, interruptions: Sequence[Interruption], *, judged: bool
    ) -> None:
        """Show the facts of a run; a golden trajectory has none.

        ``judged`` shows why it was judged as it was, which a blind reviewer does not see.
        """
        while self._facts.rowCount():
            self._facts.removeRow(0)
        self.run_facts.setVisible(header.is_run)
        self._known = _run_facts(header, judged=judged) if header.is_run else []
        for name, value in self._known:
            label = Label(value, wrap=True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            self._facts.addRow(Label(name, "body", "text-2"), label)
        self.details.set_interruptions(interruptions)

    def show_step(
        self, step: Step | None, judgements: Sequence[Judgement], states: Mapping[str, str]
    ) -> None:
        """Show a step and the judgements on it; None for a gap."""
        self.details.show_step(step)
        self.details.judgements.show_judgements(judgements, states)


def _values_text(values: object) -> str:
    """The values of a task's parameters, as in ``title: Milk, count: 2``."""
    if not isinstance(values, Mapping):
        return ""
    return ", ".join(f"{name}: {value}" for name, value in values.items() if not str(name).endswith(ISO))


def _run_facts(header: TrajectoryHeader, *, judged: bool) -> list[tuple[str, str]]:
    """Who ran, under which condition, and how it ended."""
    episode, outcome = header.episode or Episode(), header.outcome or _NO_OUTCOME
    claim = claim_text(outcome) if header.outcome is not None else ""
    stopped = _("Stopped") if outcome.stopped else _("Fault of the machine")
    facts = [
        (_("Agent"), episode.agent),
        (_("Model"), episode.model),
        *episode_facts(episode),
        (_("Parameters"), _values_text(header.extra.get(PARAMETERS))),
        (_("Reason"), shown_reason(outcome.reason) if judged else ""),
        (_("Claim"), claim),
        (_("Early stop"), _("after identical actions") if outcome.early_stop else ""),
        (stopped, fault_text(outcome.infrastructure)),
        *usage_facts(outcome.usage),
    ]
    return [(name, value) for name, value in facts if value]
