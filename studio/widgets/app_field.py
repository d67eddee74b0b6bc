"""A field for an app: picked from those of the phone, or typed."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QCompleter, QWidget

from collector.device.apps.installed_app import InstalledApp
from rule_editor.widgets.combo_box import ComboBox
from studio.widgets.controls.fields import dress_completer

_MOST_SHOWN = 12


class AppField(ComboBox):
    """An editable list. Words of the label or the package find an app while somebody types."""

    edited = Signal()
    """Somebody picked or typed another app, or the app in the field is listed now."""

    def __init__(self, known: Iterable[InstalledApp], text: str = "", parent: QWidget | None = None) -> None:
        """``known`` are listed beside the apps of the phone."""
        super().__init__(parent)
        self._known = tuple(known)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMaxVisibleItems(_MOST_SHOWN)
        # Of the line, and not of the box: Qt gives no style to a list right inside a QComboBox.
        completer = QCompleter(self.model(), self.lineEdit())
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        dress_completer(completer)
        self.setCompleter(completer)
        self.show_apps(())
        self.setEditText(text)
        self.editTextChanged.connect(self.edited)

    @property
    def text(self) -> str:
        """What the field holds, without spaces around it."""
        return self.currentText().strip()

    @property
    def app(self) -> InstalledApp | None:
        """The listed app that the field names by its entry, label or package; None for any other text."""
        text = self.text.casefold()
        for index in range(self.count()):
            app: InstalledApp = self.itemData(index)
            if text and text in (str(app).casefold(), app.label.casefold(), app.package.casefold()):
                return app
        return None

    @Slot(object)
    def show_apps(self, apps: Iterable[InstalledApp]) -> None:
        """List the apps of a phone beside the known ones; what was typed stays."""
        listed = {app.package: app for app in (*self._known, *apps)}
        text = self.currentText()
        with QSignalBlocker(self):
            self.clear()
            for app in sorted(listed.values(), key=lambda app: (not app.label, str(app).casefold())):
                self.addItem(str(app), app)
            self.setCurrentIndex(-1)
            self.setEditText(text)
        if text:
            self.edited.emit()
