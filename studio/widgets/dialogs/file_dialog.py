"""Style Qt's file dialog, used where the native one lacks a feature."""

from __future__ import annotations

from PySide6.QtCore import QFileInfo
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QCompleter,
    QFileDialog,
    QFileIconProvider,
    QPushButton,
    QToolButton,
    QTreeView,
)

from studio.theme import theme
from studio.widgets.controls.fields import dress_completer

_TOOLS = {
    "backButton": "chevl",
    "forwardButton": "chevr",
    "toParentButton": "chevu",
    "newFolderButton": "plus",
    "listModeButton": "list",
    "detailModeButton": "table",
}
_ICONS_PROPERTY = "iconProvider"
_WIDTH, _HEIGHT, _DATE_COLUMN, _DATE_WIDTH = 860, 520, 3, 150


class _Icons(QFileIconProvider):
    """Icons made in advance, because Qt asks for them on another thread."""

    def __init__(self) -> None:
        super().__init__()
        self._folder, self._file = theme.icon("project"), theme.icon("note")

    def icon(self, what: QFileIconProvider.IconType | QFileInfo) -> QIcon:
        if isinstance(what, QFileInfo):
            return self._folder if what.isDir() else self._file
        return self._file if what is QFileIconProvider.IconType.File else self._folder


def dress_file_dialog(dialog: QFileDialog) -> None:
    """Set icons, size and the background of completions; a native dialog is not changed."""
    if not dialog.testOption(QFileDialog.Option.DontUseNativeDialog):
        return
    icons = _Icons()
    dialog.setIconProvider(icons)
    dialog.setProperty(_ICONS_PROPERTY, icons)  # keeps them alive: the dialog does not own them
    for button in dialog.findChildren(QToolButton):
        if name := _TOOLS.get(button.objectName()):
            button.setIcon(theme.icon(name))
    for push in dialog.findChildren(QPushButton):
        push.setIcon(QIcon())
    for completer in dialog.findChildren(QCompleter):
        dress_completer(completer)
    dialog.resize(_WIDTH, _HEIGHT)
    for table in dialog.findChildren(QTreeView):
        table.header().resizeSection(_DATE_COLUMN, _DATE_WIDTH)
