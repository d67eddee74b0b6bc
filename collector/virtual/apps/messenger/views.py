"""The messenger's screens: chats and people, and one chat."""

from __future__ import annotations

from collector.virtual.apps.dates import short_day
from collector.virtual.apps.empty import empty
from collector.virtual.apps.messenger.state import ChatMessage, MessengerState, Person, people, person_of
from collector.virtual.apps.rows import option_row
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.drawing.photos import photo
from collector.virtual.ui.events import Event
from collector.virtual.ui.shared_files import file_at


def main_screen(state: MessengerState, context: Context, say: AppTexts) -> w.Screen:
    """The list of chats or contacts, with a search over both."""
    search = w.TextField(
        text=state.query,
        hint=say("search_chats"),
        style="filled",
        action="search",
        on_change=Event("query"),
        id="query",
        margin=(16, 4, 16, 8),
    )
    rows = _chats(state, say) if state.tab == 0 else _people(state)
    if not rows and state.tab == 0 and not state.query:
        rows = (empty("mail", say("no_chats"), say("no_chats_2"), top=80),)
    elif not rows:
        nothing = w.Text(text=say("nothing"), size=15, color="text_2", align="center", padding=(24, 60))
        rows = (nothing,)
    tabs = (
        w.Tab(say("chats"), Event("tab", 0), icon="mail", id="tab_chats"),
        w.Tab(say("people"), Event("tab", 1), icon="people", id="tab_people"),
    )
    return w.Screen(
        w.Column((search, w.ScrollList(rows, grow=1, id="list")), grow=1),
        app_bar=w.AppBar(title=say("app")),
        bottom_bar=w.BottomBar(tabs=tabs, chosen=state.tab),
        floating=w.FloatingButton(
            icon="edit", id="new_chat", description=say("new_chat"), on_tap=Event("tab", 1)
        )
        if state.tab == 0
        else None,
    )


def _chats(state: MessengerState, say: AppTexts) -> tuple[w.Widget, ...]:
    query = state.query.casefold()
    return tuple(
        _chat_row(person_of(person), state, say)
        for person in state.listed()
        if query in person_of(person).name.casefold()
        or any(query in message.text.casefold() for message in state.chats.get(person, ()))
    )


def _chat_row(person: Person, state: MessengerState, say: AppTexts) -> w.Widget:
    messages = state.chats.get(person.id, ())
    last = messages[-1] if messages else ChatMessage(False, say("no_messages"))
    text = say("you", text=last.text) if last.me else last.text
    unread = state.unread.get(person.id, 0)
    side: list[w.Widget] = [
        w.Text(text=short_day(last.at, say.locale), size=12, color="text_2", id="chat_time")
    ]
    if unread:
        side.append(
            w.Row(
                (w.Text(text=str(unread), size=12, bold=True, color="on_primary", id="unread"),),
                height=20,
                padding=(7, 0),
                radius=10,
                background="primary",
                arrange="center",
            )
        )
    elif person.id in state.pinned:
        side.append(w.Icon(name="pin", size=16, color="text_2", description=say("pinned")))
    return w.Row(
        (
            w.Avatar(initial=person.name[0], color=person.color, size=48),
            w.Column(
                (
                    w.Text(text=person.name, size=16, bold=bool(unread), max_lines=1, id="chat_name"),
                    w.Text(text=text, size=14, color="text_2", max_lines=1, id="chat_last"),
                ),
                grow=1,
                gap=1,
                class_name="-",
            ),
            w.Column(tuple(side), gap=6, align="end", class_name="-"),
        ),
        gap=14,
        height=76,
        padding=(20, 6),
        key=person.id,
        id="chat",
        on_tap=Event("open", person.id),
    )


def _people(state: MessengerState, event: str = "open") -> tuple[w.Widget, ...]:
    query = state.query.casefold()
    return tuple(
        w.ListItem(
            title=person.name,
            subtitle=person.phone,
            leading=w.Avatar(initial=person.name[0], color=person.color),
            key=person.id,
            id="person",
            title_id="person_name",
            subtitle_id="person_phone",
            on_tap=Event(event, person.id),
        )
        for person in sorted(people().values(), key=lambda contact: contact.name.casefold())
        if query in person.name.casefold() or query in person.phone
    )


def chat_screen(state: MessengerState, context: Context, say: AppTexts) -> w.Screen:
    """One chat; the first in the list when no chat was opened."""
    person = person_of(state.open or (state.listed()[0] if state.order else "ana"))
    bar = w.AppBar(
        title=person.name,
        navigation="back",
        on_navigation=Event("leave"),
        leading=w.Avatar(initial=person.name[0], color=person.color, size=32),
        actions=(
            w.IconButton(icon="more", id="more", description=say("more"), on_tap=Event("sheet", "menu")),
        ),
        background="surface_container",
    )
    messages = w.ScrollList(
        _bubbles(state, person, context, say), gap=8, padding=(20, 16), grow=1, from_end=True, id="messages"
    )
    field = _message_field(state.drafts.get(person.id, ""), f"{context.now:%H:%M}", say)
    return w.Screen(
        w.Column((messages, field), grow=1),
        app_bar=bar,
        sheet=_sheet(state, person, say),
        dialog=_delete_dialog(person, say) if state.sheet == "delete" else None,
        on_back=Event("leave"),
    )


def _bubbles(state: MessengerState, person: Person, context: Context, say: AppTexts) -> tuple[w.Widget, ...]:
    """The messages of a chat, and that the other person types."""
    bubbles: tuple[w.Widget, ...] = tuple(
        _bubble(message, place, context) for place, message in enumerate(state.chats.get(person.id, ()))
    )
    if not bubbles:
        none = say("no_messages")
        bubbles = (w.Text(text=none, size=14, color="text_2", align="center", key="none", id="no_messages"),)
    if state.typing == person.id:
        bubbles = (*bubbles, w.Text(text=say("typing"), size=13, color="text_2", key="typing", id="typing"))
    return bubbles


def _message_field(draft: str, now: str, say: AppTexts) -> w.Row:
    """Where a message is written, and the button that sends it."""
    send = Event("send", now)
    field = w.TextField(
        text=draft,
        hint=say("message"),
        style="filled",
        action="send",
        id="message",
        on_change=Event("draft"),
        on_submit=send,
        grow=1,
    )
    button = w.IconButton(
        icon="send",
        color="primary",
        id="send",
        description=say("send"),
        enabled=bool(draft.strip()),
        on_tap=send,
    )
    return w.Row((field, button), gap=4, padding=(14, 6, 8, 24))


def share_screen(state: MessengerState, context: Context, say: AppTexts) -> w.Screen:
    """The contacts that a shared text or picture can be sent to."""
    shared: list[w.Widget] = []
    file = file_at(context.files, state.shared_picture) if state.shared_picture else None
    if file is not None and file.is_picture:
        placed = photo(
            context.storage,
            file,
            width=72,
            height=72,
            radius=12,
            id="shared_picture",
            description=say("photo"),
        )
        shared.append(w.Row((placed,), padding=(20, 12)))
    if state.shared or not shared:
        shared.append(
            w.Text(
                text=state.shared, size=15, color="text_2", max_lines=3, padding=(20, 12), id="shared_text"
            )
        )
    contacts = w.ScrollList(_people(state, "share_to"), grow=1, id="list")
    return w.Screen(
        w.Column((*shared, w.Divider(), contacts), grow=1),
        app_bar=w.AppBar(title=say("forward_to"), navigation="close"),
    )


def _bubble(message: ChatMessage, place: int, context: Context) -> w.Widget:
    ink = "on_primary" if message.me else "text"
    file = file_at(context.files, message.picture) if message.picture else None
    content: w.Widget = w.Text(text=message.text, size=14.5, color=ink, id="message_text")
    if file is not None and file.is_picture:
        content = photo(
            context.storage, file, width=150, height=200, radius=12, id="message_picture",
            description=message.text,
        )  # fmt: skip
    bubble = w.Column(
        (content,),
        padding=(6, 6) if isinstance(content, w.Image) else (16, 10),
        radius=(18, 18, 6, 18) if message.me else (18, 18, 18, 6),
        background="primary" if message.me else "surface_container",
        id="bubble",
        on_long_press=Event("message", place),
        margin=(48, 0, 0, 0) if message.me else (0, 0, 48, 0),
    )
    return w.Row((bubble,), arrange="end" if message.me else "start", key=str(place), id="row")


def _sheet(state: MessengerState, person: Person, say: AppTexts) -> w.Sheet | None:
    rows: tuple[w.Widget, ...]
    title = ""
    if state.sheet == "menu":
        rows = (
            option_row(Event("attach", "gallery"), "image", say("attach_photo")),
            option_row(Event("attach", "camera"), "camera", say("take_photo")),
            option_row(Event("pin"), "pin", say("unpin" if person.id in state.pinned else "pin")),
            option_row(
                Event("mute"), "notifications_off", say("unmute" if person.id in state.muted else "mute")
            ),
            option_row(Event("sheet", "delete"), "delete", say("delete_chat")),
        )
    elif state.sheet == "message":
        rows = (
            option_row(Event("copy"), "copy", say("copy")),
            option_row(Event("sheet", "forward"), "share", say("forward")),
            option_row(Event("delete_message"), "delete", say("delete_message")),
        )
    elif state.sheet == "forward":
        title = say("forward_to")
        rows = tuple(
            option_row(Event("forward", person.id), "person", person.name) for person in people().values()
        )
    else:
        return None
    body = w.Column(rows, padding=(0, 4, 0, 16))
    return w.Sheet(body, title=title, on_dismiss=Event("sheet"), id=f"{state.sheet}_sheet")


def _delete_dialog(person: Person, say: AppTexts) -> w.Dialog:
    return w.Dialog(
        title=say("delete_sure"),
        message=say("delete_why", name=person.name),
        buttons=(
            w.Button(label=say("cancel"), style="text", id="cancel", on_tap=Event("sheet")),
            w.Button(label=say("delete"), id="confirm_delete", on_tap=Event("delete_chat")),
        ),
        on_dismiss=Event("sheet"),
        id="delete_dialog",
    )
