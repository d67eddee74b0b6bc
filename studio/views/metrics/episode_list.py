"""The list of the episodes behind a number: read from the catalogue page by page, opened by Enter."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from collector.metrics.episode_columns import Ints
from collector.model.episode_text import verdict_text
from collector.model.i18n import _
from collector.store.catalogue import Catalogue
from collector.store.catalogue_row import CatalogueRow
from collector.store.project import Project
from studio.bridge import Job, JobRunner
from studio.theme import theme
from studio.widgets.painting import draw_text
from studio.widgets.verdict_text import verdict_icon, verdict_tone

_PAGE, _HEIGHT, _SIDE, _ICON, _LINE = 200, 48, 12, 16, 18
_ROW_ROLE = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex


class BehindModel(QAbstractListModel):
    """Episodes by their keys in the catalogue; what a list says of them is read when it is looked at."""

    def __init__(self, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self._project: Project | None = None
        self._keys: list[int] = []
        self._rows: dict[int, CatalogueRow] = {}
        self._asked: set[int] = set()

    def show(self, project: Project | None, keys: Ints) -> None:
        """Show other episodes."""
        self.beginResetModel()
        self._project, self._keys = project, keys.tolist()
        self._rows, self._asked = {}, set()
        self.endResetModel()

    def row(self, number: int) -> CatalogueRow | None:
        """What is known of an episode; None until it was read."""
        return self._rows.get(self._keys[number]) if 0 <= number < len(self._keys) else None

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return 0 if parent is not None and parent.isValid() else len(self._keys)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role not in (_ROW_ROLE, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        row = self._rows.get(self._keys[index.row()])
        if row is None:
            self._ask(index.row() // _PAGE)
        if role == _ROW_ROLE:
            return row
        return (
            "" if row is None else ", ".join(filter(None, (row.task, row.agent, row.condition, row.reason)))
        )

    def _ask(self, page: int) -> None:
        project = self._project
        if page in self._asked or project is None:
            return
        self._asked.add(page)
        keys = self._keys[page * _PAGE : (page + 1) * _PAGE]

        def work(_job: Job) -> dict[int, CatalogueRow]:
            with Catalogue(project) as catalogue:
                return catalogue.rows_of(keys)

        self._runner.run(work, success=partial(self._read, page))

    def _read(self, page: int, rows: dict[int, CatalogueRow]) -> None:
        self._rows |= rows
        last = min(len(self._keys), (page + 1) * _PAGE) - 1
        if last >= page * _PAGE:
            self.dataChanged.emit(self.index(page * _PAGE), self.index(last))


class _EpisodeDelegate(QStyledItemDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:  # noqa: N802 - Qt's name
        return QSize(0, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        rect: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("accent-weak"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("bg-3"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("line"))
        row: CatalogueRow | None = index.data(_ROW_ROLE)
        if row is None:
            return
        icon = QRect(rect.right() - _SIDE - _ICON, rect.top(), _ICON, rect.height())
        tone = verdict_tone(row.outcome) or "text-2"
        theme.draw_icon_in(painter, verdict_icon(row.outcome), icon, _ICON, tone)
        first = QRect(rect.left() + _SIDE, rect.top() + 5, icon.left() - rect.left() - 2 * _SIDE, _LINE)
        width = draw_text(painter, first, row.task, "name")
        about = row.condition if row.seed is None else _("seed {seed}", seed=row.seed)
        draw_text(painter, first.adjusted(width + 8, 0, 0, 0), about, "body", "text-2")
        words = row.infrastructure or row.reason or verdict_text(row.outcome)
        draw_text(painter, first.translated(0, _LINE), words, "body", "text")


class BehindList(QListView):
    """Emits ``opened`` with the :class:`CatalogueRow` of an episode."""

    opened = Signal(object)

    def __init__(self, runner: JobRunner) -> None:
        super().__init__()
        self.episodes = BehindModel(runner, self)
        self.setModel(self.episodes)
        self.setItemDelegate(_EpisodeDelegate(self))
        self.setAccessibleName(_("Episodes"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.doubleClicked.connect(self._open)
        theme.changed.connect(self.viewport().update)

    def _open(self, index: QModelIndex) -> None:
        if (row := self.episodes.row(index.row())) is not None:
            self.opened.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)
