"""Qt model of the differences of two trees. An index holds the number of its row, so rows need no objects."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from collector.hierarchy.difference_groups import NodeDifference, NodeDifferenceKind
from studio.widgets.state_difference.difference_line import DifferenceLine, attribute_line, line_of
from studio.widgets.wrapped_text import tooltip_text

LINE_ROLE = Qt.ItemDataRole.UserRole + 1
"""The :class:`DifferenceLine` of an index."""
_NO_PARENT = -1
_Index = QModelIndex | QPersistentModelIndex
ALL_KINDS = frozenset(NodeDifferenceKind)


@dataclass(slots=True, eq=False)
class _Row:
    """A line, and the difference it speaks of; lines of an app or a text speak of no node."""

    kind: NodeDifferenceKind
    difference: NodeDifference | None
    line: DifferenceLine | None = None
    """Written when it is first asked for."""
    parent: int = _NO_PARENT
    place: int = 0
    """Its row below its parent."""
    below: list[int] = field(default_factory=list)


class TreeDifferenceModel(QAbstractItemModel):
    """One column: lines without a node first, then the differences, each with those below it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[DifferenceLine, ...] = ()
        self._differences: tuple[NodeDifference, ...] = ()
        self._kinds: Collection[NodeDifferenceKind] = ALL_KINDS
        self._rows: list[_Row] = []
        self._top: list[int] = []

    def show(self, lines: Sequence[DifferenceLine], differences: Sequence[NodeDifference] = ()) -> None:
        """Show other lines and differences."""
        self._lines, self._differences = tuple(lines), tuple(differences)
        self._lay_out()

    def set_kinds(self, kinds: Collection[NodeDifferenceKind]) -> None:
        """Show only differences of these kinds."""
        self._kinds = kinds
        self._lay_out()

    def _lay_out(self) -> None:
        self.beginResetModel()
        self._rows, self._top = [], []
        for line in self._lines:
            if line.kind in self._kinds:
                self._add(_Row(line.kind, None, line))
        waiting = [(each, _NO_PARENT) for each in reversed(self._differences) if each.kind in self._kinds]
        while waiting:
            difference, parent = waiting.pop()
            number = self._add(_Row(difference.kind, difference, parent=parent))
            waiting += [(each, number) for each in reversed(difference.below)]
            if len(difference.attributes) > 1:
                for name, (before, after) in difference.attributes.items():
                    line = attribute_line(name, before, after)
                    self._add(_Row(difference.kind, difference, line, number))
        self.endResetModel()

    def _add(self, row: _Row) -> int:
        family = self._top if row.parent == _NO_PARENT else self._rows[row.parent].below
        row.place = len(family)
        self._rows.append(row)
        family.append(len(self._rows) - 1)
        return family[-1]

    def difference(self, index: _Index) -> NodeDifference | None:
        """The difference that a row speaks of."""
        return self._rows[index.internalId()].difference if index.isValid() else None

    def index_of(self, difference: NodeDifference | None) -> QModelIndex:
        """The index of a difference; invalid for one that is not shown."""
        for number, row in enumerate(self._rows):
            if difference is not None and row.difference is difference:
                return self.createIndex(row.place, 0, number)
        return QModelIndex()

    # -- what Qt asks --------------------------------------------------------
    def index(self, row: int, column: int, parent: _Index | None = None) -> QModelIndex:
        family = self._family(parent)
        if column != 0 or not 0 <= row < len(family):
            return QModelIndex()
        return self.createIndex(row, 0, family[row])

    def parent(self, index: _Index | None = None) -> Any:
        """Parent of an index; without an argument, ``QObject.parent()``."""
        if index is None:
            return super().parent()
        number = self._rows[index.internalId()].parent if index.isValid() else _NO_PARENT
        return (
            QModelIndex() if number == _NO_PARENT else self.createIndex(self._rows[number].place, 0, number)
        )

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802 - Qt's name
        return len(self._family(parent))

    def columnCount(self, parent: _Index | None = None) -> int:  # noqa: ARG002, N802 - Qt's name
        return 1

    def _family(self, parent: _Index | None) -> list[int]:
        if parent is None or not parent.isValid():
            return self._top
        return self._rows[parent.internalId()].below

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return str(self._line(index))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip_text(self._line(index).tip)
        return self._line(index) if role == LINE_ROLE else None

    def _line(self, index: _Index) -> DifferenceLine:
        row = self._rows[index.internalId()]
        if row.line is None:
            assert row.difference is not None
            row.line = line_of(row.difference)
        return row.line

    def text_of(self, index: QModelIndex) -> str:
        """A row and all below it as text, indented by level."""
        texts: list[str] = []
        waiting = [(index, 0)]
        while waiting:
            each, level = waiting.pop()
            texts.append("  " * level + str(self._line(each)))
            waiting += [(self.index(row, 0, each), level + 1) for row in reversed(range(self.rowCount(each)))]
        return "\n".join(texts)
