"""The dialog of a dry run: size, estimated time and cost, and everything that is wrong with an experiment."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from collector.located_yaml.diagnostics import Severity
from collector.model.i18n import _, ngettext
from collector.run.experiment.estimate import AgentEstimate
from collector.run.progress import RunProgress
from studio.bridge.runs.experiment_reading import LoadedExperiment
from studio.views.run.compose.compose_rows import size_text, workers_text
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog
from studio.widgets.experiment.duration_text import duration_text
from studio.widgets.theme_icon import ThemeIcon

_WIDTH, _LEAST_LIST = 620, 96


class DryRunDialog(Dialog):
    """``accepted`` starts the run."""

    def __init__(self, loaded: LoadedExperiment, progress: RunProgress, parent: QWidget) -> None:
        super().__init__(
            _("Dry run of {name}", name=loaded.name), _("Start"), parent, sentence=size_text(loaded),
            no=_("Close"), width=_WIDTH,
        )  # fmt: skip
        self.can_start = loaded.can_run and progress.left > 0
        self._loaded = loaded
        self._add_figures(progress)
        self._add_agents()
        self._add_problems()
        self.yes.setEnabled(self.can_start)

    def _add_figures(self, progress: RunProgress) -> None:
        estimate = self._loaded.estimate
        left = progress.left if progress.total else estimate.episodes
        share = left / max(1, estimate.episodes)
        figures = QHBoxLayout()
        figures.setSpacing(32)
        phones = workers_text(self._loaded)
        for figure, words in (
            (f"{estimate.episodes:,}", _("episodes")),
            (f"{left:,}", _("without an outcome")),
            (_time_text(estimate.seconds_of(share)), phones),
            (
                f"{estimate.cost * share:.2f}",
                _("USD at most") if estimate.is_cost_at_most and estimate.cost else _("USD"),
            ),
        ):
            column = QVBoxLayout()
            column.setSpacing(2)
            column.addWidget(Label(figure, "figure"))
            column.addWidget(Label(words, "caption", "text-2"))
            figures.addLayout(column)
        figures.addStretch(1)
        self.body.addLayout(figures)
        steps = ngettext(
            "At most {number} step in all", "At most {number} steps in all", estimate.steps,
            number=f"{estimate.steps:,}",
        )  # fmt: skip
        self.body.addWidget(Label(steps, "caption", "text-2"))
        self.body.addSpacing(8)

    def _add_agents(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(3, 1)
        for row, part in enumerate(self._loaded.estimate.agents):
            grid.addWidget(Label(part.agent, "name"), row, 0)
            episodes = ngettext("{count} episode", "{count} episodes", part.episodes)
            grid.addWidget(Label(episodes), row, 1, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(Label(_time_text(part.seconds)), row, 2, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(Label(_source_of(part), "caption", "text-2"), row, 3)
        self.body.addLayout(grid)

    def _add_problems(self) -> None:
        inner = QWidget()
        rows = QVBoxLayout(inner)
        rows.setContentsMargins(0, 8, 0, 0)
        rows.setSpacing(6)
        diagnostics = self._loaded.diagnostics
        for item in diagnostics:
            icon = "state-err" if item.severity is Severity.ERROR else "state-warn"
            words = _("Line {line}: {what}", line=item.place.line, what=item.sentence)
            rows.addLayout(_problem(icon, words))
        for sentence in self._loaded.scene.problems:
            rows.addLayout(_problem("state-warn", sentence))
        if not diagnostics and not self._loaded.scene.problems:
            rows.addLayout(_problem("state-ok", _("Nothing is wrong with the file")))
        rows.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName(_("Problems"))
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setMinimumHeight(_LEAST_LIST)
        area.setWidget(inner)
        self.body.addWidget(area, 1)


def _problem(icon: str, words: str) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(ThemeIcon(icon), 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(Label(words, wrap=True), 1)
    return row


def _time_text(seconds: float | None) -> str:
    return _("not known") if seconds is None else duration_text(seconds)


def _source_of(part: AgentEstimate) -> str:
    """Where the numbers of an agent come from."""
    if part.measured:
        return ngettext("from {count} earlier episode", "from {count} earlier episodes", part.measured)
    return _("known after its first episodes")
