"""What the messenger keeps for the person, as records."""

from __future__ import annotations

from collector.model.app_data.collections import AppData
from collector.virtual.apps.messenger.state import MessengerState, people, person_of


def data_of(state: MessengerState) -> AppData:
    """The messages of each chat from the oldest on, the chats, and the contacts."""
    messages = [
        {"chat": chat, "me": message.me, "text": message.text}
        for chat, written in sorted(state.chats.items())
        for message in written
    ]
    chats = [
        {
            "chat": chat,
            "name": person_of(chat).name,
            "pinned": chat in state.pinned,
            "muted": chat in state.muted,
        }
        for chat in sorted(state.chats)
    ]
    contacts = [{"chat": person.id, "name": person.name} for person in people().values()]
    return {"messenger.messages": messages, "messenger.chats": chats, "messenger.contacts": contacts}
