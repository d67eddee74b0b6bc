"""The choices in the toolbar of the workspace: which table, its rows and columns, and what is counted."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import RECORDED
from collector.metrics.papers.registry import PAPER_TITLES
from collector.metrics.views import JUDGES
from collector.model.i18n import _, ngettext
from studio.commands.commander import Commander
from studio.views.metrics.session import MetricsSession
from studio.widgets.choice_button import ChoiceButton, share_room

_GAP = 6


class ChoiceBar(QWidget):
    """Names what is chosen; a button runs the command that opens its menu.

    Where there is no room for all names, those whose values say nothing without, as "7", keep theirs longest.
    """

    def __init__(self, session: MetricsSession, commander: Commander) -> None:
        super().__init__()
        self._session, self._commander = session, commander
        self.view = self._button(_("Table"), "metrics.view")
        self.rows = self._button(_("Rows"), "metrics.rows")
        self.measures = self._button(_("Columns"), "metrics.measures")
        self.tasks = self._button(_("Tasks"), "metrics.filter")
        self.conditions = self._button(_("Condition"), "metrics.condition")
        self.judge = self._button(_("Judge"), "metrics.judge")
        self.seeds = self._button(_("Seeds"), "metrics.seeds")
        self.experiments = self._button(_("Experiment"), "metrics.experiment")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        for button in self.buttons:
            row.addWidget(button)
        for signal in (session.project_opened, session.selection_changed, session.layout_changed,
                       session.columns_changed):  # fmt: skip
            signal.connect(self.show_choices)
        self._remove = commander.changed.subscribe(self._show_commands)
        self.destroyed.connect(self._remove)
        self.show_choices()

    @property
    def buttons(self) -> tuple[ChoiceButton, ...]:
        """All buttons, from left to right."""
        return (
            self.view, self.rows, self.measures, self.experiments, self.tasks, self.conditions, self.judge,
            self.seeds,
        )  # fmt: skip

    @property
    def width_with_names(self) -> int:
        """Pixels that all choices need with their names."""
        shown = self._shown
        return sum(button.width_with_name for button in shown) + _GAP * (len(shown) - 1)

    @property
    def _shown(self) -> list[ChoiceButton]:
        """The buttons that are not hidden, in the order in which they get their names."""
        counts = (self.measures, self.tasks, self.conditions, self.seeds, self.experiments)
        return [button for button in (*counts, self.rows, self.judge, self.view) if not button.isHidden()]

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        shown = self._shown
        least = sum(button.least_width for button in shown) + _GAP * (len(shown) - 1)
        return QSize(least, super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            shown = self._shown
            share_room(shown, self.width() - _GAP * (len(shown) - 1))
        return handled

    def _button(self, name: str, command: str) -> ChoiceButton:
        button = ChoiceButton(name)
        button.setProperty("command", command)
        button.clicked.connect(self._run)
        return button

    @Slot()
    def _run(self) -> None:
        self._commander.run(self.sender().property("command"))

    def _show_commands(self, _event: None) -> None:
        for button in self.buttons:
            command = button.property("command")
            button.setEnabled(self._commander.enabled(command))
            button.setToolTip(self._commander.tip(command))

    @Slot()
    def show_choices(self) -> None:
        """Show what is chosen now."""
        session, layout, selection = self._session, self._session.layout, self._session.selection
        is_pivot = not layout.view
        views = {"": _("numbers"), JUDGES: _("judges"), **PAPER_TITLES}
        self.view.set_value(views.get(layout.view, layout.view))
        names = [_(DIMENSIONS[name].title).lower() for name in layout.rows if name in DIMENSIONS]
        self.rows.set_value(", ".join(names) or _("none"))
        self.measures.set_value(str(len(session.measures)))
        self.rows.setVisible(is_pivot)
        self.measures.setVisible(is_pivot)
        self.tasks.set_value(self._tasks_value())
        self.conditions.set_value(self._kept_value("condition"))
        self.seeds.set_value(self._kept_value("seed"))
        self.experiments.set_value(self._kept_value("experiment"))
        self.experiments.setVisible(len(session.values_of("experiment")) > 1)
        self.judge.set_value(_("recorded") if selection.judge == RECORDED else selection.judge)
        self.setVisible(session.loaded is not None and len(session.loaded.found) > 0)

    def _tasks_value(self) -> str:
        value = self._kept_value("task")
        query = self._session.selection.query.strip()
        fresh = _("without stale results") if "freshness" in self._session.selection.kept else ""
        return ", ".join(filter(None, (value, fresh, query)))

    def _kept_value(self, dimension: str) -> str:
        """``all 24``, ``3 of 24``, or the value where there is one."""
        values = self._session.values_of(dimension)
        kept = self._session.selection.kept.get(dimension)
        if kept is None:
            return ngettext("all {count}", "all {count}", len(values)) if values else _("all")
        return _("{count} of {total}", count=len(kept & set(values)), total=len(values))
