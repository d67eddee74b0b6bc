"""The settings page, built from the table of settings: search, a row for each setting, and all shortcuts."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSpacerItem,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from collector.model.i18n import _
from rule_editor.widgets.combo_box import ComboBox
from rule_editor.widgets.field_names import add_clear_button, name_field
from studio.commands.command import Command
from studio.commands.registry import Registry
from studio.settings import SETTINGS, Setting, Settings
from studio.settings.store import SettingError
from studio.settings.table import GROUPS
from studio.theme.scale import can_change_scale
from studio.views.language_names import own_name
from studio.widgets.controls import Label, Switch
from studio.widgets.controls.fields import dress_spin_box
from studio.widgets.dialogs.shortcut_dialog import ShortcutDialog, bindings, chord_of
from studio.widgets.icon_button import IconButton

_WIDTH = 760
"""Width of the rows in logical pixels. Every window has room; heights are computed for one width."""
_TURN_S = 0.006
"""Time for making rows within one turn of the event loop. Their styles and places take longer."""
_ROW_HEIGHT = 51
"""About the height of a row, in logical pixels: what the scroll bar reckons for rows that are not made."""


class _SettingRow(QWidget):
    """Title and description at the left, editor and reset button at the right."""

    def __init__(self, title: str, doc: str, editor: QWidget, reset: IconButton) -> None:
        super().__init__()
        self.search_text = f"{title} {doc}".casefold()
        name_field(editor, title)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 6, 0, 6)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(Label(title, "name"))
        self.doc = Label(doc, "caption", "text-2", wrap=True)
        texts.addWidget(self.doc)
        row.addLayout(texts, 1)
        row.addWidget(editor)
        self.reset = reset
        policy = reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        reset.setSizePolicy(policy)
        row.addWidget(reset)


def _entries(commands: Iterable[Command]) -> deque[str | Setting | Command]:
    """What the page shows from top to bottom: the id of a group, then its settings or the commands."""
    entries = deque[str | Setting | Command]()
    for group in GROUPS:
        settings = [setting for setting in SETTINGS if setting.group == group and not setting.hidden]
        if settings or group == "shortcuts":
            entries.append(group)
        entries.extend(settings)
    return entries + deque(commands)


def _rows_of(group: QWidget) -> QVBoxLayout:
    rows = QVBoxLayout(group)
    rows.setContentsMargins(0, 0, 0, 0)
    rows.setSpacing(2)
    return rows


@dataclass(frozen=True, slots=True)
class SettingsPageState:
    """The search, the scroll position and the setting whose editor has the keyboard; empty for none."""

    search: str
    scroll: int
    focus: str
    rows: int
    """How many rows were made."""


class SettingsPage(QScrollArea):
    """A change is applied at once; the settings notify their subscribers.

    It opens with its first rows. Others are made when a person scrolls to them, or searches: hundreds at once
    would stall it, and take 40 MB.
    """

    keys_changed = Signal()
    """Shortcuts were changed and must be bound again."""

    def __init__(self, settings: Settings, registry: Registry, *, search: str = "") -> None:
        super().__init__()
        self.setAccessibleName(_("Settings"))
        self._settings, self._registry = settings, registry
        self.rows: list[_SettingRow] = []
        self.editors: dict[str, QWidget] = {}
        self._headings: list[tuple[QLabel, list[_SettingRow]]] = []
        """Each heading with the rows below it."""
        self.setWidgetResizable(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # else Qt tries ten widths
        self._find = QLineEdit()
        self._find.setPlaceholderText(_("Search settings and keys"))
        self._find.setAccessibleName(_("Search settings and keys"))
        add_clear_button(self._find)
        self._find.textChanged.connect(self._filter)
        self.setFocusProxy(self._find)
        self._problem = Label("", "body", "err", wrap=True)
        self._problem.hide()
        body = QWidget()
        side = QHBoxLayout(body)
        column = QWidget()
        column.setFixedWidth(_WIDTH)
        self._column = QVBoxLayout(column)
        self._column.setContentsMargins(24, 20, 24, 40)
        self._column.setSpacing(2)
        self._column.addWidget(Label(_("Settings"), "empty"))
        self._column.addSpacing(8)
        self._column.addWidget(self._find)
        self._column.addWidget(self._problem)
        self._none = Label(_("No setting and no key has these words"), "body", "text-2")
        self._none.hide()
        self._column.addWidget(self._none)
        self._below = QSpacerItem(0, 0)
        """The room of the rows that are not made."""
        self._column.addItem(self._below)
        self._column.addStretch()
        self._rows: QVBoxLayout
        """The layout that the next row goes into."""
        self._missing = _entries(registry)
        """The settings and commands without a row."""
        self._adding = QTimer(self, interval=0)
        self._adding.timeout.connect(self._add_some)
        self._adding.start()
        self._add_some()
        self._is_at_end = False
        """Whether a person scrolled to the end: it stays in view while rows are made."""
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.verticalScrollBar().rangeChanged.connect(self._follow_end)
        side.addStretch(1)
        side.addWidget(column, 100)
        side.addStretch(1)
        self.setWidget(body)
        self._find.setText(search)

    def editor(self, key: str) -> QWidget:
        """Return the editor of a setting, or of the shortcut of ``keys:<command id>``."""
        if key not in self.editors:
            self._add_rows(lambda: key in self.editors)
        return self.editors[key]

    def reveal(self, key: str) -> None:
        """Scroll to a setting, or to the shortcut of ``keys:<command id>``, and give its editor the focus."""
        self._find.clear()
        editor = self.editor(key)
        self._place_rows()
        row = self.rows[list(self.editors).index(key)]
        self.ensureWidgetVisible(row, 0, self.viewport().height() // 3)
        editor.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def _add_some(self) -> None:
        """Add the next rows, as many as a turn of the event loop allows, while somebody could see them."""
        if not self._is_row_wanted():
            self._adding.stop()
            return
        end = time.perf_counter() + _TURN_S
        self._add_rows(lambda: time.perf_counter() >= end)

    @Slot(int)
    def _scrolled(self, value: int) -> None:
        self._is_at_end = value == self.verticalScrollBar().maximum() > 0
        self._adding.start()

    @Slot(int, int)
    def _follow_end(self, _least: int, most: int) -> None:
        if self._is_at_end:
            self.verticalScrollBar().setValue(most)

    def _is_row_wanted(self) -> bool:
        """Whether a missing row would be in view, a page below it, or among what a search looks through."""
        seen = self.verticalScrollBar().value() + 2 * self.viewport().height()
        return bool(self._missing) and (bool(self._find.text()) or self._below.geometry().top() < seen)

    def _add_rows(self, are_enough: Callable[[], bool] = lambda: False) -> None:
        """Add missing rows, one at least, until they are enough; or all.

        They come into a widget of their own: the heights of rows that stand already are not computed again.
        """
        group, column = QWidget(), self._column
        self._rows = _rows_of(group)
        already = len(self.rows)
        while self._missing:
            self._add_row(self._missing.popleft())
            if are_enough():
                break
        self._show_found(self.rows[already:])
        column.insertWidget(column.count() - 2, group)
        self._below.changeSize(0, _ROW_HEIGHT * len(self._missing))
        column.invalidate()
        group.show()

    def _add_row(self, entry: str | Setting | Command) -> None:
        if isinstance(entry, str):
            self._heading(_(GROUPS[entry]))
        elif isinstance(entry, Setting):
            self._add_setting(entry)
        else:
            self._add_keys(entry)

    def _place_rows(self) -> None:
        """Give new rows their places now, and the scroll bar its range."""
        for part in (self.widget(), self.viewport()):
            QCoreApplication.sendPostedEvents(part, QEvent.Type.LayoutRequest)

    def _add_setting(self, setting: Setting) -> None:
        editor = self._make_editor(setting)
        row = self._add(setting.key, setting.label, self._doc(setting), editor, self._reset_setting)
        row.reset.setVisible(not self._settings.is_default(setting.key))

    def _add_keys(self, command: Command) -> None:
        editor = QKeySequenceEdit(QKeySequence(self._registry.shown_keys(command.id)))
        editor.setMaximumSequenceLength(1)
        editor.setFixedWidth(180)
        editor.setProperty("command", command.id)
        editor.editingFinished.connect(self._keys_edited)
        doc = f"{command.scope_label} · {command.help}"
        row = self._add(f"keys:{command.id}", command.label, doc, editor, self._reset_keys)
        row.reset.setVisible(command.id in self._settings["shortcuts.custom"])

    def _heading(self, text: str) -> None:
        self._rows.addSpacing(16)
        label: QLabel = Label(text, "heading", "text-2")
        self._rows.addWidget(label)
        self._headings.append((label, []))

    def _add(self, key: str, title: str, doc: str, editor: QWidget, reset: Any) -> _SettingRow:
        button = IconButton("undo", _("Reset"), size=24)
        button.setProperty("key", key)
        button.clicked.connect(reset)
        row = _SettingRow(title, doc, editor, button)
        self.editors[key] = editor
        self.rows.append(row)
        self._headings[-1][1].append(row)
        self._rows.addWidget(row)
        return row

    def _show_resets(self) -> None:
        """Show the reset button of each setting that was changed."""
        custom = self._settings["shortcuts.custom"]
        for key, row in zip(self.editors, self.rows, strict=True):
            place, _colon, command = key.partition(":")
            changed = command in custom if place == "keys" else not self._settings.is_default(key)
            row.reset.setVisible(changed)
            if place != "keys":
                row.doc.setText(self._doc(self._settings.setting(key)))

    def _doc(self, setting: Setting) -> str:
        notes = [setting.help]
        if setting.key == "appearance.scale" and not can_change_scale():
            notes.append(_("from the next start"))
        if self._settings.is_of_this_run(setting.key):
            notes.append(_("for this run, by the command line"))
        return " · ".join(notes)

    # -- replaced windows ----------------------------------------------------
    def keep_state(self) -> SettingsPageState:
        """What the page of the next window needs to look like this one."""
        focus = QApplication.focusWidget()
        keys = (
            key
            for key, editor in self.editors.items()
            if focus is not None and (editor is focus or editor.isAncestorOf(focus))
        )
        scroll = self.verticalScrollBar().value()
        return SettingsPageState(self._find.text(), scroll, next(keys, ""), len(self.rows))

    def take_state(self, state: SettingsPageState) -> None:
        """Look like the page that ``state`` is from; call it once the page is shown."""
        self._find.setText(state.search)
        if state.scroll or state.focus:
            self._add_rows(lambda: len(self.rows) >= state.rows)
            self._place_rows()
        self.verticalScrollBar().setValue(state.scroll)
        editor = self.editors.get(state.focus)
        if editor is not None:
            editor.setFocus()
            self.ensureWidgetVisible(editor)

    # -- editors -----------------------------------------------------------
    def _make_editor(self, setting: Setting) -> QWidget:
        value = self._settings[setting.key]
        editor: QWidget
        if setting.choices:
            editor = self._combo(setting, value)
        elif isinstance(setting.default, bool):
            editor = Switch(setting.label, on=value)
            editor.toggled.connect(self._edited)
        elif isinstance(setting.default, int):
            editor = QSpinBox()
            editor.setRange(int(setting.least or 0), int(setting.most or 2**31 - 1))
            editor.setValue(value)
            editor.valueChanged.connect(self._edited)
        elif isinstance(setting.default, float):
            editor = QDoubleSpinBox()
            editor.setRange(setting.least or 0.0, setting.most or 1e9)
            editor.setSingleStep(0.25)
            editor.setValue(value)
            editor.valueChanged.connect(self._edited)
        else:
            editor = QLineEdit(value)
            editor.editingFinished.connect(self._edited)
        if isinstance(editor, QSpinBox | QDoubleSpinBox):
            dress_spin_box(editor)
        if not isinstance(editor, Switch):
            editor.setFixedWidth(220)
        editor.setProperty("key", setting.key)
        return editor

    def _combo(self, setting: Setting, value: object) -> QComboBox:
        combo = ComboBox()
        for choice, label in setting.choices:
            is_language = setting.key == "appearance.language"
            combo.addItem(own_name(choice) if is_language else _(label), choice)
        combo.setCurrentIndex(combo.findData(value))
        combo.currentIndexChanged.connect(self._edited)
        return combo

    @Slot()
    def _edited(self) -> None:
        editor = self.sender()
        value: object = None
        if isinstance(editor, QComboBox):
            value = editor.currentData()
        elif isinstance(editor, Switch):
            value = editor.isChecked()
        elif isinstance(editor, QSpinBox | QDoubleSpinBox):
            value = editor.value()
        elif isinstance(editor, QLineEdit):
            value = editor.text().strip()
        self._show_problem("")
        try:
            self._settings.set(str(editor.property("key")), value)
        except SettingError as error:
            self._show_problem(str(error))
        self._show_resets()

    @Slot()
    def _reset_setting(self) -> None:
        key = str(self.sender().property("key"))
        self._settings.reset(key)
        editor, value = self.editors[key], self._settings[key]
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(editor.findData(value))
        elif isinstance(editor, Switch):
            editor.setChecked(value)
        elif isinstance(editor, QSpinBox | QDoubleSpinBox):
            editor.setValue(value)
        elif isinstance(editor, QLineEdit):
            editor.setText(value)
        self._show_resets()

    # -- keys --------------------------------------------------------------
    @Slot()
    def _keys_edited(self) -> None:
        editor = self.sender()
        assert isinstance(editor, QKeySequenceEdit)
        command = self._registry[str(editor.property("command"))]
        keys = chord_of(editor)
        if keys == self._registry.shown_keys(command.id):
            return
        if keys and self._registry.others_with(command.id, keys):
            dialog = ShortcutDialog(self._registry, command.id, self, keys)
            dialog.bound.connect(self._bind)
            dialog.rejected.connect(self._show_keys)
            dialog.open()
            return
        self._bind(bindings(self._registry, command.id, keys))

    @Slot()
    def _show_keys(self) -> None:
        """Show the present shortcut in every editor."""
        for editor in self.editors.values():
            if isinstance(editor, QKeySequenceEdit):
                keys = self._registry.shown_keys(str(editor.property("command")))
                editor.setKeySequence(QKeySequence(keys))
        self._show_resets()

    @Slot()
    def _reset_keys(self) -> None:
        command_id = str(self.sender().property("key")).partition(":")[2]
        custom = self._settings["shortcuts.custom"]
        custom.pop(command_id, None)
        self._settings.set("shortcuts.custom", custom)
        self.keys_changed.emit()
        self._show_keys()

    @Slot(dict)
    def _bind(self, changed: dict[str, list[str]]) -> None:
        self._settings.set("shortcuts.custom", self._settings["shortcuts.custom"] | changed)
        self.keys_changed.emit()
        self._show_keys()

    def _show_problem(self, problem: str) -> None:
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        if problem:
            self.ensureVisible(0, 0)

    @Slot()
    def _filter(self) -> None:
        self._show_found(self.rows)
        self._adding.start()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._adding.start()

    def _show_found(self, among: Sequence[_SettingRow]) -> None:
        """Hide the rows among these that lack the words of the search, and headings without a row."""
        words = self._find.text().casefold().split()
        for row in among:
            row.setVisible(all(word in row.search_text for word in words))
        for heading, rows in self._headings:
            heading.setVisible(any(not row.isHidden() for row in rows))
        self._none.setVisible(not self._missing and all(row.isHidden() for row in self.rows))
