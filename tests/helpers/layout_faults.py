"""Find by geometry what nobody can read in a window: texts that are cut, parts that overlap, scroll bars.

A text may be elided where :func:`_elides` says so; a tooltip has the whole of it then.
What is wider than any window scrolls to the side.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QHeaderView,
    QLabel,
    QLayout,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)

from rule_editor.widgets.cell_grid import CellGrid
from rule_editor.widgets.form_inputs import ChoiceInput
from rule_editor.widgets.yaml_view.editor import YamlEditor
from studio.widgets.choice_button import ChoiceButton
from studio.widgets.controls import Button, SegmentedControl, Tabs
from studio.widgets.judge_windows.window_bars import WindowBars
from studio.widgets.metric_plots.pair_boxes import PairCountButton
from studio.widgets.number_table.view import NumberTable
from studio.widgets.state_graph.canvas import StateGraphCanvas
from studio.widgets.timeline.canvas import TimelineCanvas
from studio.widgets.trajectory_edits.edit_strips import EditStrips

SCROLLS_SIDEWAYS = (
    CellGrid, EditStrips, NumberTable, StateGraphCanvas, TimelineCanvas, WindowBars, YamlEditor,
)  # fmt: skip
"""Views whose content is as long as a recording, a file or a matrix is."""
_WORDED = (QAbstractButton, SegmentedControl, Tabs)
_SHRINKING = (SegmentedControl, Tabs)
"""Controls that are readable down to their least size."""
_SLACK = 1
_MOST_PARTS = 60
"""Longer layouts are lists: their rows cannot overlap, and comparing all pairs would take seconds."""


def layout_faults(window: QWidget) -> list[str]:
    """What is wrong with the widgets of a window that are on show, each with the widget's place in words."""
    return [
        f"{place_of(widget)}: {fault}"
        for widget in _on_show(window, window.rect())
        for fault in (*_cut_text(widget), *_cut_by_parent(widget), *_overlaps(widget), *_scroll_bar(widget))
    ]


def settled_faults(window: QWidget) -> list[str]:
    """What is wrong once everything is laid out: a text that has just arrived asks for another layout."""
    faults: list[str] = []
    for _round in range(6):
        for _layout in range(3):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            QCoreApplication.processEvents()
        faults = layout_faults(window)
        if not faults:
            break
    return faults


def _on_show(widget: QWidget, clip: QRect) -> Iterator[QWidget]:
    """The widget and those in it of which something is to be seen; ``clip`` is what is seen of it."""
    yield widget
    for child in widget.children():
        if isinstance(child, QWidget) and not child.isHidden() and not child.isWindow():
            seen = (clip & child.geometry()).translated(-child.pos())
            if not seen.isEmpty():
                yield from _on_show(child, seen)


def place_of(widget: QWidget) -> str:
    """The widget and those around it, the innermost first."""
    names: list[str] = []
    around: QWidget | None = widget
    while around is not None and len(names) < 4:
        names.append(type(around).__name__)
        around = around.parentWidget()
    return " in ".join(names)


def _elides(widget: QWidget) -> bool:
    """Whether the layout may give a widget less width than its words need."""
    if isinstance(widget, QLabel):  # its least width is that of its words, unless it was made to elide them
        least = widget.minimumSizeHint().width()
        return not widget.wordWrap() and least < widget.fontMetrics().horizontalAdvance(widget.text())
    ignores_width = widget.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Ignored
    return ignores_width or isinstance(widget, (ChoiceButton, PairCountButton))


def _cut_text(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel):
        if widget.text() and not widget.pixmap():
            yield from _cut_label(widget)
    elif isinstance(widget, QLineEdit):
        room = widget.contentsRect().width() - 8
        shown = "" if widget.text() or widget.toolTip() else widget.placeholderText()
        if widget.fontMetrics().horizontalAdvance(shown) > room:
            yield f"the placeholder {shown!r} is cut"
    elif isinstance(widget, QComboBox):
        yield from _cut_choice(widget)
    elif isinstance(widget.parentWidget(), QLineEdit) or (isinstance(widget, Button) and widget.is_compact):
        return  # icons alone
    elif isinstance(widget, _WORDED):
        elides = _elides(widget)
        needed = widget.minimumSizeHint() if elides or isinstance(widget, _SHRINKING) else widget.sizeHint()
        has_tip = bool(widget.toolTip()) or isinstance(widget, ChoiceButton)
        is_small = widget.width() + _SLACK < widget.sizeHint().width()
        if widget.width() + _SLACK < needed.width() and not (elides and isinstance(widget, Button)):
            yield f"{_words(widget)!r} is cut: {widget.width()} of {needed.width()} px"
        elif elides and is_small and not has_tip:
            yield f"{_words(widget)!r} is elided without a tooltip"


def _cut_choice(box: QComboBox) -> Iterator[str]:
    """A choice that Qt cuts; a :class:`ChoiceInput` elides what is too long."""
    if box.isEditable() or isinstance(box, ChoiceInput):
        return
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    field = QStyle.SubControl.SC_ComboBoxEditField
    room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, box).width()
    if box.fontMetrics().horizontalAdvance(box.currentText()) > room:
        yield f"the choice {box.currentText()!r} is cut: {room} px"


def _cut_label(label: QLabel) -> Iterator[str]:
    room = label.contentsRect()
    if _elides(label):
        return
    if label.wordWrap():
        if label.heightForWidth(label.width()) > label.height() + _SLACK:
            yield f"{label.text()!r} is cut at the bottom"
    elif label.fontMetrics().horizontalAdvance(label.text().split("\n")[0]) > room.width() + _SLACK:
        yield f"{label.text()!r} is cut: {room.width()} px"
    elif label.fontMetrics().height() > label.height() + 4:
        yield f"{label.text()!r} is cut at the bottom"


def _cut_by_parent(widget: QWidget) -> Iterator[str]:
    """A text or a button that lies partly outside of what is around it."""
    if not isinstance(widget, (QLabel, QLineEdit, *_WORDED)):
        return
    box, parent = QRect(QPoint(), widget.size()), widget.parentWidget()
    inner: QWidget = widget
    while parent is not None and not inner.isWindow():
        if isinstance(parent, QHeaderView):
            return
        box = QRect(inner.mapTo(parent, box.topLeft()), box.size())
        room = parent.rect()
        scrolls = isinstance(parent.parentWidget(), QScrollArea)
        if scrolls:
            if box.left() < -_SLACK or box.right() > room.right() + _SLACK:
                yield f"{_words(widget)!r} does not fit into its panel by {box.right() - room.right()} px"
            return
        slack = 2 * _SLACK  # from right to left Qt rounds sizes of splitters up
        if not room.adjusted(-slack, -slack, slack, slack).contains(box):
            there = f"{box.left()} to {box.right()} of {room.width()} px"
            yield f"{_words(widget)!r} is cut by {type(parent).__name__}: {there}"
            return
        inner, parent = parent, parent.parentWidget()


def _overlaps(widget: QWidget) -> Iterator[str]:
    layout = widget.layout()
    if layout is None:
        return
    parts = [(part, part.geometry()) for part in _widgets_of(layout) if not part.isHidden()]
    if len(parts) > _MOST_PARTS:
        return
    for place, (first, box) in enumerate(parts):
        for second, other in parts[place + 1 :]:
            common = box & other
            if common.width() > _SLACK and common.height() > _SLACK:
                yield f"{_words(first)!r} and {_words(second)!r} overlap"


def _widgets_of(layout: QLayout) -> Iterator[QWidget]:
    for place in range(layout.count()):
        item = layout.itemAt(place)
        assert item is not None
        widget, inside = item.widget(), item.layout()
        if widget is not None:
            yield widget
        elif inside is not None:
            yield from _widgets_of(inside)


def _scroll_bar(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QAbstractScrollArea) and not isinstance(widget, SCROLLS_SIDEWAYS):
        bar = widget.horizontalScrollBar()
        if bar.isVisible() and bar.maximum() > bar.minimum():
            yield "has a horizontal scroll bar"
        hidden = widget.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if hidden and isinstance(widget, QScrollArea) and bar.maximum() > bar.minimum():
            yield f"is too narrow for what it holds by {bar.maximum()} px"


def _words(widget: QWidget) -> str:
    text = getattr(widget, "text", None)
    return (text() if callable(text) else "") or widget.accessibleName() or type(widget).__name__
