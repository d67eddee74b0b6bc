"""The splitters and folded panels of a workspace, found as the widgets they are."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from studio.widgets.panel_splitter import PanelSplitter
from studio.widgets.panel_strip import PanelStrip


def across(workspace: QWidget) -> PanelSplitter:
    """The splitter between the left panel, the centre and the right one."""
    return _splitter(workspace, Qt.Orientation.Horizontal)


def down(workspace: QWidget) -> PanelSplitter:
    """The splitter above the bottom panel."""
    return _splitter(workspace, Qt.Orientation.Vertical)


def strip_of(workspace: QWidget, title: str) -> PanelStrip:
    """What is left of a folded panel."""
    return next(strip for strip in workspace.findChildren(PanelStrip) if strip.text() == title)


def _splitter(workspace: QWidget, orientation: Qt.Orientation) -> PanelSplitter:
    splitters = workspace.findChildren(PanelSplitter)
    return next(splitter for splitter in splitters if splitter.orientation() is orientation)
