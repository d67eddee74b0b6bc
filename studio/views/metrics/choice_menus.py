"""The menus of the choices in the toolbar of the workspace."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QPoint, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget, QWidgetAction

from collector.metrics.breakdowns.dimensions import CURRENT, DIMENSIONS, STALE
from collector.metrics.episode_columns import RECORDED
from collector.metrics.measures.registry import FAMILIES, MEASURES
from collector.metrics.measures.repetition import MOST_TRIES, REPETITION, tries_measure
from collector.metrics.papers.registry import PAPER_TITLES
from collector.metrics.rendering.columns import column_title
from collector.metrics.report import ReportColumn
from collector.metrics.value_text import dimension_value_text
from collector.metrics.views import JUDGES
from collector.model.i18n import _
from rule_editor.widgets.field_names import add_clear_button
from studio.bridge.metrics_numbers import EpisodeSelection
from studio.views.metrics.choice_bar import ChoiceBar
from studio.views.metrics.session import MetricsSession, TableLayout
from studio.views.services import WindowServices
from studio.widgets.choice_button import ChoiceButton
from studio.widgets.choice_menu import ChoiceMenu
from studio.widgets.dialogs.input_dialogs import ask_number

_FIELD_WIDTH = 320
_FIRST_TRIES = 4
"""The number of tries that is proposed beside those that are offered."""


class ChoiceMenus(QObject):
    """Opens a menu below its button, by click or by command."""

    def __init__(
        self, session: MetricsSession, services: WindowServices, bar: ChoiceBar, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._bar = session, bar
        handle = services.commander.handle
        for command, button, fill in (
            ("view", bar.view, self._fill_views),
            ("rows", bar.rows, self._fill_rows),
            ("measures", bar.measures, self._fill_measures),
            ("filter", bar.tasks, self._fill_tasks),
            ("condition", bar.conditions, partial(self._fill_values, dimension="condition")),
            ("judge", bar.judge, self._fill_judges),
            ("experiment", bar.experiments, partial(self._fill_values, dimension="experiment")),
            ("seeds", bar.seeds, partial(self._fill_values, dimension="seed")),
        ):
            handle(f"metrics.{command}", partial(self._open, button, fill))
        handle("metrics.count-all", self.count_all)
        handle("metrics.leave-out-stale", self.leave_out_stale, checked=lambda: self._leaves_out_stale)

    def _open(self, button: ChoiceButton, fill: Callable[[ChoiceMenu], object]) -> None:
        menu = ChoiceMenu(button)
        fill(menu)
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    # -- the table -----------------------------------------------------------
    def _fill_views(self, menu: ChoiceMenu) -> None:
        group = QActionGroup(menu)
        chosen = self._session.layout.view
        menu.add_radio(group, _("All numbers"), not chosen, partial(self._lay_out, view=""))
        menu.addSeparator()
        for name, title in PAPER_TITLES.items():
            words = _("As in {paper}", paper=title)
            menu.add_radio(group, words, chosen == name, partial(self._lay_out, view=name))
        menu.addSeparator()
        menu.add_radio(group, _("Studies of judges"), chosen == JUDGES, partial(self._lay_out, view=JUDGES))

    def _fill_rows(self, menu: ChoiceMenu) -> None:
        chosen = self._session.layout.rows
        ordered = [
            *(name for name in chosen if name in DIMENSIONS),
            *(n for n in DIMENSIONS if n not in chosen),
        ]
        for name in ordered:
            toggle = partial(self._toggle_row, name)
            menu.add_check(_(DIMENSIONS[name].title), name in chosen, toggle)

    def _toggle_row(self, name: str, checked: bool) -> None:
        rows = [known for known in self._session.layout.rows if known != name]
        self._lay_out(rows=(*rows, name) if checked else tuple(rows))

    def _fill_measures(self, menu: ChoiceMenu) -> None:
        chosen = self._session.measures
        others = tuple(
            measure for name in chosen if name not in MEASURES and (measure := tries_measure(name))
        )
        for family, measures in FAMILIES.items():
            part = menu.add_part(_(family))
            is_repetition = measures is REPETITION
            for measure in (*measures, *others) if is_repetition else measures:
                title = column_title(ReportColumn(measure.id, _(measure.title), measure.unit))
                toggle = partial(self._toggle_measure, measure.id)
                tip = "\n".join(filter(None, (_(measure.how), measure.source)))
                part.add_check(title, measure.id in chosen, toggle, tip=tip)
            if is_repetition:
                part.addAction(_("Other number of tries...")).triggered.connect(self._ask_tries)
        menu.addSeparator()
        menu.addAction(_("Usual columns")).triggered.connect(self._lay_out_usual_columns)

    def _toggle_measure(self, name: str, checked: bool) -> None:
        shown = {*self._session.measures}
        chosen = shown | {name} if checked else shown - {name}
        self._lay_out(measures=in_order(chosen))

    @Slot()
    def _lay_out_usual_columns(self) -> None:
        self._lay_out(measures=TableLayout().measures)

    @Slot()
    def _ask_tries(self) -> None:
        ask_number(
            self._bar, _("Other number of tries"), _("Tries of a task, for pass@k and pass^k:"),
            range(1, MOST_TRIES + 1), _FIRST_TRIES, self.count_tries,
        )  # fmt: skip

    @Slot(int)
    def count_tries(self, tries: int) -> None:
        """Show pass@k and pass^k of this many tries of a task."""
        chosen = {*self._session.measures, f"pass@{tries}", f"pass^{tries}"}
        self._lay_out(measures=in_order(chosen))

    def _lay_out(self, **choices: object) -> None:
        self._session.lay_out(replace(self._session.layout, **choices))  # type: ignore[arg-type]

    # -- what is counted -----------------------------------------------------
    def _fill_tasks(self, menu: ChoiceMenu) -> None:
        field = QLineEdit(self._session.selection.query)
        field.setPlaceholderText(_("Search: agent:gpt outcome:failure -early:yes"))
        field.setAccessibleName(_("Search episodes"))
        add_clear_button(field)
        field.setMinimumWidth(_FIELD_WIDTH)
        field.editingFinished.connect(self._search_what_is_written)
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(8, 4, 8, 4)
        column.addWidget(field)
        action = QWidgetAction(menu)
        action.setText(field.accessibleName())  # what is read aloud of the entry
        action.setDefaultWidget(holder)
        menu.addAction(action)
        field.setFocus()
        if stale := self._session.values_of("freshness").get(STALE):
            words = _("Leave out stale results")
            menu.add_check(words, self._leaves_out_stale, self.leave_out_stale, note=str(stale))
        menu.addSeparator()
        self._fill_values(menu, dimension="task")

    @property
    def _leaves_out_stale(self) -> bool:
        return "freshness" in self._session.selection.kept

    def leave_out_stale(self, _checked: bool = False) -> None:
        """Leave out the stale results, or count them again."""
        self._session.keep("freshness", None if self._leaves_out_stale else [CURRENT])

    @Slot()
    def _search_what_is_written(self) -> None:
        field = self.sender()
        if isinstance(field, QLineEdit):
            self.search(field.text())

    def search(self, query: str) -> None:
        """Count the episodes that fit a query of the catalogue."""
        self._session.select(replace(self._session.selection, query=query.strip()))

    def _fill_values(self, menu: ChoiceMenu, dimension: str) -> None:
        values = self._session.values_of(dimension)
        kept = self._session.selection.kept.get(dimension)
        actions: list[QAction] = []

        def toggle_all(checked: bool) -> None:
            for action in actions:
                action.blockSignals(True)  # one choice, not one for each value
                action.setChecked(checked)
                action.blockSignals(False)
            menu.update()
            self._session.keep(dimension, None if checked else ())

        menu.add_check(_("All"), kept is None, toggle_all)
        menu.addSeparator()
        for value, count in values.items():
            toggle = partial(self._toggle_value, dimension, value)
            checked = kept is None or value in kept
            words = dimension_value_text(dimension, value)
            actions.append(menu.add_check(words, checked, toggle, note=str(count)))

    def _toggle_value(self, dimension: str, value: str, checked: bool) -> None:
        values = self._session.values_of(dimension)
        kept = set(self._session.selection.kept.get(dimension, values))
        kept = kept | {value} if checked else kept - {value}
        self._session.keep(dimension, None if kept >= set(values) else sorted(kept))

    def _fill_judges(self, menu: ChoiceMenu) -> None:
        group, loaded = QActionGroup(menu), self._session.loaded
        for judge in loaded.judges if loaded is not None else (RECORDED,):
            words = _("As recorded") if judge == RECORDED else judge
            tip = _("The outcome that the run recorded; where it has none, what people say")
            menu.add_radio(
                group, words, judge == self._session.selection.judge, partial(self._judge_by, judge),
                tip=tip if judge == RECORDED else "",
            )  # fmt: skip

    def _judge_by(self, judge: str) -> None:
        self._session.select(replace(self._session.selection, judge=judge))

    def count_all(self) -> None:
        """Take back the search and every choice of what is counted; the judge stays."""
        self._session.select(EpisodeSelection(judge=self._session.selection.judge))


def in_order(chosen: Collection[str]) -> tuple[str, ...]:
    """Ids of measures in the order of their columns; those of other numbers of tries come last."""
    others = sorted((name for name in chosen if name not in MEASURES), key=lambda name: (len(name), name))
    return (*(name for name in _IN_ORDER if name in chosen), *others)


_IN_ORDER = ("sr", "difference", *(name for name in MEASURES if name not in ("sr", "difference")))
"""Measures in the order of their columns: what an anomaly costs stands beside the success rate."""
