"""The panel with a number, how it is counted, and exactly the episodes behind it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListView, QMenu, QVBoxLayout, QWidget

from collector.metrics.episode_columns import RECORDED, EpisodeColumns, Ints
from collector.metrics.measure import Unit
from collector.metrics.sample_advice import enough_for
from collector.metrics.value_text import counted_text, counting_text
from collector.model.i18n import N_, _, ngettext, paragraph
from collector.model.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.store.catalogue.catalogue_row import CatalogueRow
from rule_editor.widgets.item_view import set_up_view
from studio.theme import theme
from studio.views.metrics.counted_episode_delegate import CountedEpisodeDelegate
from studio.views.metrics.counted_episode_model import (
    CountedEpisodeModel,
    ListedEpisode,
    outcome_counts,
    outcome_text,
)
from studio.views.metrics.counted_episode_thumbnails import CountedEpisodeThumbnails
from studio.views.metrics.report_layout import interval_words, number_text
from studio.views.metrics.session import MetricsSession, ShownNumber
from studio.views.services import WindowServices
from studio.widgets.controls import Button, Label, surface
from studio.widgets.icon_button import IconButton
from studio.widgets.outcome_bar import OutcomeBar

ALL, COUNTED = "all", "counted"
"""Which episodes the list shows: all behind the number, those of its numerator; else an outcome."""
_FILTERS = {
    ALL: N_("All episodes"), COUNTED: N_("Those that the number counts"), SUCCESS: N_("Success"),
    FAILURE: N_("Failure"), UNCOMPLETED: N_("Uncompleted"),
}  # fmt: skip


class EpisodesPanel(QFrame):
    """Follows the number that the session shows."""

    open_asked = Signal()
    """Enter or a double click on an episode."""

    def __init__(self, session: MetricsSession, services: WindowServices) -> None:
        super().__init__()
        self.setProperty("surface", "panel")
        self._session, self._services = session, services
        self.title, self.detail = Label("", "heading"), Label("", "body", "text-2", cut=True)
        self.figure, self.of = Label("", "figure_large"), Label("", "body", "text-2", wrap=True)
        self.bar = OutcomeBar()
        self.how = Label("", "body", "text-2", wrap=True)
        self.count = Label("", "body", "text-2", cut=True)
        self.filter_button = IconButton("filter", _("Which of them are listed"))
        self.open_button = Button(_("Open in Review"), "review", "outlined")
        self.copy_button = IconButton("copy", _("Copy the folders of the listed episodes"))
        self.close_button = IconButton("x", _("Close"))
        self.filter = ALL
        self._columns: EpisodeColumns | None = None
        """Those that the indexes of the number are of, also while others are being counted."""
        self.model = CountedEpisodeModel(self)
        self.thumbnails = CountedEpisodeThumbnails(session, services, self)
        self.list = QListView()
        self._body = QWidget()
        self._empty = Label(
            _("Select a number: the episodes behind it are listed here"), "body", "text-2", wrap=True
        )
        self._dress_list()
        self._lay_out()
        self._connect()
        self.show_number()

    def _dress_list(self) -> None:
        view = self.list
        view.setModel(self.model)
        view.setItemDelegate(CountedEpisodeDelegate(self.thumbnails.thumbnails, view))
        set_up_view(view, _("Episodes"), theme)
        view.setUniformItemSizes(True)

    def _lay_out(self) -> None:
        column = _column(self)
        column.addWidget(self._head())
        self._empty.setContentsMargins(12, 16, 12, 0)
        column.addWidget(self._empty)
        column.addWidget(self._body, 1)
        column.addStretch(0)
        body = _column(self._body)
        body.addWidget(self._number_part())
        body.addWidget(self._how_part())
        body.addWidget(self._list_head())
        body.addWidget(self.list, 1)
        body.addWidget(self._foot())

    def _head(self) -> QFrame:
        head = surface("bar", "bottom")
        head.setFixedHeight(theme.size("toolbar"))
        row = _row(head, 12, 6)
        row.addWidget(self.title)
        row.addWidget(self.detail, 1)
        row.addWidget(self.close_button)
        return head

    def _number_part(self) -> QFrame:
        part = surface("panel", "bottom")
        column = QVBoxLayout(part)
        column.setContentsMargins(12, 12, 12, 8)
        column.setSpacing(8)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.figure)
        line.addWidget(self.of, 1, Qt.AlignmentFlag.AlignBottom)
        column.addLayout(line)
        column.addWidget(self.bar)
        return part

    def _how_part(self) -> QFrame:
        part = surface("panel", "bottom")
        column = QVBoxLayout(part)
        column.setContentsMargins(12, 8, 12, 10)
        column.setSpacing(4)
        column.addWidget(Label(_("How it is counted"), "caption", "text-2"))
        column.addWidget(self.how)
        return part

    def _list_head(self) -> QFrame:
        head = surface("panel", "bottom")
        head.setFixedHeight(theme.size("panel_header"))
        row = _row(head, 12, 6)
        row.addWidget(Label(_("Episodes"), "heading"))
        row.addWidget(self.count, 1)
        row.addWidget(self.filter_button)
        return head

    def _foot(self) -> QFrame:
        foot = surface("panel", "top")
        row = _row(foot, 12, 6)
        row.setContentsMargins(12, 8, 6, 8)
        row.addWidget(self.open_button)
        row.addStretch(1)
        row.addWidget(self.copy_button)
        return foot

    def _connect(self) -> None:
        session = self._session
        session.number_changed.connect(self.show_number)
        session.columns_changed.connect(self.model.forget_rows)
        self.model.needed.connect(self._read_rows)
        self.model.dataChanged.connect(self._rows_read)
        self.thumbnails.thumbnails.arrived.connect(self.list.viewport().update)
        self.list.activated.connect(self.open_asked)
        self.filter_button.clicked.connect(self._open_filters)
        self.close_button.clicked.connect(self._close)
        for signal in (self.model.modelReset, self.list.selectionModel().currentChanged):
            signal.connect(self._show_context)

    # -- what is shown -------------------------------------------------------
    @Slot()
    def show_number(self) -> None:
        """Show the number of the session."""
        number, columns = self._session.number, self._session.columns
        self._columns = columns
        has_number = number is not None and columns is not None
        self._body.setVisible(has_number)
        self._empty.setVisible(not has_number)
        self.close_button.setVisible(has_number)
        if number is None or columns is None:
            self.title.setText(_("Episodes"))
            self.detail.setText("")
            self.model.show(None, np.empty(0, np.int64))
            return
        self.title.setText(number.title)
        self.detail.setText(number.detail)
        self.detail.setToolTip(number.detail)
        self.figure.setText(_figure(number))
        self.of.setText(_figure_note(number))
        self.bar.show_counts(outcome_counts(columns, _behind(number)), outcome_text)
        self.how.setText(how_text(number, self._session.selection.judge))
        if self.filter == COUNTED and not self._has_numerator(number):
            self.filter = ALL
        self._show_list(number, columns)

    @staticmethod
    def _has_numerator(number: ShownNumber) -> bool:
        return number.cell.hits is not None

    def _show_list(self, number: ShownNumber, columns: EpisodeColumns) -> None:
        behind = _behind(number)
        listed = self._filtered(number, columns, behind)
        self.model.show(columns, listed)
        if self.model.rowCount():
            self.list.setCurrentIndex(self.model.index(0))
        if len(listed) == len(behind):
            self.count.setText(str(len(behind)))
        else:
            self.count.setText(_("{count} of {total}", count=len(listed), total=len(behind)))

    def _filtered(self, number: ShownNumber, columns: EpisodeColumns, behind: Ints) -> Ints:
        if self.filter == ALL:
            return behind
        if self.filter == COUNTED:
            return number.cell.positive if number.cell.positive is not None else behind
        masks = {
            SUCCESS: columns.is_success, FAILURE: columns.is_failure, UNCOMPLETED: columns.is_uncompleted,
        }  # fmt: skip
        return behind[masks[self.filter][behind]]

    @Slot()
    def _open_filters(self) -> None:
        number, columns = self._session.number, self._columns
        if number is None or columns is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        counts = outcome_counts(columns, _behind(number))
        positive = number.cell.positive
        counts |= {ALL: len(_behind(number)), COUNTED: len(positive) if positive is not None else 0}
        for name, title in _FILTERS.items():
            if name == COUNTED and not self._has_numerator(number):
                continue
            action = menu.addAction(f"{_(title)}\t{counts[name]}")
            action.setCheckable(True)
            action.setChecked(name == self.filter)
            action.setData(name)
        menu.triggered.connect(self._filter_chosen)
        menu.popup(self.filter_button.mapToGlobal(QPoint(0, self.filter_button.height())))

    @Slot(QAction)
    def _filter_chosen(self, action: QAction) -> None:
        self.show_filter(str(action.data()))

    def show_filter(self, name: str) -> None:
        """List all episodes behind the number, those of its numerator, or those with an outcome."""
        self.filter = name
        if self._session.number is not None and self._columns is not None:
            self._show_list(self._session.number, self._columns)

    @property
    def current(self) -> ListedEpisode | None:
        """The chosen episode of the list."""
        index = self.list.currentIndex()
        return self.model.episode(index.row()) if index.isValid() else None

    @Slot()
    def _show_context(self) -> None:
        self._services.commander.set_context(metrics__episode=self.list.currentIndex().isValid())

    @Slot()
    def _close(self) -> None:
        self._session.show_episodes(None)

    # -- what the catalogue says ---------------------------------------------
    @Slot(object)
    def _read_rows(self, keys: list[int]) -> None:
        project = self._session.project_library.project
        if project is not None:
            self._session.numbers.read_rows(f"list {keys[0]}", project, keys, self._take_rows)

    def _take_rows(self, rows: Mapping[int, CatalogueRow]) -> None:
        self.model.take_rows(rows)

    @Slot()
    def _rows_read(self) -> None:
        self.list.viewport().update()


def how_text(number: ShownNumber, judge: str) -> str:
    """The interval, the judge, how the number is counted, and what its values need said."""
    cell = number.cell
    interval = interval_words(cell, number.unit)
    judged_by = _("as recorded") if judge == RECORDED else judge
    sentences = [_("Judge: {judge}.", judge=judged_by), cell.how or number.how, cell.note]
    if interval and cell.hits is not None:
        sentences.insert(0, _("Wilson interval, {interval}.", interval=interval))
    elif interval:
        sentences.insert(0, _("95 % interval, {interval}.", interval=interval))
    if (enough := enough_for(cell)) is not None:
        things = counting_text(number.counting, enough)
        sentences.append(
            _("The sample is small: {things} would bring the interval within 10 points.", things=things)
        )
    return paragraph(*sentences)


def _figure(number: ShownNumber) -> str:
    if number.cell.hits is not None and number.cell.value is not None:
        return str(number.cell.hits)
    if number.unit is Unit.COUNT and number.cell.value is not None:
        return str(round(number.cell.value))
    return number_text(number.cell, number.unit)


def _figure_note(number: ShownNumber) -> str:
    cell = number.cell
    if cell.hits is not None and cell.value is not None:
        return _("of {things}", things=counting_text(number.counting, cell.count))
    if number.unit is Unit.COUNT and cell.value == cell.count:
        return ngettext("episode", "episodes", cell.count)
    return counted_text(cell, number.counting)


def _behind(number: ShownNumber) -> Ints:
    behind = number.cell.behind
    return behind if behind is not None else np.empty(0, np.int64)


def _column(widget: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column


def _row(widget: QWidget, left: int, right: int) -> QHBoxLayout:
    row = QHBoxLayout(widget)
    row.setContentsMargins(left, 0, right, 0)
    row.setSpacing(8)
    return row
