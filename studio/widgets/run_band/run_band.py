"""The band over a stored run: who ran under which condition, how it ended, and a person's verdict."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from collector.model.episode import Episode, Outcome
from collector.model.episode_text import claim_text, episode_facts, fault_text, usage_facts, verdict_text
from collector.model.i18n import _
from collector.model.judgement import Judgement
from collector.model.message import in_language
from collector.model.trajectory import TrajectoryHeader
from studio.commands.commander import Commander
from studio.widgets.controls import Label
from studio.widgets.run_band.badge import Badge
from studio.widgets.run_band.facts_line import FactsLine
from studio.widgets.run_band.verdict_buttons import VerdictButtons
from studio.widgets.theme_icon import ThemeIcon
from studio.widgets.verdict_text import verdict_icon, verdict_tone
from studio.widgets.wrapped_text import tooltip_text

_NO_OUTCOME = Outcome()
_LONGEST_NAME = 200
"""Width in logical pixels of the name of an agent or a model."""
_NARROW = 760
"""Width in logical pixels below which the verdict buttons have no title."""


class RunBand(QFrame):
    """Two lines over the screen of a run; hidden while no run is open."""

    def __init__(self, commander: Commander, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("surface", "panel")
        self.setProperty("edge", "bottom")
        self.setAccessibleName(_("Run"))
        self.agent, self.model = Label("", "title", cut=True), Label("", "body", "text-2", cut=True)
        for label in (self.agent, self.model):
            # They give way before the badges and the buttons do.
            label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
            label.setMaximumWidth(_LONGEST_NAME)
        self.outcome, self.early_stop, self.fault, self.read_only = Badge(), Badge(), Badge(), Badge()
        self.reason = Label("", "body", "text-2", cut=True)
        self.facts = FactsLine()
        self.verdict = VerdictButtons(commander)
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        first, second = QHBoxLayout(), QHBoxLayout()
        for row in (first, second):
            row.setSpacing(8)
        for widget in (ThemeIcon("run"), self.agent, self.model, self.outcome, self.early_stop, self.fault):
            first.addWidget(widget)
        first.addWidget(self.reason, 1)
        first.addWidget(self.verdict)
        second.addWidget(self.facts, 1)
        second.addWidget(self.read_only)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 12, 6)
        column.setSpacing(2)
        column.addLayout(first)
        column.addLayout(second)

    def show_run(self, header: TrajectoryHeader | None) -> None:
        """Show the agent, the condition and the outcome of a run; None hides the band."""
        self.setVisible(header is not None)
        if header is None:
            return
        episode, outcome = header.episode or Episode(), header.outcome or _NO_OUTCOME
        _show_name(self.agent, episode.agent or episode.model or _("Unknown agent"))
        _show_name(self.model, episode.model if episode.agent else "")
        self._show_outcome(outcome)
        known = header.outcome is not None
        claim = [(_("Claim"), claim_text(outcome))] if known else []
        self.facts.set_facts([*episode_facts(episode), *claim, *usage_facts(outcome.usage)])
        self.read_only.set_badge(
            _("Read-only: a run"), "lock", "",
            _("A run is the record of what an agent did, so its steps cannot be changed. "
              "Your verdict and your marks are kept beside it."),
        )  # fmt: skip

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Long texts never widen the workspace."""
        return QSize(0, super().minimumSizeHint().height())

    def _show_outcome(self, outcome: Outcome) -> None:
        status = outcome.status
        tip = outcome.reason or ("" if status else _("No judge has given a verdict yet"))
        self.outcome.set_badge(verdict_text(status), verdict_icon(status), verdict_tone(status), tip)
        stopped = _("early stop") if outcome.early_stop else ""
        self.early_stop.set_badge(stopped, "stop", "warn", _("Stopped after identical actions"))
        fault = _("stopped") if outcome.stopped else _("fault of the machine")
        fault = fault if outcome.infrastructure else ""
        self.fault.set_badge(fault, "state-warn", "warn", fault_text(outcome.infrastructure))
        reason = in_language(outcome.reason) or fault_text(outcome.infrastructure)
        self.reason.setText(" ".join(reason.split()))
        self.reason.setToolTip(tooltip_text(reason))

    def show_verdict(self, own: Judgement | None) -> None:
        """Show the verdict of the person at the window; None for none yet."""
        self.verdict.show_verdict(own)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.verdict.set_title_shown(self.width() >= _NARROW)


def _show_name(label: Label, name: str) -> None:
    """Show a name as far as its room goes; an empty one hides the label."""
    label.setText(" ".join(name.split()))
    label.setToolTip(tooltip_text(name))
    label.setVisible(bool(name))
