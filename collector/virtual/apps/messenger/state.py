"""The messenger's whole state, as YAML shows it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from collector.model.seeds import DEFAULT_SEED
from collector.virtual.ui.content import load, localized

_UNKNOWN_COLOR = "#5B6770"


@dataclass(frozen=True, slots=True)
class Person:
    """A contact or a group."""

    id: str
    name: str
    color: str
    phone: str = ""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message; ``at`` is the time shown beside it."""

    me: bool
    text: str
    at: str = ""
    picture: str = ""
    """Address of the picture that was sent; the text then says that it is one."""


@dataclass(frozen=True, slots=True)
class MessengerState:
    """Chats by contact, oldest message first, with the open chat and unsent drafts."""

    locale: str = "en-US"
    chats: Mapping[str, tuple[ChatMessage, ...]] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    """Contacts in the order of their chats, newest first."""
    unread: Mapping[str, int] = field(default_factory=dict)
    pinned: tuple[str, ...] = ()
    muted: tuple[str, ...] = ()
    tab: int = 0
    query: str = ""
    open: str = ""
    drafts: Mapping[str, str] = field(default_factory=dict)
    sheet: str = ""
    """menu, message, forward, delete or none."""
    message: int = -1
    """Index of the message in the open chat that the sheet is about."""
    shared: str = ""
    """Text that another app shares, until a contact is chosen for it."""
    shared_picture: str = ""
    """Address of a picture that another app shares, until then."""
    answered: Mapping[str, int] = field(default_factory=dict)
    """How often each contact has answered."""
    typing: str = ""
    seed: int = DEFAULT_SEED

    def listed(self) -> tuple[str, ...]:
        """Pinned chats first, then the newest."""
        return tuple(sorted(self.order, key=lambda chat: chat not in self.pinned))


def people() -> dict[str, Person]:
    """All contacts by id."""
    return {row["id"]: Person(**row) for row in load("messenger")["people"]}


def person_of(chat: str) -> Person:
    """The contact of a chat; a chat with another phone number has the number as its name."""
    return people().get(chat) or Person(chat, chat, _UNKNOWN_COLOR, chat)


def chat_with(number: str) -> str:
    """The id of the chat with a phone number: that of its contact, else the number itself."""
    digits = _digits(number)
    known = (person.id for person in people().values() if digits and _digits(person.phone) == digits)
    return next(known, number)


def _digits(number: str) -> str:
    return re.sub(r"[^0-9]", "", number)


def fresh(seed: int, locale: str) -> MessengerState:
    """The state of a newly installed app; the seed changes the times of the messages."""
    content = load("messenger")
    chats = {
        person: tuple(
            ChatMessage(row["me"], localized(row["text"], locale), _moved(row["at"], seed, person))
            for row in rows
        )
        for person, rows in content["chats"].items()
    }
    return MessengerState(
        locale=locale, chats=chats, order=tuple(chats), unread=dict(content["unread"]), seed=seed
    )


def answer_of(state: MessengerState, person: str) -> str:
    """What a contact answers next: its own words where it has some, else words that the seed chooses."""
    content, count = load("messenger"), state.answered.get(person, 0)
    own = content["answers"].get(person)
    chosen = (
        own[count % len(own)] if own else Random(f"{state.seed} {person} {count}").choice(content["replies"])
    )
    return localized(chosen, state.locale)


def _moved(at: str, seed: int, person: str) -> str:
    """Shift a time of day some minutes back, by the same amount within a chat so that its order stays."""
    if seed == 1 or not re.fullmatch(r"\d{1,2}:\d{2}", at):
        return at
    hours, minutes = map(int, at.split(":"))
    earlier = max(0, hours * 60 + minutes - Random(f"{seed} {person}").randrange(60))
    return f"{earlier // 60:02}:{earlier % 60:02}"
