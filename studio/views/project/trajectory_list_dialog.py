"""The dialog that lists all trajectories of a project, with a search."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLineEdit, QPushButton, QWidget

from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from rule_editor.widgets.popup_menu import PopupMenu
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.trajectories.project_trajectories import ProjectTrajectories
from studio.theme import theme
from studio.views.project.search_completion import SearchCompletion, search_help
from studio.views.project.trajectory_model import TrajectoryModel
from studio.widgets.controls import Label
from studio.widgets.dialogs.dialog import Dialog, show_problem
from studio.widgets.tables.table_view import TableView
from studio.widgets.wrapped_text import tooltip_text

_PAUSE_MS = 120
_WIDTHS = (132, 190, 60, 120, 130, 112, 52, 76, 120, 96)
_PROBLEM = 8


class TrajectoryListDialog(Dialog):
    """Opens the trajectory that is chosen in the list."""

    opened = Signal(object)
    """The CatalogueRow of the chosen trajectory."""
    change_asked = Signal(str, str)
    """``rename``, ``duplicate``, ``delete``, ``show_folder``, ``practise`` or ``export``, and a folder.

    ``practise`` comes with the folders of all chosen trajectories, one a line.
    """
    export_asked = Signal(str)
    """The query whose trajectories are to be exported."""

    def __init__(
        self, project_library: ProjectLibrary, trajectories: ProjectTrajectories, parent: QWidget,
        query: str = "", *, changes: bool = True, title: str = "",
    ) -> None:  # fmt: skip
        """``changes`` offers to rename, duplicate and delete what is chosen; ``title`` says what for."""
        super().__init__(title or _("Trajectories"), _("Open"), parent, no=_("Close"), width=900)
        self.field = QLineEdit(query)
        self._problem = self.add_field(
            _("Search"),
            self.field,
            hint=_("Words, task:shop-14, agent:x outcome:failure, anomaly:low_battery, -early:yes"),
        )
        self.field.setToolTip(tooltip_text(search_help()))
        self.completion = SearchCompletion(self.field)
        self._count = Label("", "caption", "text-2")
        self.body.addWidget(self._count)
        self.model = TrajectoryModel(trajectories, self)
        self.table = TableView(_("Trajectories"))
        self._set_up_table()
        self.body.addWidget(self.table, 1)
        self.resize(1140, 640)
        # Search when typing pauses, not at each key.
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._search)
        self.field.textChanged.connect(self._edited)
        self.model.counted.connect(self._counted)
        self.model.failed.connect(self._failed)
        self.table.opened.connect(self.accept)
        self.table.selectionModel().currentRowChanged.connect(self._selection_changed)
        self.yes.setEnabled(False)
        project_library.changed.connect(self._search)
        if changes:
            self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
            export = QPushButton(_("Export what was found..."))
            export.setAutoDefault(False)
            export.clicked.connect(self._export)
            self.add_left(export)
            self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            self.table.customContextMenuRequested.connect(self._open_menu)
        self._search()
        self.field.setFocus()

    def _set_up_table(self) -> None:
        self.table.setModel(self.model)
        for column, width in enumerate(_WIDTHS):
            self.table.setColumnWidth(column, width)
        self.table.horizontalHeader().setSectionResizeMode(_PROBLEM, QHeaderView.ResizeMode.Stretch)

    @Slot()
    def _edited(self) -> None:
        show_problem(self._problem, self.field, "")
        self._pause.start()

    @Slot()
    def _search(self) -> None:
        self.model.search(self.field.text())

    @Slot(int)
    def _counted(self, count: int) -> None:
        self._count.setText(ngettext("{count} trajectory", "{count} trajectories", count))

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        show_problem(
            self._problem, self.field, str(error) if isinstance(error, UserError) else _("The search failed")
        )

    @Slot()
    def _selection_changed(self) -> None:
        self.yes.setEnabled(self.table.currentIndex().isValid())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Down and self.focusWidget() is self.field and self.model.rowCount():
            self.table.setFocus()
            self.table.selectRow(0)
        else:
            super().keyPressEvent(event)

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        """Offer what can be done with the row at a point, or with all rows that are selected with it."""
        row = self.model.row(self.table.indexAt(at))
        if row is None:
            return
        menu = PopupMenu(self)
        menu.triggered.connect(self._change)
        chosen = [self.model.row(index) for index in self.table.selectionModel().selectedRows()]
        folders = [each.folder for each in chosen if each is not None]
        if row.folder in folders and len(folders) > 1:
            title = ngettext(
                "Practise on {count} trajectory", "Practise on {count} trajectories", len(folders)
            )
            menu.addAction(theme.icon("play"), title).setData(("practise", "\n".join(folders)))
            menu.popup(self.table.viewport().mapToGlobal(at))
            return
        menu.addAction(theme.icon("review"), _("Open"), self.accept)
        menu.addSeparator()
        for icon, title, verb in (
            ("edit", _("Rename trajectory..."), "rename"),
            ("copy", _("Duplicate trajectory"), "duplicate"),
            ("trash", _("Delete trajectory"), "delete"),
            ("project", _("Open the folder"), "show_folder"),
            ("play", _("Practise on this"), "practise"),
            ("up", _("Export..."), "export"),
        ):
            menu.addAction(theme.icon(icon), title).setData((verb, row.folder))
        menu.popup(self.table.viewport().mapToGlobal(at))

    @Slot(QAction)
    def _change(self, action: QAction) -> None:
        if action.data() is not None:
            verb, folder = action.data()
            if verb == "export":
                self.reject()
            self.change_asked.emit(verb, folder)

    @Slot()
    def _export(self) -> None:
        query = self.field.text().strip()
        self.reject()
        self.export_asked.emit(query)

    @Slot()
    def accept(self) -> None:
        """Emit the chosen trajectory."""
        row = self.model.row(self.table.currentIndex())
        if row is not None:
            self.opened.emit(row)
            super().accept()
