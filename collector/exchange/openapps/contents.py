"""What OpenApps' apps hold at first, as the content of ours.

Each function takes the keys of an app and returns the content that a variation merges onto that app. A value
that has no counterpart stays unread, and the report names it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from collector.exchange.openapps.read_keys import MOST_RECORDS, ReadKeys

_COLORS = ("#C1602E", "#2B6CB0", "#7B4FA3", "#A3354F", "#3F7D4E", "#A87A1B")
_PLACE_COLORS = {
    "red": "red", "darkred": "red", "lightred": "red", "orange": "yellow", "beige": "yellow",
    "#FFD700": "yellow", "yellow": "yellow", "green": "green", "darkgreen": "green", "lightgreen": "green",
    "blue": "blue", "darkblue": "blue", "lightblue": "blue", "cadetblue": "blue", "purple": "purple",
    "darkpurple": "purple", "pink": "purple",
}  # fmt: skip
_LABELS = {"title": "title", "date": "date", "description": "notes", "location": "place", "url": "link",
           "invitees": "guests"}  # fmt: skip
_REPEATS = ("daily", "weekly", "monthly", "yearly")
_EVENT_KEYS = (*_LABELS, "recurring")
_HIGHEST_LATITUDE = 85
_DEEPEST_FOLDER = 20
_PRODUCT = re.compile(r"\('([^']+)'")
Content = dict[str, Any]


def texts(text: object) -> dict[str, str]:
    """A text as variations write it, by language. OpenApps does not say which, so it is the phone's own."""
    return {"en": str(text)}


def _words(**words: str) -> Content:
    shown = {word: texts(text) for word, text in words.items() if text}
    return {"+words": shown} if shown else {}


def todo(keys: ReadKeys) -> Content:
    """The to-dos, in one list. All are shown at first, as none has a date."""
    tasks: list[Content] = []
    for row in keys.rows("init_todos"):
        if isinstance(row, list) and len(row) > 1 and row[0]:
            name = f"todo_{len(tasks) + 1}"
            task = {"id": name, "title": texts(row[0]), "list": "my", "due": None, "done": row[1] is True}
            tasks.append(task)
        else:
            keys.lose("init_todos", row)
    return {"tasks": tasks, "span": "all", **_words(app=keys.text("title"))}


def calendar(keys: ReadKeys) -> Content:
    """The events, all day long, and the names of the fields of an event."""
    rows = keys.mappings("events", *_EVENT_KEYS, needed=("title", "date"))
    events = [_event(number, row) for number, row in enumerate(rows, start=1) if _is_date(row["date"])]
    for row in rows:
        if not _is_date(row["date"]):
            keys.lose("events.date", row["date"])
        if row.get("recurring") not in ("", *_REPEATS):
            keys.lose("events.recurring", row.get("recurring"))
    labels = {word: keys.text(f"style.add_event_display.aria_label.{name}") for name, word in _LABELS.items()}
    return {"events": events, **_words(**labels)}


def _event(number: int, row: Mapping[str, Any]) -> Content:
    guests = row.get("invitees") or ()
    listed = guests.split(",") if isinstance(guests, str) else guests if isinstance(guests, list) else ()
    names = [name for guest in listed if (name := str(guest).strip())]
    repeat = str(row.get("recurring") or "")
    event: Content = {"id": f"event_{number}", "title": texts(row["title"]), "date": str(row["date"]),
                      "calendar": "home"}  # fmt: skip
    if row.get("description"):
        event["notes"] = texts(str(row["description"]).strip("\n"))
    if row.get("location"):
        event["place"] = texts(row["location"])
    if row.get("url"):
        event["link"] = str(row["url"])
    if names:
        event["guests"] = names
    if repeat in _REPEATS:
        event["repeat"] = repeat
    return event


def _is_date(value: object) -> bool:
    try:
        return bool(dt.date.fromisoformat(str(value)))
    except ValueError:
        return False


def messenger(keys: ReadKeys, answers: Mapping[str, list[str]]) -> Content:
    """The contacts, what was written, and what contacts answer whose answers tasks expect."""
    histories: dict[str, list[Any]] = {}
    for path, value in keys.below("chat_history").items():
        histories[path] = value if isinstance(value, list) else []
        if value is not None and not isinstance(value, list):
            keys.lose(f"chat_history.{path}", value)
    names = list(dict.fromkeys([*histories, *map(str, keys.rows("users"))]))
    people = [
        {"id": name, "name": name, "color": _COLORS[number % len(_COLORS)], "phone": ""}
        for number, name in enumerate(names)
    ]
    chats = {name: list(_messages(rows)) for name, rows in histories.items()}
    for name, rows in histories.items():
        for row in rows:
            if not isinstance(row, list) or len(row) < 2:
                keys.lose(f"chat_history.{name}[]", row)
            elif len(row) > 2 and row[2] not in (name, "you"):
                keys.lose(f"chat_history.{name}[].sender", row[2])
    known = {name: [texts(text) for text in said] for name, said in answers.items() if said and name in names}
    return {
        "people": people,
        "chats": chats,
        "unread": {},
        "answers": known,
        **_words(app=keys.text("title")),
    }


def _messages(rows: list[Any]) -> Iterator[Content]:
    for row in rows[:MOST_RECORDS]:
        if isinstance(row, list) and len(row) > 1:
            at = str(row[3]) if len(row) > 3 else ""
            yield {"me": row[1] is True, "at": at, "text": texts(row[0])}


def maps(keys: ReadKeys, places: list[tuple[str, float, float]]) -> Content:
    """Where the map is, the saved places, and the places that tasks save, so that they can be found."""
    content: Content = {}
    home = keys.get("init_location")
    if isinstance(home, list) and len(home) == 2 and _is_on_map(*home):
        content["home"] = list(home)
    rows = keys.mappings("saved_places", "name", "lat", "lng", "color", needed=("name",))
    content["saved"] = [
        {
            "name": " ".join(str(row["name"]).split()), "lat": row["lat"], "lng": row["lng"],
            "list": "favourites", "color": _PLACE_COLORS.get(str(row.get("color") or "blue"), "blue"),
        }
        for row in rows if _is_on_map(row.get("lat"), row.get("lng"))
    ]  # fmt: skip
    for row in rows:
        color = str(row.get("color") or "blue")
        if _PLACE_COLORS.get(color) != color:
            keys.lose("saved_places.color", color)
        if not _is_on_map(row.get("lat"), row.get("lng")):
            keys.lose("saved_places", row["name"])
    by_name = {name: (lat, lng) for name, lat, lng in places if _is_on_map(lat, lng)}
    found = [
        {"id": f"place_{number}", "kind": "sight", "rank": 1, "name": texts(name), "hours": "", "lat": lat,
         "lng": lng}
        for number, (name, (lat, lng)) in enumerate(by_name.items(), start=1)
    ]  # fmt: skip
    if found:
        content["+places"] = found
    return {**content, **_words(app=keys.text("title"))}


def _is_on_map(lat: Any, lng: Any) -> bool:
    if any(isinstance(value, bool) or not isinstance(value, int | float) for value in (lat, lng)):
        return False
    return bool(abs(lat) <= _HIGHEST_LATITUDE and abs(lng) <= 180)


def code(keys: ReadKeys) -> Content:
    """The tree of files and folders; of two files with one path the last one counts."""
    files: dict[str, str] = {}
    folders: dict[str, None] = {}
    for path, text in _tree(keys.rows("filesystem"), "", _DEEPEST_FOLDER, keys):
        if text is None:
            folders[path] = None
        else:
            files[path] = text
    rows = [
        {"id": f"file_{number}", "path": path, "text": text}
        for number, (path, text) in enumerate(files.items(), start=1)
    ]
    return {"files": rows[:MOST_RECORDS], "folders": list(folders)[:MOST_RECORDS], "open": [], "numbers": {}}


def _tree(entries: object, above: str, deepest: int, keys: ReadKeys) -> Iterator[tuple[str, str | None]]:
    """The paths below a folder, each with the text of its file, None for a folder."""
    for entry in entries if isinstance(entries, list) and deepest else ():
        name = str(entry.get("name") or "") if isinstance(entry, Mapping) else ""
        if not name or "/" in name or name in (".", ".."):
            keys.lose("filesystem", name or entry)
            continue
        path = f"{above}{name}"
        if entry.get("type") == "folder":
            yield path, None
            yield from _tree(entry.get("content"), f"{path}/", deepest - 1, keys)
        else:
            yield path, str(entry.get("content") or "")


def shop(keys: ReadKeys) -> Content:
    """Products of the cart and the orders, which are all that the configuration knows of the catalogue."""
    orders = keys.mappings("orders", "order_id", "items", "date", needed=("order_id",))
    items = {str(row.get("order_id")): _order_items(row) for row in orders}
    cart = {
        str(row["asin"]): _count(row.get("quantity"))
        for row in keys.mappings("cart", "asin", "quantity", needed=("asin",))
    }  # fmt: skip
    prices = _prices(orders)
    names = dict.fromkeys([*cart, *(name for held in items.values() for name in held)])
    products = [
        {"id": name, "picture": "mug", "category": "home", "price": prices.get(name, 10.0), "rating": 4.0,
         "stock": 100, "free": False, "sale": False, "age": 30, "name": texts(name), "tags": ""}
        for name in names
    ]  # fmt: skip
    for name in names:
        keys.lose("cart.catalogue", name)
    for row in orders:
        if not items[str(row["order_id"])] or not _is_date(str(row.get("date"))[:10]):
            keys.lose("orders", row["order_id"])
    placed = [
        {"id": str(row.get("order_id")), "date": str(row.get("date"))[:10], "items": held}
        for row in orders
        if (held := items[str(row.get("order_id"))]) and _is_date(str(row.get("date"))[:10])
    ]
    content: Content = {"+products": products, "cart": cart, "orders": placed}
    if info := keys.text("additional_info_to_item"):
        content["descriptions"] = {name: texts(info) for name in ("prints", "home", "books")}
    banner, about = keys.text("promotional_message"), keys.text("description")
    escaped = about.replace("{", "{{").replace("}", "}}")  # the app puts a name into this text
    words = _words(
        app=keys.text("title"), banner_out=banner, banner_in=banner, banner_out_2=about, banner_in_2=escaped
    )
    return {**content, **words}


def _order_items(order: Mapping[str, Any]) -> dict[str, int]:
    held = order.get("items")
    found = {}
    for key, item in held.items() if isinstance(held, Mapping) else ():
        if match := _PRODUCT.match(str(key)):
            found[match[1]] = _count(item.get("quantity") if isinstance(item, Mapping) else 1)
    return found


def _count(value: object) -> int:
    return value if isinstance(value, int) and 0 < value < 1000 else 1


def _prices(orders: list[Mapping[str, Any]]) -> dict[str, float]:
    """The prices that an order of one product alone tells."""
    prices = {}
    for order in orders:
        held, total = _order_items(order), order.get("total")
        if len(held) == 1 and isinstance(total, int | float) and not isinstance(total, bool):
            ((name, count),) = held.items()
            prices[name] = round(min(max(total / count, 0.01), 100_000.0), 2)
    return prices


def start_page(keys: ReadKeys, names: Mapping[str, str]) -> Content:
    """The tiles, in their order, and the head of the page. ``names`` are our names of OpenApps' apps."""
    tiles: list[tuple[int, Content]] = []
    for theirs, ours in names.items():
        enabled, position = keys.get(f"apps.{theirs}.enabled"), keys.get(f"apps.{theirs}.position")
        title = keys.text(f"apps.{theirs}.title")
        about = keys.text(f"apps.{theirs}.description")
        if title and enabled is not False:
            tile = {"id": ours, "app": ours, "title": texts(title), "description": texts(about)}
            tiles.append((position if isinstance(position, int) else len(tiles), tile))
    head = keys.text("headline")
    ordered = [tile for _position, tile in sorted(tiles, key=lambda item: item[0])]
    return {"tiles": ordered, **_words(morning=head, afternoon=head, evening=head)}


CONTENTS: dict[str, Callable[[ReadKeys], Content]] = {
    "todo": todo, "calendar": calendar, "code_editor": code, "onlineshop": shop,
}  # fmt: skip
"""OpenApps' apps whose content needs nothing else."""
