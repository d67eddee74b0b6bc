"""What differs between the trees, or the texts, of two states: a header with counts, and the list."""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from collector.hierarchy.difference_groups import NodeDifference, NodeDifferenceKind, count_by_kind
from collector.model.i18n import _
from studio.bridge.review.state_comparisons import ComparedStep, ScreenComparison
from studio.widgets.controls import Label, header_row
from studio.widgets.state_difference.difference_line import place_lines, text_lines
from studio.widgets.state_difference.difference_rows_view import DifferenceRowsView
from studio.widgets.state_difference.kind_toggle import KindToggle, nodes_in_words, texts_in_words


class DifferenceListMode(Enum):
    """What is listed."""

    NODES = auto()
    TEXTS = auto()


class TreeDifferenceList(QWidget):
    """Lists how the second state differs from the first; choosing a row emits its nodes."""

    nodes_chosen = Signal(object, object)
    """The Node of the first state and that of the second; None on a side that does not have it."""
    node_opened = Signal(int, object)
    """Number of the side and the Node that was opened with Enter or a double click."""
    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison: ScreenComparison | None = None
        self._mode = DifferenceListMode.NODES
        self._title = Label("", "heading")
        self._pair = Label("", "body", "text-2", cut=True)
        self.toggles = [KindToggle(kind) for kind in NodeDifferenceKind]
        self.rows = DifferenceRowsView()
        self._empty = Label("", tone="text-2", wrap=True)
        self._note = Label("", "caption", "text-2", wrap=True)
        self._stack = QStackedWidget()
        self._lay_out()
        self.rows.difference_chosen.connect(self._chosen)
        self.rows.difference_opened.connect(self._opened)
        self.rows.copied.connect(self.copied)
        for toggle in self.toggles:
            toggle.toggled.connect(self._kinds_changed)
        self._refresh()

    def _lay_out(self) -> None:
        head, row = header_row("panel_header", edge="top")
        row.addWidget(self._title)
        row.addWidget(self._pair, 1)
        counts = QHBoxLayout()
        counts.setSpacing(2)
        for toggle in self.toggles:
            counts.addWidget(toggle)
        row.addLayout(counts)
        self._empty.setContentsMargins(12, 12, 12, 12)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._note.setContentsMargins(12, 8, 12, 8)
        listed = QWidget()
        below = QVBoxLayout(listed)
        below.setContentsMargins(0, 0, 0, 0)
        below.setSpacing(0)
        below.addWidget(self.rows, 1)
        below.addWidget(self._note)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(listed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self._stack, 1)

    @property
    def mode(self) -> DifferenceListMode:
        return self._mode

    def set_mode(self, mode: DifferenceListMode) -> None:
        """List nodes, or the texts that only one of the states has."""
        if mode is not self._mode:
            self._mode = mode
            self._refresh()

    @property
    def comparison(self) -> ScreenComparison | None:
        return self._comparison

    @Slot(object)
    def show_comparison(self, comparison: ScreenComparison | None) -> None:
        """Show what differs; None says that there are no two states to compare."""
        self._comparison = comparison
        self._refresh()

    # -- what is listed ------------------------------------------------------
    def _refresh(self) -> None:
        texts = self._mode is DifferenceListMode.TEXTS
        self._title.setText(_("Text diff") if texts else _("Tree diff"))
        self.rows.setAccessibleName(_("Differences of the texts") if texts else _("Differences of the trees"))
        comparison = self._comparison
        pair = pair_in_words(comparison.before.place, comparison.after.place) if comparison else ""
        self._pair.setText(pair)
        self._pair.setToolTip(pair)
        if comparison is None:
            self.rows.differences.show(())
        elif texts:
            difference = comparison.difference
            self.rows.differences.show(text_lines(difference.added_texts, difference.removed_texts))
        else:
            self.rows.differences.show(place_lines(comparison.difference.place), comparison.nodes)
        self._count()
        self._say_why_empty()

    def _count(self) -> None:
        counts, words = self._counts(), nodes_in_words
        if self._mode is DifferenceListMode.TEXTS:
            words = texts_in_words
        for toggle in self.toggles:
            count = counts.get(toggle.kind, 0)
            toggle.set_count(count, words(toggle.kind, count))

    def _counts(self) -> dict[NodeDifferenceKind, int]:
        if self._comparison is None:
            return {}
        difference = self._comparison.difference
        if self._mode is DifferenceListMode.NODES:
            return count_by_kind(difference.tree) if difference.tree is not None else {}
        return {
            NodeDifferenceKind.ADDED: len(difference.added_texts),
            NodeDifferenceKind.REMOVED: len(difference.removed_texts),
        }

    @Slot()
    def _kinds_changed(self) -> None:
        self.rows.differences.set_kinds(frozenset(each.kind for each in self.toggles if each.isChecked()))
        self._say_why_empty()

    def _say_why_empty(self) -> None:
        """Show the list, or in one sentence why there is none."""
        is_empty = not self.rows.differences.rowCount()
        missing = self._missing_trees()
        self._empty.setText((missing or self._reason()) if is_empty else "")
        self._note.setText(missing)
        self._note.setVisible(bool(missing))
        self._stack.setCurrentIndex(0 if is_empty else 1)

    def _missing_trees(self) -> str:
        """Say which of the states has no tree; empty when both have."""
        if self._comparison is None:
            return ""
        screens = (self._comparison.before, self._comparison.after)
        missing = [place_in_words(each.place) for each in screens if each.screen.tree is None]
        if len(missing) == 2:
            return _("{before} and {after} have no tree", before=missing[0], after=missing[1])
        return _("{step} has no tree", step=missing[0]) if missing else ""

    def _reason(self) -> str:
        if self._comparison is None:
            return _("There are no two steps to compare here")
        if any(self._counts().values()):
            return _("Nothing differs of the kinds that are listed")
        return _("Nothing differs")

    # -- what is chosen ------------------------------------------------------
    @Slot(object)
    def _chosen(self, difference: NodeDifference | None) -> None:
        if difference is None:
            self.nodes_chosen.emit(None, None)
        else:
            self.nodes_chosen.emit(difference.before, difference.after)

    @Slot(object)
    def _opened(self, difference: NodeDifference | None) -> None:
        if difference is None or self._comparison is None:
            return
        screen = self._comparison.after if difference.after is not None else self._comparison.before
        self.node_opened.emit(screen.place.side, difference.node)


def place_in_words(place: ComparedStep) -> str:
    """The side and step of a state: ``A step 9``."""
    return _("{side} step {number}", side=place.letter, number=place.step + 1)


def pair_in_words(before: ComparedStep, after: ComparedStep) -> str:
    """Two states: ``A step 9 to C step 9``."""
    return _("{before} to {after}", before=place_in_words(before), after=place_in_words(after))
