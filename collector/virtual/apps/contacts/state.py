"""The whole state of the contacts, as YAML shows it."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.ui.content import load


@dataclass(frozen=True, slots=True)
class PhoneContact:
    """One person."""

    id: int
    name: str
    phone: str = ""
    email: str = ""
    starred: bool = False


@dataclass(frozen=True, slots=True)
class ContactsState:
    """The people, and what is open."""

    locale: str = "en-US"
    contacts: tuple[PhoneContact, ...] = ()
    query: str = ""
    opened: int = 0
    """Id of the person whose page is open."""
    draft: PhoneContact | None = None
    """The person that is edited; the id is 0 for a new one."""

    def contact(self, number: int) -> PhoneContact | None:
        return next((contact for contact in self.contacts if contact.id == number), None)

    @property
    def next_id(self) -> int:
        return max((contact.id for contact in self.contacts), default=0) + 1

    def shown(self) -> tuple[PhoneContact, ...]:
        """Those whose name or number has what is searched, by name."""
        words = self.query.casefold().split()
        found = (
            contact
            for contact in self.contacts
            if all(word in f"{contact.name} {contact.phone}".casefold() for word in words)
        )
        return tuple(sorted(found, key=lambda contact: contact.name.casefold()))


def fresh(locale: str) -> ContactsState:
    """The state of a newly installed app."""
    rows = load("contacts")["contacts"]
    contacts = tuple(
        PhoneContact(number, row["name"], row["phone"], row.get("email", ""))
        for number, row in enumerate(rows, start=1)
    )
    return ContactsState(locale, contacts)
