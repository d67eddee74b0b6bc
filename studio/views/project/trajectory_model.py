"""All trajectories of a project as a table, read page by page from the catalogue."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal, Slot

from collector.model.i18n import N_, _
from collector.store.catalogue import CatalogueRow
from studio.bridge.library import Library
from studio.theme import theme
from studio.views.project.recent_trajectories import kind_words, state_icon
from studio.views.project.relative_time import when

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole
PAGE = 200
TITLES = (
    N_("Task"),
    N_("Trajectory"),
    N_("Kind"),
    N_("Steps"),
    N_("Who"),
    N_("Status"),
    N_("Problem"),
    N_("When"),
)
_STEPS, _WHEN = 3, 7
_NOBODY = QModelIndex()


class TrajectoryModel(QAbstractTableModel):
    """Newest first. ``counted(count)`` tells how many fit, ``failed`` what is wrong with the query."""

    counted = Signal(int)
    failed = Signal(object)

    def __init__(self, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._rows: list[CatalogueRow] = []
        self._count = 0
        self._query = ""
        self._asking = False
        self._again = False

    def search(self, query: str) -> None:
        """Show what fits ``query``; the first page comes behind."""
        self._query = query
        if self._asking:
            self._again = True
            return
        self._ask(0)

    def row(self, index: Index) -> CatalogueRow | None:
        """The trajectory of an index."""
        return self._rows[index.row()] if index.isValid() else None

    def _ask(self, offset: int) -> None:
        success = self._first_page if offset == 0 else self._next_page
        job = self._library.page(self._query, offset, PAGE, success, self._refused)
        self._asking = job is not None

    @Slot(object)
    def _first_page(self, found: tuple[int, list[CatalogueRow]]) -> None:
        self.beginResetModel()
        self._count, self._rows = found
        self.endResetModel()
        self.counted.emit(self._count)
        self._answered()

    @Slot(object)
    def _next_page(self, found: tuple[int, list[CatalogueRow]]) -> None:
        rows = found[1]
        if rows:
            start = len(self._rows)
            self.beginInsertRows(QModelIndex(), start, start + len(rows) - 1)
            self._rows += rows
            self.endInsertRows()
        else:
            # The catalogue shrank since the first page.
            self._count = len(self._rows)
        self._answered()

    @Slot(object)
    def _refused(self, error: Exception) -> None:
        self.failed.emit(error)
        self._answered()

    def _answered(self) -> None:
        self._asking = False
        if self._again:
            self._again = False
            self._ask(0)

    # -- the model -----------------------------------------------------------
    def canFetchMore(self, parent: Index) -> bool:  # noqa: N802 - Qt's name
        return not parent.isValid() and not self._asking and len(self._rows) < self._count

    def fetchMore(self, parent: Index) -> None:  # noqa: N802 - Qt's name
        if self.canFetchMore(parent):
            self._ask(len(self._rows))

    def rowCount(self, parent: Index = _NOBODY) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOBODY) -> int:  # noqa: N802 - Qt's name
        return 0 if parent.isValid() else len(TITLES)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _(TITLES[section])
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, index.column())
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return theme.icon(state_icon(row))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(index.column())
        return row if role == ROW else None

    def _text(self, row: CatalogueRow, column: int) -> str:
        return (
            row.task,
            row.id,
            kind_words(row),
            str(row.steps),
            row.who,
            _(row.status),
            row.problem,
            when(row.started),
        )[column]


def _side(column: int) -> Qt.AlignmentFlag:
    """Numbers stand at the right, under a title that does too."""
    side = Qt.AlignmentFlag.AlignRight if column in (_STEPS, _WHEN) else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
