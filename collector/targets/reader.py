"""Read the value of a task's ``target``. What is wrong with it is reported by the path of the value."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from collector.located_yaml.nearest_word import nearest
from collector.model.app_data.collections import (
    APP_NAMES,
    COLLECTIONS,
    CONTENT_ID,
    COUNTS,
    DATE,
    FLAG,
    NUMBER,
    TEXT,
    TEXTS,
    TIME,
    DataCollection,
    collection_named,
)
from collector.model.app_data.target import (
    ADD,
    CHANGE,
    OPEN_APP,
    OPENAPPS,
    OPENAPPS_WITHIN_KM,
    REMOVE,
    SEMANTICS,
    SEND,
    TEXT_MODES,
    WAYMARK,
    TargetPart,
    TaskTarget,
    Tolerance,
)
from collector.model.i18n import _
from collector.targets.values import is_ignored

ADDED, CHANGED, REMOVED, DONE, SENT, SAVED, FRONT, SUBTASKS, TOLERANCE, SEMANTIC = (
    "add", "change", "removed", "done", "sent", "saved", "open_app", "subtasks", "tolerance", "semantics",
)  # fmt: skip
PART_KEYS = (ADDED, CHANGED, REMOVED, DONE, SENT, SAVED, FRONT)
KEYS = (*PART_KEYS, SUBTASKS, TOLERANCE, SEMANTIC)
TOLERANCE_KEYS = ("text", "within_km", "replies", "ignore")
_MOST_PARTS = 100
_MOST = 10**15
"""The largest number; neither infinity nor what is no number is one."""
_MOST_DEGREES = (90, 180)
_HOUR_MINUTES, _DAY_MINUTES = 60, 24 * 60
_DATE, _TIME = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"([01]\d|2[0-3]):[0-5]\d")
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class TargetProblem:
    """What is wrong with a value of a target."""

    path: Path
    """Keys and places in lists that lead to it."""
    what: str
    to_do: str = ""


class TargetError(ValueError):
    """A target that cannot be read."""

    def __init__(self, problems: Sequence[TargetProblem]) -> None:
        self.problems = tuple(problems)
        first = self.problems[0]
        super().__init__(f"{first.what}. {first.to_do}" if first.to_do else first.what)


def read_target(value: object) -> TaskTarget:
    """The target of a value as YAML or JSON gives it. Raises TargetError with everything that is wrong."""
    reader = _Reader()
    target = reader.target(value)
    if reader.problems:
        raise TargetError(reader.problems)
    return target


class _Reader:
    """Reads one target and collects its problems."""

    def __init__(self) -> None:
        self.problems: list[TargetProblem] = []

    def target(self, value: object) -> TaskTarget:
        if not isinstance(value, Mapping):
            self._report((), _("A target is a mapping with parts such as add, removed or sent"))
            return TaskTarget()
        self._check_keys(value, KEYS, ())
        semantics = str(value.get(SEMANTIC, WAYMARK))
        if semantics not in SEMANTICS:
            self._unknown((SEMANTIC,), _("There are no semantics called {word}", word=semantics), semantics,
                          SEMANTICS)  # fmt: skip
        parts = tuple(self._parts(value, ()))
        if len(parts) > _MOST_PARTS or not (parts or self.problems):
            self._report(
                (), _("A target needs at least one part, and has at most {count}", count=_MOST_PARTS)
            )
        if len(fronts := dict.fromkeys(part.app for part in parts if part.kind == OPEN_APP)) > 1:
            what = _("Only one app can be in front in the end: {apps}", apps=", ".join(fronts))
            self._report((FRONT,) if FRONT in value else (SUBTASKS,), what)
        if semantics == OPENAPPS and any(CONTENT_ID in part.values for part in parts):
            self._report((), _("OpenApps compares places by their position, and knows no content_id"))
        tolerance = self._tolerance(value.get(TOLERANCE), semantics)
        for name in dict.fromkeys(part.collection for part in parts if _is_ignored(part, tolerance)):
            what = _(
                "What the target asks for in {name} would not count, and nothing had to be done", name=name
            )
            self._report((TOLERANCE, "ignore"), what)
        source = {str(key): item for key, item in value.items()}
        return TaskTarget(parts, tolerance, semantics, source)

    def _parts(self, value: Mapping[Any, Any], at: Path) -> Iterator[TargetPart]:
        """The parts in the order of the keys; subtasks are targets within, without keys of their own."""
        readers: dict[str, Callable[[Any, Path], Iterator[TargetPart]]] = {
            ADDED: self._added, CHANGED: self._changed, REMOVED: self._removed, DONE: self._done,
            SENT: self._sent, SAVED: self._saved, FRONT: self._front, SUBTASKS: self._subtasks,
        }  # fmt: skip
        for key, item in value.items():
            if key in readers:
                yield from readers[key](item, (*at, key))

    def _subtasks(self, value: object, at: Path) -> Iterator[TargetPart]:
        if not isinstance(value, list):
            self._report(at, _("{key} has to be a list", key=SUBTASKS))
            return
        for number, item in enumerate(value):
            if not isinstance(item, Mapping):
                self._report((*at, number), _("A subtask is a mapping, as a target is"))
                continue
            self._check_keys(item, PART_KEYS, (*at, number))
            yield from self._parts(item, (*at, number))

    # ---- parts ----------------------------------------------------------------------------------

    def _records(self, value: object, at: Path) -> Iterator[tuple[DataCollection, Mapping[str, Any], Path]]:
        """The records of a mapping by collection, whose values are one record or a list of them."""
        if not isinstance(value, Mapping):
            self._report(at, _("{key} is a mapping by collection, such as todo.tasks", key=at[-1]))
            return
        for name, items in value.items():
            collection = collection_named(str(name))
            if collection is None:
                known = [item.name for item in COLLECTIONS]
                self._unknown((*at, name), _("No app keeps {name}", name=name), str(name), known)
                continue
            several = isinstance(items, list)
            for number, item in enumerate(items if several else [items]):
                place = (*at, name, number) if several else (*at, name)
                if isinstance(item, Mapping) and item:
                    yield collection, item, place
                else:
                    self._report(place, _("A record is a mapping of fields"))

    def _added(self, value: object, at: Path) -> Iterator[TargetPart]:
        for collection, record, place in self._records(value, at):
            yield self._new_record(collection, record, place)

    def _new_record(self, collection: DataCollection, record: Mapping[str, Any], at: Path) -> TargetPart:
        fields, within = dict(record), None
        if collection.position is not None:
            within = self._kilometres(fields.pop("within_km", None), (*at, "within_km"))
        values = self._fields(collection, fields, at)
        if values.get(collection.key, record.get(collection.key)) in (None, "", {}):
            what = _("A new record of {name} needs its {field}", name=collection.name, field=collection.key)
            self._report(at, what)
        return TargetPart(ADD, collection.name, values=values, within_km=within)

    def _changed(self, value: object, at: Path) -> Iterator[TargetPart]:
        for collection, change, place in self._records(value, at):
            self._check_keys(change, ("where", "to"), place)
            where, to = change.get("where"), change.get("to")
            if not (isinstance(where, Mapping) and where and isinstance(to, Mapping) and to):
                self._report(
                    place, _("A change has `where`, the record it is about, and `to`, its new values")
                )
                continue
            yield TargetPart(
                CHANGE, collection.name, self._fields(collection, where, (*place, "where"), may_name=True),
                self._fields(collection, to, (*place, "to")),
            )  # fmt: skip

    def _removed(self, value: object, at: Path) -> Iterator[TargetPart]:
        for collection, record, place in self._records(value, at):
            yield TargetPart(REMOVE, collection.name, self._fields(collection, record, place, may_name=True))

    def _done(self, value: object, at: Path) -> Iterator[TargetPart]:
        """Titles, or mappings that say which task is meant."""
        tasks = collection_named("todo.tasks")
        assert tasks is not None
        for item, place in _each(value, at):
            if isinstance(item, Mapping) and item:
                where = self._fields(tasks, item, place, may_name=True)
            elif _is_text(item) and item != "":
                where = self._fields(tasks, {"title": item}, place)
            else:
                self._report(place, _("A task that is done is named by its title, or by fields of it"))
                continue
            yield TargetPart(CHANGE, tasks.name, where, {"done": True})

    def _sent(self, value: object, at: Path) -> Iterator[TargetPart]:
        for item, place in _each(value, at):
            if not isinstance(item, Mapping) or not {"to", "text"} <= set(item):
                self._report(place, _("A message that is sent has `to`, a contact, and `text`"))
                continue
            self._check_keys(item, ("to", "text"), place)
            for key in ("to", "text"):
                if not _is_text(item[key]) or item[key] == "":
                    self._report((*place, key), _("{key} has to be {type}", key=key, type=_type_text(TEXT)))
            values = {"chat": str(item["to"]), "me": True, "text": str(item["text"])}
            yield TargetPart(SEND, "messenger.messages", values=values)

    def _saved(self, value: object, at: Path) -> Iterator[TargetPart]:
        """Places by name and position, or places of the map's content by their id, wherever they are."""
        places = collection_named("maps.saved")
        assert places is not None
        for item, place in _each(value, at):
            if isinstance(item, Mapping) and CONTENT_ID in item:
                yield TargetPart(ADD, places.name, values=self._fields(places, item, place, may_name=True))
            elif not isinstance(item, Mapping) or not {"name", "lat", "lng"} <= set(item):
                self._report(place, _("A place that is saved has name, lat and lng, or content_id"))
            else:
                yield self._new_record(places, item, place)

    def _front(self, value: object, at: Path) -> Iterator[TargetPart]:
        app = str(value)
        if app not in APP_NAMES:
            self._unknown(at, _("The phone has no app {word}", word=app), app, APP_NAMES)
        yield TargetPart(OPEN_APP, app=app)

    # ---- values ---------------------------------------------------------------------------------

    def _fields(
        self, collection: DataCollection, record: Mapping[Any, Any], at: Path, *, may_name: bool = False
    ) -> dict[str, Any]:
        """The fields of a record with values of their types; ``may_name`` it by the id of its content."""
        fields: dict[str, Any] = {}
        known = [item.name for item in collection.fields] + ([CONTENT_ID] if may_name else [])
        for key, value in record.items():
            spec = collection.field(str(key))
            if str(key) not in known:
                what = _("Records of {name} have no field {field}", name=collection.name, field=key)
                self._unknown((*at, key), what, str(key), known)
            elif spec is None and not _is_text(value):
                self._report((*at, key), _("{key} has to be {type}", key=key, type=_type_text(TEXT)))
            elif spec is None:
                fields[str(key)] = str(value)
            elif (typed := _typed(spec.type, value)) is None:
                self._report((*at, key), _("{key} has to be {type}", key=key, type=_type_text(spec.type)))
            else:
                fields[str(key)] = typed
        for name, most in zip(collection.position or (), _MOST_DEGREES, strict=False):
            if abs(fields.get(name, 0)) > most:
                what = _("{key} has to be a number of degrees from -{most} to {most}", key=name, most=most)
                self._report((*at, name), what)
        return fields

    def _tolerance(self, value: object, semantics: str) -> Tolerance:
        tolerance = Tolerance()
        if semantics == OPENAPPS:
            tolerance = replace(tolerance, within_km=OPENAPPS_WITHIN_KM)
        if value is None:
            return tolerance
        at: Path = (TOLERANCE,)
        if not isinstance(value, Mapping):
            self._report(at, _("{key} is a mapping", key=TOLERANCE))
            return tolerance
        self._check_keys(value, TOLERANCE_KEYS, at)
        text = str(value.get("text", tolerance.text))
        if text not in TEXT_MODES:
            self._unknown((*at, "text"), _("Texts are compared by words or exact"), text, TEXT_MODES)
        replies = value.get("replies", tolerance.replies)
        if not isinstance(replies, bool):
            self._report((*at, "replies"), _("{key} has to be true or false", key="replies"))
        within = self._kilometres(value.get("within_km"), (*at, "within_km"))
        return Tolerance(
            text, tolerance.within_km if within is None else within, replies is True,
            tuple(self._ignored(value.get("ignore"), (*at, "ignore"))),
        )  # fmt: skip

    def _ignored(self, value: object, at: Path) -> Iterator[str]:
        fields = (f"{item.name}.{field.name}" for item in COLLECTIONS for field in item.fields)
        known = [*APP_NAMES, *(item.name for item in COLLECTIONS), *fields]
        for item, place in _each(value, at) if value is not None else ():
            if str(item) not in known:
                self._unknown(place, _("There is nothing called {word}", word=item), str(item), known)
            yield str(item)

    def _kilometres(self, value: object, at: Path) -> float | None:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 20_100:
            self._report(at, _("{key} has to be a number of kilometres from 0 to 20100", key=at[-1]))
            return None
        return float(value)

    # ---- problems -------------------------------------------------------------------------------

    def _check_keys(self, value: Mapping[Any, Any], known: Sequence[str], at: Path) -> None:
        for key in value:
            if key not in known:
                self._unknown((*at, key), _("Nothing reads the key {key}", key=key), str(key), known)

    def _unknown(self, at: Path, what: str, word: str, known: Sequence[str]) -> None:
        near = nearest(word, known)
        one_of = _("Use one of: {known}", known=", ".join(known))
        self._report(at, what, _("Did you mean {word}?", word=near) if near else one_of)

    def _report(self, at: Path, what: str, to_do: str = "") -> None:
        self.problems.append(TargetProblem(at, what, to_do))


def _is_ignored(part: TargetPart, tolerance: Tolerance) -> bool:
    """Whether nothing that a part asks for counts, so that it would hold whatever is done."""
    if not part.collection:
        return False
    if is_ignored(tolerance, part.collection):
        return True
    changed = part.values if part.kind == CHANGE else ()
    return bool(changed) and all(is_ignored(tolerance, part.collection, name) for name in changed)


def _each(value: object, at: Path) -> Iterator[tuple[Any, Path]]:
    """A value, or the values of a list, each with its path."""
    if isinstance(value, list):
        yield from ((item, (*at, number)) for number, item in enumerate(value))
    else:
        yield value, at


def _typed(kind: str, value: object) -> Any:
    """The value as records have it; None when it has another type."""
    if kind == FLAG:
        return value if isinstance(value, bool) else None
    if kind == NUMBER:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return value if is_number and abs(value) <= _MOST else None  # type: ignore[arg-type]
    if kind == TEXTS:
        return tuple(map(str, value)) if isinstance(value, list) and all(map(_is_text, value)) else None
    if kind == COUNTS:
        is_counts = isinstance(value, Mapping) and all(type(count) is int for count in value.values())
        return {str(key): count for key, count in value.items()} if is_counts else None  # type: ignore[attr-defined]
    if kind in (DATE, TIME):
        return _moment(kind, value)
    return str(value) if _is_text(value) else None


def _moment(kind: str, value: object) -> str | None:
    """A date as 2026-11-20, or a time as 09:00; empty for none.

    YAML reads 15:30 as a number of minutes, but none below 1:00, so that a smaller number was written as one.
    """
    if kind == TIME and type(value) is int and _HOUR_MINUTES <= value < _DAY_MINUTES:
        return f"{value // 60:02}:{value % 60:02}"
    text, pattern = str(value), _DATE if kind == DATE else _TIME
    if not text:
        return ""
    if not pattern.fullmatch(text):
        return None
    try:
        return text if kind == TIME else dt.date.fromisoformat(text).isoformat()
    except ValueError:
        return None


def _is_text(value: object) -> bool:
    """Whether a text was written; YAML reads some texts as numbers and dates."""
    return isinstance(value, str | int | float | dt.date) and not isinstance(value, bool)


def _type_text(kind: str) -> str:
    return {
        DATE: _("a date such as 2026-11-20"), TIME: _("a time such as 09:00"),
        FLAG: _("true or false"), NUMBER: _("a number"), TEXTS: _("a list of texts"),
        COUNTS: _("a mapping of whole numbers"),
    }.get(kind, _("a text"))  # fmt: skip
