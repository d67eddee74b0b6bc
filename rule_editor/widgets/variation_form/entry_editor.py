"""Fields for the entries of a list of a variation: one is chosen, and has a field for each of its keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from collector.located_yaml.safe_load import safe_load
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.variations import keys as k
from rule_editor.widgets.form_inputs import ChoiceInput, LineInput, add_row, grid
from rule_editor.widgets.toolkit import Toolkit
from rule_editor.widgets.variation_form.key_titles import KEY_TITLES, WORD_TITLES

LANGUAGES = ("en", "zh", "de")
"""Those of the virtual phone's own texts: a text has a line for each."""
ANY = "any"
"""The kind of a key whose value is written as YAML, in one line."""
_TRUE, _FALSE = "true", "false"
Entry = dict[str, Any]


class EntryEditor(QWidget):
    """Emits ``changed(entries)`` with all entries of the list, of which one has changed, come or gone."""

    changed = Signal(object)

    def __init__(self, toolkit: Toolkit, title: str, new: Callable[[], Entry]) -> None:
        """``title`` names what an entry is; ``new`` makes one that is valid, but for its id."""
        super().__init__()
        self._toolkit, self._new = toolkit, new
        self._entries: list[Entry] = []
        self._specs: tuple[k.FileKey, ...] = ()
        self.choice = ChoiceInput(title, [])
        self.add = toolkit.button("", "plus", small=True)
        self.remove = toolkit.button("", "trash", small=True)
        self.add.setAccessibleName(_("Add: {what}", what=title))
        self.remove.setAccessibleName(_("Remove: {what}", what=title))
        for button in (self.add, self.remove):
            button.setToolTip(button.accessibleName())
        self.fields: dict[str, QWidget] = {}
        """The field of each key; of a text in languages ``KEY LANGUAGE``."""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self.choice, 1)
        head.addWidget(self.add)
        head.addWidget(self.remove)
        self._column.addLayout(head)
        self._page = QWidget()
        self._column.addWidget(self._page)
        self.choice.picked.connect(self._show_chosen)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)

    def set_keys(self, specs: Sequence[k.FileKey]) -> None:
        """Make a field for each key that entries may have."""
        if tuple(specs) == self._specs:
            return
        self._specs, self.fields = tuple(specs), {}
        old, self._page = self._page, QWidget()
        self._column.removeWidget(old)
        old.hide()
        old.deleteLater()
        self._column.addWidget(self._page)
        rows = grid()
        self._page.setLayout(rows)
        for spec in specs:
            for name, title, field in self._fields_of(spec):
                field.setToolTip(_(spec.doc) if spec.doc else spec.name)
                self.fields[name] = field
                add_row(self._toolkit, rows, title, field)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show a list; the chosen entry stays chosen as long as it is there."""
        self._entries = [dict(entry) for entry in entries]
        names = [_name_of(entry, number) for number, entry in enumerate(self._entries)]
        chosen = self.choice.currentIndex()
        if [self.choice.itemText(at) for at in range(self.choice.count())] != names:
            self.choice.clear()
            for number, name in enumerate(names):
                self.choice.addItem(name, str(number))
        if names:
            self.choice.show_choice(str(min(max(chosen, 0), len(names) - 1)))
        self.choice.setEnabled(bool(names))
        self.remove.setEnabled(bool(names))
        self._show_chosen()

    # -- fields --------------------------------------------------------------------
    def _fields_of(self, spec: k.FileKey) -> list[tuple[str, str, QWidget]]:
        """Name, label and field of each input of a key."""
        title = _(KEY_TITLES[spec.name]) if spec.doc else spec.name
        if spec.kind == k.TEXTS:
            return [
                (f"{spec.name} {language}", f"{title} ({language})",
                 self._line(f"{title} ({language})", partial(self._set_text, spec.name, language)))
                for language in LANGUAGES
            ]  # fmt: skip
        field: QWidget
        if spec.kind == k.BUTTONS:
            field = EntryEditor(self._toolkit, _("Button"), lambda: {"text": {"en": "OK"}})
            field.set_keys(k.KEYS[k.BUTTON])
            field.changed.connect(partial(self._set, spec.name))
        elif spec.kind in (k.WORD, k.FLAG):
            words = [(word, _(WORD_TITLES[word])) for word in spec.choices]
            field = ChoiceInput(title, [("", "-"), *(words or [(_TRUE, _("Yes")), (_FALSE, _("No"))])])
            field.picked.connect(partial(self._picked, spec))
        else:
            field = self._line(title, partial(self._typed, spec))
        return [(spec.name, title, field)]

    def _line(self, name: str, take: Callable[[str], None]) -> LineInput:
        line = LineInput(name)
        line.edited.connect(take)
        return line

    def _show_chosen(self, *_choice: object) -> None:
        entry = self._chosen
        self._page.setVisible(entry is not None)
        for spec in self._specs if entry is not None else ():
            value = entry.get(spec.name) if entry is not None else None
            if spec.kind == k.TEXTS:
                texts = value if isinstance(value, dict) else {"en": value or ""}
                for language in LANGUAGES:
                    _show(self.fields[f"{spec.name} {language}"], texts.get(language))
            else:
                _show(self.fields[spec.name], value)

    @property
    def _chosen(self) -> Entry | None:
        at = self.choice.currentIndex()
        return self._entries[at] if 0 <= at < len(self._entries) else None

    # -- edits -----------------------------------------------------------------------
    def _add(self) -> None:
        entry = self._new()
        if "id" in entry:
            taken = {str(other.get("id")) for other in self._entries}
            numbers = range(1, len(taken) + 2)
            names = (f"{entry['id']}_{number}" for number in numbers)
            entry = {**entry, "id": next(name for name in names if name not in taken)}
        entries = [*self._entries, entry]
        self.show_entries(entries)
        self.choice.show_choice(str(len(entries) - 1))
        self._show_chosen()
        self.changed.emit(entries)

    def _remove(self) -> None:
        at = self.choice.currentIndex()
        self.changed.emit([entry for number, entry in enumerate(self._entries) if number != at])

    def _picked(self, spec: k.FileKey, choice: str) -> None:
        self._set(spec.name, (choice == _TRUE if spec.kind == k.FLAG else choice) if choice else None)

    def _typed(self, spec: k.FileKey, text: str) -> None:
        value: object = text.strip() or None
        if spec.kind in (k.NUMBER, ANY) and value is not None:
            try:
                value = safe_load(text.encode(), spec.name)
            except UserError:
                value = text  # the check of the file names it
        self._set(spec.name, value)

    def _set_text(self, key: str, language: str, text: str) -> None:
        entry = self._chosen
        value = entry.get(key) if entry is not None else None
        texts = dict(value) if isinstance(value, dict) else {"en": value} if value else {}
        if text.strip():
            texts[language] = text
        else:
            texts.pop(language, None)
        self._set(key, texts or None)

    def _set(self, key: str, value: object) -> None:
        """Emit the list in which a key of the chosen entry has another value; None and [] remove it."""
        at = self.choice.currentIndex()
        if self._chosen is None:
            return
        entries = [dict(entry) for entry in self._entries]
        if value in (None, []):
            entries[at].pop(key, None)
        else:
            entries[at][key] = value
        self.changed.emit(entries)


def _name_of(entry: Mapping[str, Any], number: int) -> str:
    """The name of an entry: its id, else its text, else its number."""
    text = entry.get("text")
    said = text.get("en", "") if isinstance(text, dict) else text
    return str(entry.get("id") or said or number + 1)


def _show(field: QWidget, value: object) -> None:
    if isinstance(field, EntryEditor):
        is_list = isinstance(value, list) and all(isinstance(entry, dict) for entry in value)
        field.show_entries(value if is_list else [])  # type: ignore[arg-type] # just looked at
    elif isinstance(field, ChoiceInput):
        shown = str(value).lower() if isinstance(value, bool) else str(value or "")
        field.show_choice(shown)
    elif isinstance(field, LineInput):
        is_plain = isinstance(value, str) or value is None
        field.show_text((value or "") if is_plain else json.dumps(value, ensure_ascii=False))  # type: ignore[arg-type] # a text
