"""Qt model of all trajectories of a project, read page by page from the catalogue."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal, Slot

from collector.model.i18n import N_, _
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.catalogue.catalogue_text import condition_or_baseline, outcome_text
from studio.bridge.trajectories.project_trajectories import ProjectTrajectories
from studio.theme import theme
from studio.views.project.relative_time import relative_time
from studio.views.project.trajectory_text import about_text, kind_text, maker_text, state_icon, status_text
from studio.widgets.tables.spoken_cell import spoken_cell
from studio.widgets.wrapped_text import tooltip_text

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole
PAGE = 200
TITLES = (
    N_("Task"),
    N_("Trajectory"),
    N_("Kind"),
    N_("By"),
    N_("Condition"),
    N_("Outcome"),
    N_("Steps"),
    N_("Status"),
    N_("Problem"),
    N_("When"),
)
_STEPS, _WHEN = 6, 9
_NOBODY = QModelIndex()


class TrajectoryModel(QAbstractTableModel):
    """Trajectories that match a query, newest first."""

    counted = Signal(int)
    """Number of trajectories that match."""
    failed = Signal(object)
    """The error of a query that cannot be run."""

    def __init__(self, trajectories: ProjectTrajectories, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._trajectories = trajectories
        self._rows: list[CatalogueRow] = []
        self._count = 0
        self._query = ""
        self._is_loading = False
        self._reload = False
        self.as_seen: Callable[[CatalogueRow], CatalogueRow] | None = None
        """A trajectory as the person may see it: an auditor does not see every name; None shows all."""

    def _seen(self, rows: list[CatalogueRow]) -> list[CatalogueRow]:
        return rows if self.as_seen is None else [self.as_seen(row) for row in rows]

    def search(self, query: str) -> None:
        """Show the trajectories that match ``query``; the first page arrives later."""
        self._query = query
        if self._is_loading:
            self._reload = True
            return
        self._load_page(0)

    def row(self, index: Index) -> CatalogueRow | None:
        """Return the trajectory of an index."""
        return self._rows[index.row()] if index.isValid() else None

    def _load_page(self, offset: int) -> None:
        success = self._first_page if offset == 0 else self._next_page
        job = self._trajectories.page(self._query, offset, PAGE, success, self._load_failed)
        self._is_loading = job is not None

    @Slot(object)
    def _first_page(self, page: tuple[int, list[CatalogueRow]]) -> None:
        self.beginResetModel()
        self._count, self._rows = page[0], self._seen(page[1])
        self.endResetModel()
        self.counted.emit(self._count)
        self._page_loaded()

    @Slot(object)
    def _next_page(self, page: tuple[int, list[CatalogueRow]]) -> None:
        rows = self._seen(page[1])
        if rows:
            start = len(self._rows)
            self.beginInsertRows(QModelIndex(), start, start + len(rows) - 1)
            self._rows += rows
            self.endInsertRows()
        else:
            # The catalogue has become smaller since the first page.
            self._count = len(self._rows)
        self._page_loaded()

    @Slot(object)
    def _load_failed(self, error: Exception) -> None:
        self.failed.emit(error)
        self._page_loaded()

    def _page_loaded(self) -> None:
        self._is_loading = False
        if self._reload:
            self._reload = False
            self._load_page(0)

    # -- QAbstractTableModel ---------------------------------------------------
    def canFetchMore(self, parent: Index) -> bool:  # noqa: N802 - Qt's name
        return not parent.isValid() and not self._is_loading and len(self._rows) < self._count

    def fetchMore(self, parent: Index) -> None:  # noqa: N802 - Qt's name
        if self.canFetchMore(parent):
            self._load_page(len(self._rows))

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
            return _alignment(section)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, index.column())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken_cell(_(TITLES[index.column()]), self._text(row, index.column()))
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return theme.icon(state_icon(row))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip_text(about_text(row))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        return row if role == ROW else None

    def _text(self, row: CatalogueRow, column: int) -> str:
        return (
            row.task,
            row.id,
            kind_text(row),
            maker_text(row),
            condition_or_baseline(row),
            outcome_text(row),
            str(row.steps),
            status_text(row),
            row.problem,
            relative_time(row.started),
        )[column]


def _alignment(column: int) -> Qt.AlignmentFlag:
    """Return the alignment of a column and its title: numbers at the right."""
    side = Qt.AlignmentFlag.AlignRight if column in (_STEPS, _WHEN) else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
