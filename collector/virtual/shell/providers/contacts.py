"""``com.android.contacts``: people, and their names, numbers and addresses as rows of data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from collector.virtual.shell.providers.table import BadPathError, ContentTable, Matches, Row
from collector.virtual.ui.contact_rows import data_id

if TYPE_CHECKING:
    from collector.virtual.shell.machine import Machine

Person = dict[str, Any]
"""One person of the contacts app: ``id``, ``name``, ``phone``, ``email``, ``starred``."""
_ITEM = "vnd.android.cursor.item/"
_KINDS = {"name": f"{_ITEM}name", "phone": f"{_ITEM}phone_v2", "email": f"{_ITEM}email_v2"}
"""The MIME type of each row of data, by the field of the person."""
_FIELDS = {kind: field for field, kind in _KINDS.items()}
_PEOPLE, _RAW, _DATA = "contacts", "raw_contacts", "data"
_OF_PATH = {"data/phones": "phone", "phones": "phone", "data/emails": "email"}
_ILLEGAL = "java.lang.IllegalArgumentException: "
_MOBILE = "2"


class Contacts(ContentTable):
    """People at ``contacts`` and ``raw_contacts``, each one's rows at ``data``; with an id behind for one.

    A person has one number and one address: another one that is inserted takes its place.
    """

    def __init__(self, machine: Machine, path: tuple[str, ...]) -> None:
        self._phone = machine.phone
        words = ["contacts" if word == "people" else word for word in path]
        owner = ""
        if len(words) == 3 and words[0] in (_PEOPLE, _RAW) and words[2] == _DATA:
            owner, words = words[1], [_DATA]
        if words[:2] == [_PEOPLE, "lookup"]:
            words = [_PEOPLE, words[-1].partition("r")[0]]
        self._owner = owner
        self._id = words.pop() if words and words[-1].isdecimal() else ""
        self._kind = "/".join(words)
        if self._kind not in (_PEOPLE, _RAW, _DATA, *_OF_PATH):
            raise BadPathError(f"{_ILLEGAL}Unknown URI content://com.android.contacts/{'/'.join(path)}")

    def rows(self) -> list[Row]:
        found = [row for person in self._people() for row in self._rows_of(person)]
        return [row for row in found if self._id in ("", row["_id"])]

    def insert(self, values: Mapping[str, str]) -> None:
        if self._kind == _PEOPLE:
            reason = "Aggregate contacts are created automatically"
            raise BadPathError(f"java.lang.UnsupportedOperationException: {reason}")
        if self._kind == _RAW:
            people = self._people()
            number = max((person["id"] for person in people), default=0) + 1
            starred = values.get("starred") == "1"
            new = {"id": number, "name": "", "phone": "", "email": "", "starred": starred}
            self._keep([*people, new])
        elif self._kind == _DATA:
            self._insert_data(values)
        else:
            super().insert(values)

    def update(self, values: Mapping[str, str], matches: Matches) -> None:
        """Change what rows of data say; of people only whether they are favourites."""

        def change(person: Person, field: str) -> None:
            if field:
                person[field] = _said(field, values, person[field])
            elif "starred" in values:
                person["starred"] = values["starred"] == "1"

        self._change(matches, change)

    def delete(self, matches: Matches) -> None:
        """Delete people or rows of data; ``contacts`` without an id deletes nobody, as Android's does."""
        if self._kind == _PEOPLE and not self._id:
            return
        gone: set[int] = set()

        def change(person: Person, field: str) -> None:
            if field:
                person[field] = ""
            else:
                gone.add(person["id"])

        self._change(matches, change)
        if gone:
            self._keep([person for person in self._people() if person["id"] not in gone])

    def _insert_data(self, values: Mapping[str, str]) -> None:
        owner = self._owner or values.get("raw_contact_id", "")
        for name, value in (("raw_contact_id", owner), ("mimetype", values.get("mimetype"))):
            if not value:
                raise BadPathError(f"{_ILLEGAL}{name} is required")
        field = _FIELDS.get(values["mimetype"])
        if field is None:
            raise BadPathError(f"{_ILLEGAL}this phone keeps no {values['mimetype']}")
        people = self._people()
        for person in people:
            if str(person["id"]) == owner:
                person[field] = _said(field, values, "")
        self._keep(people)

    def _change(self, matches: Matches, change: Callable[[Person, str], None]) -> None:
        """Change the person of each row that matches; with the field of a row of data, else with none."""
        people = self._people()
        for person in people:
            for row in self._rows_of(person):
                if self._id in ("", row["_id"]) and matches(row):
                    change(person, _FIELDS.get(row.get("mimetype") or "", ""))
        self._keep(people)

    def _rows_of(self, person: Person) -> list[Row]:
        if self._kind == _PEOPLE:
            return [_person_row(person)]
        if self._kind == _RAW:
            return [_raw_row(person)]
        if self._owner not in ("", str(person["id"])):
            return []
        wanted = _OF_PATH.get(self._kind)
        return [_data_row(person, field) for field in _KINDS if person[field] and wanted in (None, field)]

    def _people(self) -> list[Person]:
        if "contacts" not in self._phone.app_names:
            return []
        people: list[Person] = self._phone.app_state("contacts")["contacts"]
        return people

    def _keep(self, people: list[Person]) -> None:
        if "contacts" in self._phone.app_names:
            self._phone.set_app_state("contacts", self._phone.app_state("contacts") | {"contacts": people})


def _said(field: str, values: Mapping[str, str], before: str) -> str:
    """What a row says after a change: of a name also the given and the family name."""
    if "data1" in values or field != "name":
        return values.get("data1", before)
    parts = [values[name] for name in ("data2", "data5", "data3") if values.get(name)]
    return " ".join(parts) or before


def _person_row(person: Person) -> Row:
    number = str(person["id"])
    return {
        "_id": number,
        "lookup": f"{number}r{number}",
        "display_name": person["name"] or None,
        "starred": str(int(person["starred"])),
        "has_phone_number": str(int(bool(person["phone"]))),
        "in_visible_group": "1",
        "photo_id": None,
        "name_raw_contact_id": number,
    }


def _raw_row(person: Person) -> Row:
    number = str(person["id"])
    return {
        "_id": number,
        "contact_id": number,
        "account_name": None,
        "account_type": None,
        "deleted": "0",
        "display_name": person["name"] or None,
        "starred": str(int(person["starred"])),
    }


def _data_row(person: Person, field: str) -> Row:
    number, is_name = str(person["id"]), field == "name"
    given, _space, family = person["name"].rpartition(" ")
    return {
        "_id": str(data_id(person["id"], field)),
        "contact_id": number,
        "raw_contact_id": number,
        "display_name": person["name"] or None,
        "mimetype": _KINDS[field],
        "data1": person[field],
        "data2": (given or family) if is_name else _MOBILE if field == "phone" else "1",
        "data3": family if is_name and given else None,
        "data4": None,
    }
