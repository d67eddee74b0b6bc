"""The collections of records that the apps of the virtual phone keep: to-dos, events, messages, saved places.

A collection is called ``app.name``. Its records are plain mappings, as JSON shows them, without what only a
screen is about: which list is shown, what is typed and not saved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collector.model.i18n import N_

TEXT, EXACT, DATE, TIME, NUMBER, FLAG, TEXTS, COUNTS = (
    "text", "exact text", "date", "time", "number", "true or false", "texts", "counts",
)  # fmt: skip
"""Types of values. Of a ``text`` letters' case, punctuation and further spaces may not count, of an
``exact text`` everything does: the content of a file, an id. ``texts`` are in no order; ``counts`` are
numbers by text."""
FREE: Any = object()
"""The default of a field that an app fills by itself: a target that does not name it leaves it open."""
CONTENT_ID = "content_id"
"""Key of the id of the content entry that a record was at first. It names a record in every language, and is
never compared."""

Record = Mapping[str, Any]
AppData = Mapping[str, Sequence[Record]]
"""The records of all apps, by the name of their collection."""


@dataclass(frozen=True, slots=True)
class DataField:
    """A field of the records of a collection."""

    name: str
    type: str
    doc: str
    default: Any = FREE
    """The value that a record has when the person enters nothing."""


@dataclass(frozen=True, slots=True)
class DataCollection:
    """Records of one kind that an app keeps."""

    name: str
    doc: str
    key: str
    """The field by which people name a record."""
    fields: tuple[DataField, ...]
    sequence: str = ""
    """The field whose records are in an order that counts, such as the chat of a message; empty when no order
    does."""
    position: tuple[str, str] | None = None
    """The fields with latitude and longitude in degrees."""

    @property
    def app(self) -> str:
        """Short name of the app."""
        return self.name.partition(".")[0]

    def field(self, name: str) -> DataField | None:
        return next((item for item in self.fields if item.name == name), None)


def _text(name: str, doc: str, default: Any = FREE) -> DataField:
    return DataField(name, TEXT, doc, default)


COLLECTIONS: tuple[DataCollection, ...] = (
    DataCollection("todo.tasks", N_("Tasks of all lists"), "title", (
        _text("title", N_("What is to be done")),
        DataField("list", EXACT, N_("Id of its list")),
        DataField("due", DATE, N_("Date on which it is due, as 2026-11-20; empty for none")),
        DataField("time", TIME, N_("Time of the reminder, as 09:00; empty for none"), ""),
        _text("note", N_("A note"), ""),
        DataField("done", FLAG, N_("Whether it is done"), default=False),
        DataField("important", FLAG, N_("Whether it is marked as important"), default=False),
    )),
    DataCollection("todo.shared", N_("With whom lists are shared"), "contact", (
        DataField("list", EXACT, N_("Id of the list")), _text("contact", N_("Name of the contact")),
    )),
    DataCollection("calendar.events", N_("Events of all calendars"), "title", (
        _text("title", N_("What it is")),
        DataField("date", DATE, N_("Its first day, as 2026-11-20")),
        DataField("time", TIME, N_("When it begins, as 15:30; empty for all day")),
        DataField("end", TIME, N_("When it ends; empty for all day")),
        _text("place", N_("Where it is"), ""),
        _text("notes", N_("Notes"), ""),
        _text("link", N_("A web address"), ""),
        DataField("guests", TEXTS, N_("Names of the guests"), ()),
        _text("repeat", N_("daily, weekly, monthly or yearly; empty for never"), ""),
        DataField("reminder", NUMBER, N_("Minutes before the start; -1 for none")),
        DataField("calendar", EXACT, N_("Id of its calendar")),
        DataField("skipped", TEXTS, N_("Dates on which it does not take place"), ()),
    )),
    DataCollection("messenger.messages", N_("Messages, each chat in its order"), "text", (
        DataField("chat", EXACT, N_("Id of the contact or group")),
        DataField("me", FLAG, N_("Whether the person wrote it"), default=False),
        _text("text", N_("What it says")),
    ), sequence="chat"),
    DataCollection("messenger.contacts", N_("People and groups that can be written to"), "name", (
        DataField("chat", EXACT, N_("Id of the contact or group")),
        _text("name", N_("Its name")),
    )),
    DataCollection("messenger.chats", N_("Chats there are"), "chat", (
        DataField("chat", EXACT, N_("Id of the contact or group")),
        DataField("pinned", FLAG, N_("Whether it stays on top"), default=False),
        DataField("muted", FLAG, N_("Whether it gives no notifications"), default=False),
    )),
    DataCollection("maps.saved", N_("Saved places"), "name", (
        _text("name", N_("Its name")),
        DataField("lat", NUMBER, N_("Latitude in degrees")),
        DataField("lng", NUMBER, N_("Longitude in degrees")),
        DataField("list", EXACT, N_("Id of its list")),
        _text("color", N_("Name of its colour")),
    ), position=("lat", "lng")),
    DataCollection("code.files", N_("Files as they are saved"), "path", (
        DataField("path", EXACT, N_("Path, as src/main.py")),
        DataField("text", EXACT, N_("Content"), ""),
    )),
    DataCollection("code.folders", N_("Folders"), "path", (DataField("path", EXACT, N_("Path, as src")),)),
    DataCollection("shop.cart", N_("Products in the cart"), "product", (
        DataField("product", EXACT, N_("Id of the product")),
        DataField("count", NUMBER, N_("How many"), 1),
    )),
    DataCollection("shop.orders", N_("Placed orders"), "items", (
        DataField("items", COUNTS, N_("How many of each product")),
        DataField("express", FLAG, N_("Whether it is delivered fast"), default=False),
    )),
    DataCollection("shop.saved", N_("Saved products"), "product", (
        DataField("product", EXACT, N_("Id of the product")),
    )),
    DataCollection("shop.notifications", N_("Sold-out products that the person asked about"), "product", (
        DataField("product", EXACT, N_("Id of the product")),
    )),
    DataCollection("shop.reviews", N_("Reviews that the person wrote"), "product", (
        DataField("product", EXACT, N_("Id of the product")),
        DataField("stars", NUMBER, N_("1 to 5")),
        _text("text", N_("What it says"), ""),
    )),
)  # fmt: skip

APP_NAMES = tuple(dict.fromkeys(collection.app for collection in COLLECTIONS))
"""Short names of the apps that keep records."""
_BY_NAME = {collection.name: collection for collection in COLLECTIONS}


def collection_named(name: str) -> DataCollection | None:
    """The collection called ``app.name``; None when no app keeps such records."""
    return _BY_NAME.get(name)
