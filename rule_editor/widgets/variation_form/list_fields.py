"""The lists of a variation in its form: pop-ups and content of an app, and orders to the agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.model.variation.phone_variation import ALL_APPS
from collector.model.variation.planted_order import UNKNOWN_SENDER
from collector.model.variation.plus_merge import PLUS
from collector.variations import keys as k
from collector.variations.content_types import ContentType, content_example, content_lists
from rule_editor.document.variations.variation_document import VariationDocument
from rule_editor.widgets.form_inputs import ChoiceInput
from rule_editor.widgets.toolkit import Toolkit
from rule_editor.widgets.variation_form.entry_editor import ANY, EntryEditor

_KINDS = {"text": k.TEXT, "texts": k.TEXTS, "number": k.NUMBER, "flag": k.FLAG}


@dataclass(frozen=True, slots=True)
class EntriesChange:
    """A list of a file to set: the keys that lead to it, and its entries."""

    path: tuple[str, ...]
    entries: list[dict[str, Any]]


class ListFields(QWidget):
    """Emits ``changed(EntriesChange)``."""

    changed = Signal(object)

    def __init__(self, toolkit: Toolkit) -> None:
        super().__init__()
        self._app = ALL_APPS
        self._document: VariationDocument | None = None
        self.lists = ChoiceInput(_("List of the app"), [])
        self.content = EntryEditor(toolkit, _("Item of the list"), self._new_item)
        self.pop_ups = EntryEditor(toolkit, _("Pop-up"), _new_pop_up)
        self.pop_ups.set_keys(k.KEYS[k.POP_UP])
        self.orders = EntryEditor(toolkit, _("Order to the agent"), self._new_order)
        self.orders.set_keys(k.KEYS[k.ORDER])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        self._content_title = toolkit.label(_("Lists of the app"), "heading")
        for widget in (
            self._content_title, self.lists, self.content,
            toolkit.label(_("Pop-ups"), "heading"), self.pop_ups,
            toolkit.label(_("Orders to the agent"), "heading"), self.orders,
        ):  # fmt: skip
            column.addWidget(widget)
        self.lists.picked.connect(self._show_list)
        self.content.changed.connect(self._content_changed)
        self.pop_ups.changed.connect(self._pop_ups_changed)
        self.orders.changed.connect(self._orders_changed)

    def show_lists(self, document: VariationDocument, app: str) -> None:
        """Show the lists of a file, of what is by app those of one app."""
        if app != self._app or not self.lists.count():
            self.lists.clear()
            for key in content_lists(app):
                self.lists.addItem(key, key)
        self._document, self._app = document, app
        has_lists = self.lists.count() > 0
        for widget in (self._content_title, self.lists, self.content):
            widget.setVisible(has_lists)
        self.pop_ups.show_entries(document.entries(("pop_ups", app)))
        self.orders.show_entries(document.entries(("orders",)))
        if has_lists:
            self._show_list()

    @Slot()
    def _show_list(self) -> None:
        item = content_lists(self._app)[self.lists.choice]
        self.content.set_keys([_spec(key, found, item) for key, found in item.keys.items()])
        if self._document is not None:
            self.content.show_entries(self._document.entries(self._list_path))

    @property
    def _list_path(self) -> tuple[str, ...]:
        """Where the chosen list is; a new one is merged onto that of the app."""
        return k.CONTENT, self._app, PLUS + self.lists.choice

    @Slot(object)
    def _content_changed(self, entries: list[dict[str, Any]]) -> None:
        self._emit(self._list_path, entries)

    @Slot(object)
    def _pop_ups_changed(self, entries: list[dict[str, Any]]) -> None:
        self._emit(("pop_ups", self._app), entries)

    @Slot(object)
    def _orders_changed(self, entries: list[dict[str, Any]]) -> None:
        self._emit(("orders",), entries)

    def _emit(self, path: tuple[str, ...], entries: list[dict[str, Any]]) -> None:
        self.changed.emit(EntriesChange(path, entries))

    # -- new entries -----------------------------------------------------------------
    def _new_item(self) -> dict[str, Any]:
        return {**content_example(self._app, self.lists.choice), "id": "new"}

    def _new_order(self) -> dict[str, Any]:
        app = self._app if self._app != ALL_APPS else "messenger"
        return {"id": "order", "app": app, "mark": "MARK-1", "sender": UNKNOWN_SENDER, "types": "MARK-1"}


def _new_pop_up() -> dict[str, Any]:
    return {"id": "pop_up", "title": {"en": "News"}, "buttons": [{"text": {"en": "OK"}}]}


def _spec(key: str, found: ContentType, item: ContentType) -> k.FileKey:
    """What the form knows of a key of an item: only its kind and whether each item has it."""
    kinds = found.kinds - {"nothing"}
    kind = _KINDS.get(next(iter(kinds)), ANY) if len(kinds) == 1 else ANY
    return k.FileKey(key, kind, "", key in item.required)
