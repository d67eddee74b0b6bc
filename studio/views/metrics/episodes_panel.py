"""The panel with a number, how it is counted, and exactly the episodes behind it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QAbstractListModel, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListView, QStackedWidget, QVBoxLayout, QWidget

from collector.metrics.episode_columns import EpisodeColumns, Mask
from collector.metrics.report import CountedSubject
from collector.model.i18n import N_, _
from collector.model.verdicts.judgement import FAILURE, SUCCESS, UNCOMPLETED
from collector.store.catalogue.catalogue_row import CatalogueRow
from rule_editor.widgets.item_view import set_up_view
from rule_editor.widgets.popup_menu import PopupMenu
from studio.theme import theme
from studio.views.metrics.counted_episode_delegate import CountedEpisodeDelegate
from studio.views.metrics.counted_episode_model import (
    CountedEpisodeModel,
    ListedEpisode,
    outcome_counts,
    outcome_text,
)
from studio.views.metrics.counted_episode_thumbnails import CountedEpisodeThumbnails
from studio.views.metrics.counted_subject_model import CountedSubjectModel
from studio.views.metrics.number_details import behind, figure, figure_note, how_text
from studio.views.metrics.session import MetricsSession, ShownNumber
from studio.views.services import WindowServices
from studio.widgets.controls import Button, Label, surface
from studio.widgets.icon_button import IconButton
from studio.widgets.outcome_bar import OutcomeBar

ALL, COUNTED, PARTED = "all", "counted", "parted"
"""What the list shows: all behind the number, its numerator, verdicts that differ; else an outcome."""
_FILTERS = {
    ALL: N_("All"), COUNTED: N_("Those that the number counts"), PARTED: N_("Those that differ"),
    SUCCESS: N_("Success"), FAILURE: N_("Failure"), UNCOMPLETED: N_("Uncompleted"),
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
        self.subject_model = CountedSubjectModel(session, self)
        self.list, self.subject_list = QListView(), QListView()
        self.lists = QStackedWidget()
        self.list_title = Label("", "heading")
        self._body = QWidget()
        self._empty = Label(
            _("Select a number: the episodes behind it are listed here"), "body", "text-2", wrap=True
        )
        self._dress_list(self.list, self.model, _("Episodes"))
        self._dress_list(self.subject_list, self.subject_model, _("Verdicts"))
        self._lay_out()
        self._connect()
        self.show_number()

    def _dress_list(self, view: QListView, model: QAbstractListModel, title: str) -> None:
        view.setModel(model)
        view.setItemDelegate(CountedEpisodeDelegate(self.thumbnails.thumbnails, view))
        set_up_view(view, title, theme)
        view.setUniformItemSizes(True)
        self.lists.addWidget(view)

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
        body.addWidget(self.lists, 1)
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
        row.addWidget(self.list_title)
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
        for view, model in ((self.list, self.model), (self.subject_list, self.subject_model)):
            self.thumbnails.thumbnails.arrived.connect(view.viewport().update)
            view.activated.connect(self.open_asked)
            for signal in (model.modelReset, view.selectionModel().currentChanged):
                signal.connect(self._show_context)
        self.filter_button.clicked.connect(self._open_filters)
        self.close_button.clicked.connect(self._close)

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
            self.subject_model.show(())
            return
        self.title.setText(number.title)
        self.detail.setText(number.detail)
        self.detail.setToolTip(number.detail)
        self.figure.setText(figure(number))
        self.of.setText(figure_note(number))
        self.bar.setVisible(not number.subjects)
        if not number.subjects:
            self.bar.show_counts(outcome_counts(columns, behind(number)), outcome_text)
        self.how.setText(how_text(number, self._session.selection.judge))
        self.list_title.setText(_("Verdicts") if number.subjects else _("Episodes"))
        if self.filter not in self._filters(number):
            self.filter = ALL
        self._show_list(number, columns)

    @staticmethod
    def _filters(number: ShownNumber) -> tuple[str, ...]:
        """What a number lets choose."""
        counted = (COUNTED,) if number.cell.hits is not None else ()
        return (ALL, *counted, *((PARTED,) if number.subjects else (SUCCESS, FAILURE, UNCOMPLETED)))

    def _show_list(self, number: ShownNumber, columns: EpisodeColumns) -> None:
        everything = behind(number)
        listed = everything[self._is_listed(self.filter, number, columns)]
        view = self.subject_list if number.subjects else self.list
        if number.subjects:
            self.subject_model.show([number.subjects[place] for place in listed.tolist()])
            self.model.show(None, np.empty(0, np.int64))
        else:
            self.model.show(columns, listed)
            self.subject_model.show(())
        self.lists.setCurrentWidget(view)
        if len(listed):
            view.setCurrentIndex(view.model().index(0, 0))
        count, total = len(listed), len(everything)
        self.count.setText(
            str(total) if count == total else _("{count} of {total}", count=count, total=total)
        )

    def _is_listed(self, name: str, number: ShownNumber, columns: EpisodeColumns) -> Mask:
        """Which of what is behind a number the list shows under a filter."""
        everything = behind(number)
        if name == ALL:
            return np.ones(len(everything), bool)
        if name == COUNTED:
            positive = number.cell.positive
            return np.isin(everything, everything if positive is None else positive)
        if name == PARTED:
            disputed = [number.subjects[place].is_disputed for place in everything.tolist()]
            return np.array(disputed, bool)
        masks = {
            SUCCESS: columns.is_success, FAILURE: columns.is_failure, UNCOMPLETED: columns.is_uncompleted,
        }  # fmt: skip
        return masks[name][everything]

    @Slot()
    def _open_filters(self) -> None:
        number, columns = self._session.number, self._columns
        if number is None or columns is None:
            return
        menu = PopupMenu(self)
        for name in self._filters(number):
            count = np.count_nonzero(self._is_listed(name, number, columns))
            action = menu.addAction(f"{_(_FILTERS[name])}\t{count}")
            action.setCheckable(True)
            action.setChecked(name == self.filter)
            action.setData(name)
        menu.triggered.connect(self._filter_chosen)
        menu.popup(self.filter_button.mapToGlobal(QPoint(0, self.filter_button.height())))

    @Slot(QAction)
    def _filter_chosen(self, action: QAction) -> None:
        self.show_filter(str(action.data()))

    def show_filter(self, name: str) -> None:
        """List all behind the number, its numerator, verdicts that differ, or episodes with an outcome."""
        self.filter = name
        if self._session.number is not None and self._columns is not None:
            self._show_list(self._session.number, self._columns)

    @property
    def current(self) -> ListedEpisode | None:
        """The chosen episode of the list; None in a list of verdicts."""
        index = self.list.currentIndex()
        return self.model.episode(index.row()) if index.isValid() else None

    @property
    def subject(self) -> CountedSubject | None:
        """What the chosen verdicts of the list are about; None in a list of episodes."""
        index = self.subject_list.currentIndex()
        return self.subject_model.subjects[index.row()] if index.isValid() else None

    @Slot()
    def focus_list(self) -> None:
        """Give the keyboard to the list on show."""
        (self.subject_list if self.subject_model.subjects else self.list).setFocus()

    @Slot()
    def _show_context(self) -> None:
        is_chosen = self.current is not None or self.subject is not None
        self._services.commander.set_context(metrics__episode=is_chosen)

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
