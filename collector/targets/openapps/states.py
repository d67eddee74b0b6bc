"""States of OpenApps: what its apps answer, the data of our apps as such a state, and the other way.

A state is a mapping by app, as OpenApps' ``get_current_state`` returns it and JSON holds it:

- ``todo``: a list of ``{id, title, done}``
- ``calendar``: a list of ``{id, title, date, description, url, location, invitees}``
- ``map``: a list of ``{name, coords: [lat, lng], markerStyle}``
- ``messenger``: a list of ``{user, messages: [[text, mine, sender, time], ...]}``
- ``codeeditor``, ``online_shop`` and other apps: whatever they answer
- ``_url``: the address of the page in front; other names that begin with ``_`` are of the environment
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlparse

from collector.model.app_data.collections import CONTENT_ID, AppData, Record, collection_named
from collector.model.i18n import _

State = Mapping[str, Any]
TODO, CALENDAR, MAP, MESSENGER, CODE = "todo", "calendar", "map", "messenger", "codeeditor"
URL = "_url"
EVENTS, TASKS, PLACES, MESSAGES, CHATS = (
    "calendar.events", "todo.tasks", "maps.saved", "messenger.messages", "messenger.chats",
)  # fmt: skip
APP_OF = {TASKS: TODO, EVENTS: CALENDAR, PLACES: MAP}
"""The app of a state that has the records of a collection as they are."""
POSITION = frozenset({"lat", "lng"})
_FIELDS: dict[str, dict[str, str]] = {
    TASKS: {"title": "title", "done": "done"},
    EVENTS: {
        "title": "title", "date": "date", "notes": "description", "place": "location", "link": "url",
        "guests": "invitees",
    },
    PLACES: {"name": "name"},
    CHATS: {},
}  # fmt: skip
"""Our fields that OpenApps has too -> its names for them."""
_PATHS = {"todo": "/todo", "calendar": "/calendar", "messenger": "/messages", "code": "/codeeditor",
          "maps": "/maps", "shop": "/onlineshop"}  # fmt: skip
"""Short name of an app -> where its pages are in OpenApps."""
_MOST_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class PhoneField:
    """The key of a field that our apps have and OpenApps has not; it is never compared."""

    name: str


# ---- read ---------------------------------------------------------------------------------------


def load_json(text: bytes | str) -> Any:
    """A JSON value of a stranger. Raises ValueError for another text, and one that is too large or deep."""
    if len(text) > _MOST_BYTES:
        raise ValueError(_("it is larger than {size} MB", size=_MOST_BYTES >> 20))
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(_("it is nested too deeply")) from None


def is_state(value: object) -> bool:
    """Whether a value may be a state of OpenApps: apps have no dot in their names, our collections have."""
    return isinstance(value, Mapping) and not any("." in str(key) for key in value)


def is_in_front(state: State, app: str) -> bool:
    """Whether the page in front is one of an app, given by our short name."""
    url = state.get(URL)
    if not url:
        return False
    try:
        path = urlparse(url).path or "/"
    except (ValueError, AttributeError, TypeError):  # what is no address, and no text
        return False
    prefix = _PATHS.get(app, f"/{app}")
    return isinstance(path, str) and (path.startswith(f"{prefix}/") or path.rstrip("/") == prefix)


# ---- our data as a state ------------------------------------------------------------------------


def state_of(data: AppData) -> dict[str, Any]:
    """The data of a phone as a state. Fields that OpenApps has not become :class:`PhoneField`."""
    state: dict[str, Any] = {TODO: [], CALENDAR: [], MAP: []}
    for name, records in data.items():
        if name in APP_OF:
            state[APP_OF[name]] = [entry_of(name, record) for record in records]
        elif name not in (MESSAGES, CHATS) and records:
            state[CODE if name.partition(".")[0] == "code" else name] = list(records)
    state[MESSENGER] = list(_contacts(data))
    return state


def entry_of(name: str, record: Mapping[str, Any]) -> dict[Any, Any]:
    """A record of a collection, or some fields of one, as an entry of a state."""
    entry: dict[Any, Any] = {}
    known = _FIELDS.get(name, {})
    for field, value in record.items():
        plain = list(value) if isinstance(value, tuple) else value
        theirs = PhoneField(field) if has_no_place(name, field) else field
        if name != PLACES or field not in POSITION:
            entry[known.get(field, theirs)] = plain
    if name == PLACES and not POSITION.isdisjoint(record):
        entry["coords"] = [record.get("lat"), record.get("lng")]
    return entry


def has_no_place(name: str, field: str) -> bool:
    """Whether a field of a collection is one of ours that OpenApps' apps have not."""
    collection = collection_named(name)
    if field in _FIELDS.get(name, {}) or (name == PLACES and field in POSITION):
        return False
    return field == CONTENT_ID or (collection is not None and collection.field(field) is not None)


def _contacts(data: AppData) -> Iterator[dict[Any, Any]]:
    """The conversations of the messenger, each by the name of its contact."""
    chats: dict[str, Record] = {str(chat.get("chat")): chat for chat in data.get(CHATS, ())}
    messages: dict[str, list[list[Any]]] = {chat: [] for chat in chats}
    for message in data.get(MESSAGES, ()):
        written = messages.setdefault(str(message.get("chat")), [])
        written.append([message.get("text"), message.get("me")])
    for chat, written in messages.items():
        record = chats.get(chat, {})
        own = {key: value for key, value in record.items() if key != "name"}
        yield {**entry_of(CHATS, own), "user": str(record.get("name") or chat), "messages": written}


# ---- a state as our data ------------------------------------------------------------------------


def data_of(state: State) -> dict[str, list[dict[str, Any]]]:
    """A state as data of our apps, to say what differs; what has another shape is left out."""
    data: dict[str, list[dict[str, Any]]] = {
        TASKS: [_task(entry) for entry in _entries(state, TODO)],
        EVENTS: [_renamed(EVENTS, entry) for entry in _entries(state, CALENDAR)],
        PLACES: [_place(entry) for entry in _entries(state, MAP)],
        CHATS: [], MESSAGES: [], "messenger.contacts": [],
    }  # fmt: skip
    for contact in _entries(state, MESSENGER):
        user = str(contact.get("user"))
        data[CHATS].append({"chat": user, "name": user})
        data["messenger.contacts"].append({"chat": user, "name": user})
        for message in _lists(contact.get("messages")):
            data[MESSAGES].append({"chat": user, "text": str(message[0])})
    return data


def _entries(state: State, app: str) -> list[Mapping[str, Any]]:
    entries = state.get(app)
    return [item for item in entries if isinstance(item, Mapping)] if isinstance(entries, list) else []


def _lists(value: object) -> Iterable[list[Any]]:
    return (item for item in value if isinstance(item, list) and item) if isinstance(value, list) else ()


def _task(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {**entry, "done": entry.get("done") in (1, "1")}


def _renamed(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    ours = {theirs: field for field, theirs in _FIELDS[name].items()}
    renamed = {ours.get(key, key): value for key, value in entry.items()}
    guests = renamed.get("guests")
    if isinstance(guests, str):
        renamed["guests"] = [part.strip() for part in guests.split(",") if part.strip()]
    return renamed


def _place(entry: Mapping[str, Any]) -> dict[str, Any]:
    coords = entry.get("coords")
    lat, lng = coords[:2] if isinstance(coords, list) and len(coords) > 1 else (None, None)
    return {"name": str(entry.get("name")).split(",", 1)[0].strip(), "lat": lat, "lng": lng}
