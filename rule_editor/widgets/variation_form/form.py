"""The form of a variation; it shows what the file says of one app, and emits requests for edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.model.variation.phone_variation import ALL_APPS
from collector.variations import keys as k
from rule_editor.document.variations.variation_document import VariationDocument
from rule_editor.widgets.form_inputs import ChoiceInput, LineInput, add_row, form_page, grid, order_tabs
from rule_editor.widgets.toolkit import Toolkit
from rule_editor.widgets.variation_form.key_titles import KEY_TITLES, WORD_TITLES
from rule_editor.widgets.variation_form.list_fields import ListFields

_TRUE, _FALSE = "true", "false"
_COLUMNS = 2
_SWATCH = 14


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A key of an app to set; None removes it."""

    factor: str
    app: str
    key: str
    value: object


class VariationForm(QScrollArea):
    """Emits ``changed(ValueChange)``, ``entries_changed(EntriesChange)`` for lists, and ``field_changed(key,
    text)`` for description and extends."""

    changed = Signal(object)
    field_changed = Signal(str, str)
    entries_changed = Signal(object)
    app_chosen = Signal(str)

    def __init__(self, toolkit: Toolkit, apps: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(_("Variation"))
        self._toolkit = toolkit
        self._document: VariationDocument | None = None
        self.description = LineInput(_("Description"))
        self.extends = ChoiceInput(_("Extends"), [("", "-")])
        self.app = ChoiceInput(_("App"), [(ALL_APPS, _("All apps")), *((app, app) for app in apps)])
        self.lists = ListFields(toolkit)
        self.inputs: dict[tuple[str, str], LineInput | ChoiceInput] = {}
        """Factor and key -> its field; colours are ``colours ROLE``."""
        self._swatches: dict[str, QFrame] = {}
        self._lay_out()
        self.description.edited.connect(partial(self.field_changed.emit, "description"))
        self.extends.picked.connect(partial(self.field_changed.emit, "extends"))
        self.app.picked.connect(self._choose_app)
        self.lists.changed.connect(self.entries_changed)

    # -- layout ----------------------------------------------------------------
    def _lay_out(self) -> None:
        column = form_page(self, self._toolkit, 10)
        fields = grid()
        add_row(self._toolkit, fields, _("Description"), self.description)
        add_row(self._toolkit, fields, _("Extends"), self.extends)
        add_row(self._toolkit, fields, _("App"), self.app)
        column.addLayout(fields)
        titles = {k.APPEARANCE: _("Appearance"), k.CONTENT: _("Content"), k.NOISE: _("Noise")}
        for factor, title in titles.items():
            column.addWidget(self._toolkit.label(title, "heading"))
            column.addLayout(self._fields_of(factor))
        column.addWidget(self._toolkit.label(_("Colours"), "heading"))
        column.addLayout(self._colours())
        column.addWidget(self.lists)
        note = _("Words and other content: as YAML, checked by line")
        column.addWidget(self._toolkit.label(note, "caption", "text-3", cut=True))
        column.addStretch(1)
        order_tabs([self.description, self.extends, self.app, *self.inputs.values()])

    def _fields_of(self, factor: str) -> QGridLayout:
        """The fields of a factor, two beside each other."""
        layout = QGridLayout()
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(10)
        layout.setVerticalSpacing(8)
        shown = [spec for spec in k.KEYS[factor] if spec.kind != k.COLOURS]
        for at, spec in enumerate(shown):
            field = self._field(factor, spec)
            label = self._toolkit.label(_(KEY_TITLES[spec.name]), "body", "text-2", cut=True)
            label.setToolTip(_(spec.doc))
            label.setBuddy(field)
            cell = QVBoxLayout()
            cell.setSpacing(3)
            cell.addWidget(label)
            cell.addWidget(field)
            layout.addLayout(cell, at // _COLUMNS, at % _COLUMNS)
        for column in range(_COLUMNS):
            layout.setColumnStretch(column, 1)
        return layout

    def _field(self, factor: str, spec: k.FileKey) -> LineInput | ChoiceInput:
        title = _(KEY_TITLES[spec.name])
        field: LineInput | ChoiceInput
        if spec.kind in (k.WORD, k.FLAG):
            words = [(word, _(WORD_TITLES[word])) for word in spec.choices]
            choices = words or [(_TRUE, _("Yes")), (_FALSE, _("No"))]
            field = ChoiceInput(title, [("", "-"), *choices])
            field.picked.connect(partial(self._picked, factor, spec))
        else:
            field = LineInput(title, code=True)
            examples = {
                k.NUMBER: f"{spec.lowest:g} - {spec.highest:g}",
                k.LIST: "id, id",
                k.TEXT: "en, zh, de",
            }
            field.setPlaceholderText(examples[spec.kind])
            field.edited.connect(partial(self._typed, factor, spec))
        field.setToolTip(_(spec.doc))
        self.inputs[factor, spec.name] = field
        return field

    def _colours(self) -> QGridLayout:
        layout = QGridLayout()
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(10)
        layout.setVerticalSpacing(8)
        for column in range(_COLUMNS):
            layout.setColumnStretch(column, 1)
        for at, role in enumerate(k.COLOUR_ROLES):
            field = LineInput(role, code=True)
            field.setPlaceholderText("#RRGGBB")
            field.edited.connect(partial(self._coloured, role))
            swatch = self._swatches[role] = QFrame()
            swatch.setFixedSize(_SWATCH, _SWATCH)
            head = QHBoxLayout()
            head.setSpacing(6)
            head.addWidget(swatch)
            head.addWidget(self._toolkit.label(role, "code", "text-2", cut=True), 1)
            cell = QVBoxLayout()
            cell.setSpacing(3)
            cell.addLayout(head)
            cell.addWidget(field)
            layout.addLayout(cell, at // _COLUMNS, at % _COLUMNS)
            self.inputs[k.APPEARANCE, f"colours {role}"] = field
        return layout

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._keep_height()

    def _keep_height(self) -> None:
        """Make the page as tall as its fields want to be: the area would press them together."""
        page = self.widget()
        layout = page.layout() if page is not None else None
        if page is not None and layout is not None:
            layout.invalidate()
            page.setMinimumHeight(layout.sizeHint().height())

    # -- what is shown -----------------------------------------------------------
    @property
    def current_app(self) -> str:
        """The app whose keys are shown; ``all`` for the others."""
        return self.app.choice or ALL_APPS

    def show_document(self, document: VariationDocument | None, names: Sequence[str]) -> None:
        """Show what a file says; ``names`` are the variations that it can extend."""
        self._document = document
        page = self.widget()
        if page is not None:
            page.setVisible(document is not None)
        if document is None:
            return
        text = document.read
        self.description.show_text(text.description)
        wanted = ["", *(name for name in names if name != document.name or name == text.extends)]
        if [self.extends.itemData(at) for at in range(self.extends.count())] != wanted:
            self.extends.clear()
            for name in wanted:
                self.extends.addItem(name or "-", name)
        self.extends.show_choice(text.extends)
        self._show_values(document)
        self._keep_height()

    def _show_values(self, document: VariationDocument) -> None:
        self.lists.show_lists(document, self.current_app)
        for factor in (k.APPEARANCE, k.CONTENT, k.NOISE):
            values = document.values(factor, self.current_app)
            for spec in k.KEYS[factor]:
                if spec.kind != k.COLOURS:
                    _show(self.inputs[factor, spec.name], values.get(spec.name))
        colours = document.values(k.APPEARANCE, self.current_app).get("colours")
        given: Mapping[str, Any] = colours if isinstance(colours, dict) else {}
        for role, swatch in self._swatches.items():
            colour = str(given.get(role, ""))
            _show(self.inputs[k.APPEARANCE, f"colours {role}"], given.get(role))
            line = self._toolkit.color("line-2").name()
            ground = f"background: {colour};" if len(colour) == 7 and colour.startswith("#") else ""
            swatch.setStyleSheet(f"QFrame {{ {ground} border: 1px solid {line}; border-radius: 3px; }}")

    def finish_typing(self) -> None:
        """Emit the edit of a field being typed in, before another variation is shown."""
        for line in self.findChildren(LineInput):
            line.finish()

    # -- input -------------------------------------------------------------------
    def _choose_app(self, app: str) -> None:
        if self._document is not None:
            self._show_values(self._document)
            self._keep_height()
        self.app_chosen.emit(app)

    def _picked(self, factor: str, spec: k.FileKey, choice: str) -> None:
        value: object = choice or None
        if spec.kind == k.FLAG and choice:
            value = choice == _TRUE
        self.changed.emit(ValueChange(factor, self.current_app, spec.name, value))

    def _typed(self, factor: str, spec: k.FileKey, text: str) -> None:
        value: object = text.strip() or None
        if spec.kind == k.LIST and value is not None:
            value = [part.strip() for part in text.split(",") if part.strip()]
        elif value is not None:
            value = _number(text.strip())
        self.changed.emit(ValueChange(factor, self.current_app, spec.name, value))

    def _coloured(self, role: str, text: str) -> None:
        if self._document is None:
            return
        colours = self._document.values(k.APPEARANCE, self.current_app).get("colours")
        given = dict(colours) if isinstance(colours, dict) else {}
        if text.strip():
            given[role] = text.strip()
        else:
            given.pop(role, None)
        self.changed.emit(ValueChange(k.APPEARANCE, self.current_app, "colours", given or None))


def _number(text: str) -> object:
    """The number that a text says; another text as it is, which the check of the file then names."""
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() and "." not in text else number


def _show(field: LineInput | ChoiceInput, value: object) -> None:
    if isinstance(field, ChoiceInput):
        field.show_choice(
            "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        )
    elif isinstance(value, list):
        field.show_text(", ".join(map(str, value)))
    else:
        field.show_text("" if value is None else str(value))
