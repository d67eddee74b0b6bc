"""Event handlers of the messenger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import cast
from urllib.parse import parse_qsl, unquote

from collector.virtual.apps.handlers import Handlers, words_of
from collector.virtual.apps.messenger.state import (
    ChatMessage,
    MessengerState,
    answer_of,
    chat_with,
    person_of,
)
from collector.virtual.ui.app import INTENT_DATA, STARTED
from collector.virtual.ui.effects import (
    ACTION_IMAGE_CAPTURE,
    ACTION_PICK,
    EXTRA_STREAM,
    EXTRA_TEXT,
    ActivityResult,
    Change,
    Component,
    CopyText,
    Finish,
    Focus,
    Intent,
    Later,
    Notify,
    RequestPermission,
    ShowSnackbar,
    ShowToast,
    StartActivity,
)
from collector.virtual.ui.events import Event
from collector.virtual.ui.extras import string

PACKAGE = "com.waymark.messenger"
POST_NOTIFICATIONS, READ_CONTACTS = PERMISSIONS = (
    "android.permission.POST_NOTIFICATIONS",
    "android.permission.READ_CONTACTS",
)
"""Requested at start and before contacts are shown."""
SMS_SCHEMES = ("sms", "smsto", "mms", "mmsto")
PEOPLE_TAB = 1
THINKING = 2.0
"""Seconds until a contact starts to type, and again until the answer comes."""
UpdateResult = MessengerState | Change[MessengerState]
_handlers: Handlers[MessengerState] = Handlers()
_on, update = _handlers.on, _handlers.update
_say = partial(words_of, "messenger")


def _chat_intent() -> Intent:
    return Intent(component=Component(PACKAGE, PACKAGE + ".ChatActivity"))


def _append(state: MessengerState, person: str, message: ChatMessage) -> MessengerState:
    chats = {**state.chats, person: (*state.chats.get(person, ()), message)}
    order = (person, *(chat for chat in state.order if chat != person))
    return replace(state, chats=chats, order=order)


@_on(STARTED)
def _started(state: MessengerState, event: Event) -> UpdateResult:
    extras = event.value if isinstance(event.value, Mapping) else {}
    if event.key == ".ChatActivity":
        return _addressed(state, str(extras.get(INTENT_DATA, "")), extras)
    if event.key == ".ShareActivity":
        text, picture = (string(extras, key, "") for key in (EXTRA_TEXT, EXTRA_STREAM))
        return replace(state, shared=text, shared_picture=picture, query="")
    requests = (RequestPermission(POST_NOTIFICATIONS),) if event.key == ".MainActivity" else ()
    return Change(state, requests)


def _addressed(state: MessengerState, uri: str, extras: Mapping[str, object]) -> UpdateResult:
    """Open the chat of an address such as ``smsto:+123?body=Hello``, with its text as the draft."""
    scheme, _, rest = uri.partition(":")
    if scheme.lower() not in SMS_SCHEMES:
        return state
    number, _, query = rest.partition("?")
    chat = chat_with(unquote(number).strip("/").partition(",")[0].strip())
    if not chat:
        main = Intent(component=Component(PACKAGE, PACKAGE + ".MainActivity"))
        return Change(replace(state, open="", tab=PEOPLE_TAB), (Finish(), StartActivity(main)))
    text = string(extras, "sms_body", string(extras, EXTRA_TEXT, ""))
    body = dict(parse_qsl(query)).get("body", text)
    drafts = {**state.drafts, chat: body} if body else state.drafts
    unread = {person: count for person, count in state.unread.items() if person != chat}
    return replace(state, open=chat, drafts=drafts, unread=unread, sheet="")


@_on("share_to")
def _share_to(state: MessengerState, event: Event) -> UpdateResult:
    """Write what is shared to a contact, a text as a draft, and open the chat in place of the contacts."""
    person = str(event.key)
    drafts = {**state.drafts, person: state.shared} if state.shared else state.drafts
    shown = replace(state, open=person, drafts=drafts, shared="", shared_picture="", sheet="")
    answer: tuple[Later, ...] = ()
    if state.shared_picture:
        shown, answer = _with_picture(shown, state.shared_picture)
    return Change(shown, (Finish(), StartActivity(_chat_intent()), *answer))


def _with_picture(state: MessengerState, picture: str) -> tuple[MessengerState, tuple[Later, ...]]:
    """The open chat with a picture that was sent to it, and the contact's answer."""
    message = ChatMessage(True, _say(state, "photo"), picture=picture)
    return _append(state, state.open, message), (Later(THINKING, Event("typing", state.open)),)


@_on("attach")
def _attach(state: MessengerState, event: Event) -> UpdateResult:
    """Ask the gallery or the camera for a picture: ``key`` says which."""
    asked = Intent(ACTION_IMAGE_CAPTURE) if event.key == "camera" else Intent(ACTION_PICK, type="image/*")
    return Change(replace(state, sheet=""), (StartActivity(asked, on_result=Event("attached")),))


@_on("attached")
def _attached(state: MessengerState, event: Event) -> UpdateResult:
    result = event.value
    if not isinstance(result, ActivityResult) or not (result.ok and result.data and state.open):
        return state
    return Change(*_with_picture(state, result.data))


@_on("tab")
def _tab(state: MessengerState, event: Event) -> UpdateResult:
    shown = replace(state, tab=cast(int, event.key), query="")
    if shown.tab == PEOPLE_TAB:
        return Change(shown, (RequestPermission(READ_CONTACTS),))
    return shown


@_on("query")
def _query(state: MessengerState, event: Event) -> UpdateResult:
    return replace(state, query=str(event.value or ""))


@_on("open")
def _open(state: MessengerState, event: Event) -> UpdateResult:
    person = str(event.key)
    unread = {chat: count for chat, count in state.unread.items() if chat != person}
    return Change(replace(state, open=person, unread=unread, sheet=""), (StartActivity(_chat_intent()),))


@_on("draft")
def _draft(state: MessengerState, event: Event) -> UpdateResult:
    return replace(state, drafts={**state.drafts, state.open: str(event.value)})


@_on("send")
def _send(state: MessengerState, event: Event) -> UpdateResult:
    person = state.open
    text = state.drafts.get(person, "").strip()
    if not text:
        return state
    drafts = {chat: draft for chat, draft in state.drafts.items() if chat != person}
    sent = replace(_append(state, person, ChatMessage(True, text, str(event.key or ""))), drafts=drafts)
    return Change(sent, (Later(THINKING, Event("typing", person)),))


@_on("typing")
def _typing(state: MessengerState, event: Event) -> UpdateResult:
    return Change(replace(state, typing=str(event.key)), (Later(THINKING, Event("answer", event.key)),))


@_on("answer")
def _answer(state: MessengerState, event: Event) -> UpdateResult:
    person = str(event.key)
    text = answer_of(state, person)
    answered = {**state.answered, person: state.answered.get(person, 0) + 1}
    received = replace(_append(state, person, ChatMessage(False, text)), typing="", answered=answered)
    if state.open == person:
        return received
    received = replace(received, unread={**state.unread, person: state.unread.get(person, 0) + 1})
    if person in state.muted:
        return received
    return Change(received, (Notify(person_of(person).name, text, _chat_intent()),))


@_on("leave")
def _leave(state: MessengerState, event: Event) -> UpdateResult:
    return Change(replace(state, open="", sheet=""), (Finish(),))


@_on("sheet")
def _sheet(state: MessengerState, event: Event) -> UpdateResult:
    return replace(state, sheet=str(event.key or ""))


@_on("message")
def _message(state: MessengerState, event: Event) -> UpdateResult:
    return replace(state, sheet="message", message=cast(int, event.key))


@_on("pin")
def _pin(state: MessengerState, event: Event) -> UpdateResult:
    person = state.open
    rest = tuple(chat for chat in state.pinned if chat != person)
    return replace(state, pinned=rest if person in state.pinned else (*state.pinned, person), sheet="")


@_on("mute")
def _mute(state: MessengerState, event: Event) -> UpdateResult:
    person = state.open
    was = person in state.muted
    rest = tuple(chat for chat in state.muted if chat != person)
    fresh = replace(state, muted=rest if was else (*state.muted, person), sheet="")
    return Change(fresh, (ShowToast(_say(state, "unmuted" if was else "muted")),))


@_on("delete_chat")
def _delete_chat(state: MessengerState, event: Event) -> UpdateResult:
    person = state.open
    fresh = replace(
        state,
        chats={chat: messages for chat, messages in state.chats.items() if chat != person},
        order=tuple(chat for chat in state.order if chat != person),
        pinned=tuple(chat for chat in state.pinned if chat != person),
        open="",
        sheet="",
    )
    place = state.order.index(person) if person in state.order else 0
    gone = (person, state.chats.get(person, ()), place, person in state.pinned)
    note = ShowSnackbar(_say(state, "deleted"), _say(state, "undo"), Event("bring_back", gone))
    return Change(fresh, (Finish(), note))


@_on("bring_back")
def _bring_back(state: MessengerState, event: Event) -> UpdateResult:
    """Take the deletion of a chat back: ``key`` is its contact, messages, place and whether it was pinned."""
    person, messages, place, pinned = cast("tuple[str, tuple[ChatMessage, ...], int, bool]", event.key)
    others = tuple(chat for chat in state.order if chat != person)
    return replace(
        state,
        chats={**state.chats, person: (*messages, *state.chats.get(person, ()))},
        order=(*others[:place], person, *others[place:]),
        pinned=(*state.pinned, person) if pinned else state.pinned,
    )


@_on("copy")
def _copy(state: MessengerState, event: Event) -> UpdateResult:
    text = state.chats[state.open][state.message].text
    return Change(replace(state, sheet=""), (CopyText(text), ShowToast(_say(state, "copied"))))


@_on("delete_message")
def _delete_message(state: MessengerState, event: Event) -> UpdateResult:
    messages = state.chats[state.open]
    left = (*messages[: state.message], *messages[state.message + 1 :])
    return replace(state, chats={**state.chats, state.open: left}, sheet="", message=-1)


@_on("forward")
def _forward(state: MessengerState, event: Event) -> UpdateResult:
    person = str(event.key)
    text = state.chats[state.open][state.message].text
    sent = replace(_append(state, person, ChatMessage(True, text)), sheet="")
    return Change(sent, (ShowSnackbar(_say(state, "forwarded", name=person_of(person).name)), Focus()))
