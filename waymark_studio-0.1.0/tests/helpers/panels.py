"""The splitters and folded panels of a workspace, found as the widgets they are."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from studio.widgets.window_frame.panel_splitter import PanelSplitter
from studio.widgets.window_frame.panel_strip import PanelStrip


def splitter_of(panel: QWidget) -> PanelSplitter:
    """The splitter whose line is at the edge of a panel."""
    splitter = panel.parentWidget()
    assert isinstance(splitter, PanelSplitter)
    return splitter


def down(workspace: QWidget) -> PanelSplitter:
    """The splitter above the bottom panel, the outermost one: panels have splitters of their own."""
    splitters = workspace.findChildren(PanelSplitter)
    return min((each for each in splitters if each.orientation() is Qt.Orientation.Vertical), key=_depth)


def strip_of(workspace: QWidget, title: str) -> PanelStrip:
    """What is left of a folded panel."""
    return next(strip for strip in workspace.findChildren(PanelStrip) if strip.text() == title)


def _depth(widget: QWidget | None) -> int:
    return 0 if widget is None else 1 + _depth(widget.parentWidget())
