"""The contacts: the list with its search, the page of a person, and the editor."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, cast

from collector.virtual.apps.contacts.state import ContactsState, PhoneContact, fresh
from collector.virtual.apps.contacts.views import edit_screen, list_screen, page_screen
from collector.virtual.apps.handlers import Handlers, page_of, words_of
from collector.virtual.apps.system_app import SystemApp
from collector.virtual.ui.app import INTENT_DATA, STARTED, Activity, AppIcon, Context, InnerPage
from collector.virtual.ui.contact_rows import data_id
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.effects import (
    ACTION_GET_CONTENT,
    ACTION_PICK,
    ACTION_VIEW,
    Change,
    Finish,
    Focus,
    Intent,
    SetResult,
    ShowSnackbar,
    StartActivity,
)
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import CALENDAR
from collector.virtual.ui.widgets import Screen

PACKAGE = "com.android.contacts"
_LIST, _PICK, _EDIT, _PAGE = (
    ".activities.PeopleActivity", ".activities.ContactSelectionActivity", ".activities.ContactEditorActivity",
    ".quickcontact.QuickContactActivity",
)  # fmt: skip
_ACTION = "android.intent.action."
_PEOPLE = (
    "vnd.android.cursor.dir/contact",
    "vnd.android.cursor.dir/raw_contact",
    "vnd.android.cursor.dir/person",
)
_PHONES = ("vnd.android.cursor.dir/phone_v2", "vnd.android.cursor.dir/phone")
_PROVIDER = "content://com.android.contacts"
_PERSON = "vnd.android.cursor.item/contact"
UpdateResult = ContactsState | Change[ContactsState]
_handlers: Handlers[ContactsState] = Handlers()
_on = _handlers.on
_page = partial(page_of, PACKAGE)
_say = partial(words_of, "contacts")


class ContactsApp(SystemApp[ContactsState]):
    """People with their numbers."""

    name = "contacts"
    package = PACKAGE
    icon = AppIcon("person", "#2F6B9A")
    theme = CALENDAR
    activities = (
        Activity(_LIST, launcher=True, actions=("com.android.contacts.action.LIST_DEFAULT",)),
        Activity(_PICK, actions=(ACTION_PICK, ACTION_GET_CONTENT), types=(*_PEOPLE, *_PHONES)),
        Activity(_EDIT, actions=(f"{_ACTION}INSERT", f"{_ACTION}INSERT_OR_EDIT"), types=(*_PEOPLE, _PERSON)),
        Activity(_PAGE, actions=(ACTION_VIEW,), types=(_PERSON,)),
    )
    pages = {"person": InnerPage(_PAGE, {"opened": 1})}  # noqa: RUF012 - never changed
    state_type = ContactsState
    permissions = ("android.permission.READ_CONTACTS", "android.permission.WRITE_CONTACTS")

    def initial(self, seed: int, locale: str) -> ContactsState:
        return fresh(locale)

    def view(self, state: ContactsState, context: Context) -> Screen:
        say = texts_of(self.name, context.locale)
        if context.activity == _EDIT:
            return edit_screen(state, say)
        if context.activity == _PAGE:
            return page_screen(state, say)
        if context.activity == _PICK:
            kind = "phones" if context.type in _PHONES or "/data/phones" in context.data else "contacts"
            return list_screen(state, say, picked=kind)
        return list_screen(state, say)

    def update(self, state: ContactsState, event: Event) -> UpdateResult:
        return _handlers.update(state, event)


@_on(STARTED)
def _started(state: ContactsState, event: Event) -> UpdateResult:
    """``INSERT`` of another app brings what the editor begins with, ``VIEW`` the address of a person."""
    given = cast("dict[str, Any]", event.value or {})
    number = str(given.get(INTENT_DATA, "")).rpartition("/")[2]
    if event.key == _PAGE and number.isdecimal():
        return replace(state, opened=int(number))
    if event.key != _EDIT or (state.draft is not None and not given):
        return replace(state, query="") if event.key in (_LIST, _PICK) else state
    name, phone, email = (str(given.get(key, "")) for key in ("name", "phone", "email"))
    return replace(state, draft=PhoneContact(0, name, phone, email))


@_on("query")
def _query(state: ContactsState, event: Event) -> UpdateResult:
    return replace(state, query=str(event.value or ""))


@_on("open")
def _open(state: ContactsState, event: Event) -> UpdateResult:
    return Change(replace(state, opened=cast("int", event.key)), (_page(_PAGE),))


@_on("pick")
def _picked(state: ContactsState, event: Event) -> UpdateResult:
    """Give a person, or the number of one, to the app that asked: ``key`` is which, and the id."""
    kind, number = cast("tuple[str, int]", event.key)
    person = f"contacts/lookup/{number}r{number}/{number}"
    path = f"data/{data_id(number, 'phone')}" if kind == "phones" else person
    contact = state.contact(number)
    extras: dict[str, object] = {"name": contact.name, "phone": contact.phone} if contact is not None else {}
    picked = SetResult(f"{_PROVIDER}/{path}", extras)
    return Change(replace(state, opened=number, query=""), (picked, Focus(), Finish()))


@_on("new")
def _new(state: ContactsState, event: Event) -> UpdateResult:
    return Change(replace(state, draft=PhoneContact(0, "")), (_page(_EDIT),))


@_on("edit")
def _edit(state: ContactsState, event: Event) -> UpdateResult:
    return Change(replace(state, draft=state.contact(state.opened)), (_page(_EDIT),))


@_on("draft")
def _draft(state: ContactsState, event: Event) -> UpdateResult:
    """Change a field of the draft: ``key`` is its name."""
    if state.draft is None:
        return state
    changed: dict[str, Any] = {str(event.key): str(event.value or "")}
    return replace(state, draft=replace(state.draft, **changed))


@_on("save")
def _save(state: ContactsState, event: Event) -> UpdateResult:
    draft = state.draft
    if draft is None or not draft.name.strip():
        return state
    saved = replace(draft, id=draft.id or state.next_id, name=draft.name.strip())
    others = tuple(contact for contact in state.contacts if contact.id != saved.id)
    told = ShowSnackbar(_say(state, "saved", name=saved.name))
    return Change(
        replace(state, contacts=(*others, saved), draft=None, opened=saved.id), (Focus(), Finish(), told)
    )


@_on("leave")
def _leave(state: ContactsState, event: Event) -> UpdateResult:
    return Change(replace(state, draft=None), (Focus(), Finish()))


@_on("star")
def _star(state: ContactsState, event: Event) -> UpdateResult:
    contacts = tuple(
        replace(contact, starred=not contact.starred) if contact.id == state.opened else contact
        for contact in state.contacts
    )
    return replace(state, contacts=contacts)


@_on("delete")
def _delete(state: ContactsState, event: Event) -> UpdateResult:
    left = tuple(contact for contact in state.contacts if contact.id != state.opened)
    told = ShowSnackbar(_say(state, "deleted"))
    return Change(replace(state, contacts=left, opened=0), (Finish(), told))


@_on("call")
def _call(state: ContactsState, event: Event) -> UpdateResult:
    contact = state.contact(state.opened)
    if contact is None or not contact.phone:
        return state
    return Change(state, (StartActivity(Intent(f"{_ACTION}CALL", data=f"tel:{contact.phone}")),))
