"""The commands that choose what is counted and how it is laid out, and that copy the tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from collector.metrics.dimensions import DIMENSIONS
from collector.metrics.measures.registry import MEASURES
from collector.metrics.papers.registry import VIEW_TITLES
from collector.metrics.rendering.csv_text import as_csv
from collector.metrics.rendering.latex_text import as_latex
from collector.metrics.rendering.markdown_text import as_markdown
from collector.metrics.value_text import dimension_value_text
from collector.model.i18n import _
from rule_editor.widgets.menu_text import menu_text
from studio.views.conditions.popup_menus import ask_for_text, open_below, popup_menu
from studio.views.metrics.session import MetricsSession
from studio.views.services import WindowServices
from studio.widgets.toolbar import Toolbar

_COPIES = {"markdown": as_markdown, "csv": as_csv, "latex": as_latex}


class LayoutController(QObject):
    """Opens a menu below the button of each choice."""

    def __init__(
        self, session: MetricsSession, services: WindowServices, toolbar: Toolbar, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._services, self._toolbar = session, services, toolbar
        handle = services.commander.handle
        handle("metrics.view", self.choose_view)
        handle("metrics.rows", self.choose_rows)
        handle("metrics.measures", self.choose_measures)
        handle("metrics.condition", partial(self.choose_values, "condition", "metrics.condition"))
        handle("metrics.seeds", partial(self.choose_values, "seed", "metrics.seeds"))
        handle("metrics.filter", self.ask_for_query)
        for form in _COPIES:
            handle(f"metrics.copy-{form}", partial(self.copy, form))

    def choose_view(self) -> None:
        """Offer the person's own table and the tables of papers."""
        names = {"": _("Rows and columns"), **VIEW_TITLES}
        layout = self._session.layout
        self._offer("metrics.view", names, [layout.view], self._show_view)

    def _show_view(self, view: str) -> None:
        self._session.lay_out(replace(self._session.layout, view=view))

    def choose_rows(self) -> None:
        """Offer the dimensions; each click adds or removes one."""
        names = {item.id: _(item.title) for item in DIMENSIONS.values()}
        self._offer("metrics.rows", names, self._session.layout.rows, self._toggle_row)

    def _toggle_row(self, name: str) -> None:
        layout = self._session.layout
        self._session.lay_out(replace(layout, rows=_toggled(layout.rows, name), view=""))

    def choose_measures(self) -> None:
        """Offer the numbers; each click adds or removes one."""
        names = {item.id: _(item.title) for item in MEASURES.values()}
        self._offer("metrics.measures", names, self._session.layout.measures, self._toggle_measure)

    def _toggle_measure(self, name: str) -> None:
        layout = self._session.layout
        self._session.lay_out(replace(layout, measures=_toggled(layout.measures, name), view=""))

    def ask_for_query(self) -> None:
        """Ask which episodes are counted, in the search language of the catalogue."""
        ask_for_text(
            self._toolbar, _("Episodes that are counted"), _("Search, as in task:shop-14 -early:yes"),
            self._session.selection.query, self._search,
        )  # fmt: skip

    def _search(self, query: str) -> None:
        self._session.select(replace(self._session.selection, query=query.strip()))

    def choose_values(self, dimension: str, command: str) -> None:
        """Offer the values of a dimension; the episodes of those that are ticked are counted."""
        table = self._session.found
        if table is None:
            return
        values = DIMENSIONS[dimension].values(table)[0]
        names = {value: dimension_value_text(dimension, value) for value in values}
        chosen = self._session.selection.kept.get(dimension, frozenset(values))
        self._offer(
            command, names, [value for value in values if value in chosen],
            partial(self._toggle_value, dimension, values),
        )  # fmt: skip

    def _toggle_value(self, dimension: str, values: Sequence[str], value: str) -> None:
        chosen = set(self._session.selection.kept.get(dimension, values)) ^ {value}
        self._session.keep(dimension, None if len(chosen) in (0, len(values)) else sorted(chosen))

    def _offer(
        self, command: str, names: Mapping[str, str], chosen: Sequence[str], choose: Callable[[str], object]
    ) -> None:
        button = self._toolbar.buttons[command]
        menu = popup_menu(button)
        for name, words in names.items():
            action = menu.addAction(menu_text(words))
            action.setCheckable(True)
            action.setChecked(name in chosen)
            action.triggered.connect(lambda _checked=False, name=name: choose(name))
        open_below(menu, button)

    def copy(self, form: str) -> None:
        """Copy the tables on show as ``markdown``, ``csv`` or ``latex``."""
        reports = [table.report for table in self._session.tables]
        QApplication.clipboard().setText(_COPIES[form](reports))
        self._services.toasts.show("ok", _("The table is copied"))


def _toggled(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(other for other in names if other != name) if name in names else (*names, name)
