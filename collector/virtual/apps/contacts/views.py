"""Screens of the contacts."""

from __future__ import annotations

from collector.virtual.apps.contacts.state import ContactsState, PhoneContact
from collector.virtual.ui import widgets as w
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event

_COLORS = ("#3D5F93", "#1E7B4A", "#8A4B9C", "#A4512F", "#2F7C8A", "#8A6A1E")

_FIELDS: tuple[tuple[str, w.FieldKind], ...] = (("name", "text"), ("phone", "number"), ("email", "email"))


def _avatar(contact: PhoneContact, size: float) -> w.Widget:
    color = _COLORS[sum(contact.name.encode()) % len(_COLORS)]
    return w.Avatar(initial=contact.name[:1].upper() or "?", color=color, size=size)


def list_screen(state: ContactsState, say: AppTexts, *, picked: str = "") -> w.Screen:
    """All people, or those that are searched; one is opened, or for another app one of ``contacts`` or
    ``phones`` is picked."""
    picking = bool(picked)
    shown = [contact for contact in state.shown() if contact.phone or picked != "phones"]
    search = w.TextField(
        text=state.query, hint=say("search"), style="filled", action="search", id="search_view",
        margin=(16, 8), on_change=Event("query"),
    )  # fmt: skip
    rows = tuple(
        w.ListItem(
            title=contact.name or say("no_name"),
            subtitle=contact.phone if picking else "",
            leading=_avatar(contact, 40),
            key=str(contact.id),
            id="contact",
            title_id="cliv_name_textview",
            on_tap=Event("pick", (picked, contact.id)) if picking else Event("open", contact.id),
        )
        for contact in shown
    )
    body: w.Widget = w.ScrollList(rows, padding=(0, 0, 0, 96), grow=1, id="list")
    if not rows:
        body = _nothing(say)
    return w.Screen(
        w.Column((search, body), grow=1),
        app_bar=w.AppBar(title=say("choose" if picking else "app"), navigation="back" if picking else "none"),
        floating=None
        if picking
        else w.FloatingButton(id="floating_action_button", description=say("add"), on_tap=Event("new")),
    )


def _nothing(say: AppTexts) -> w.Widget:
    text = w.Text(text=say("nothing"), size=16, color="text_2", align="center", id="message")
    return w.Column((text,), padding=(32, 96), grow=1)


def page_screen(state: ContactsState, say: AppTexts) -> w.Screen:
    """The page of a person."""
    contact = state.contact(state.opened)
    if contact is None:
        return w.Screen(_nothing(say), app_bar=w.AppBar(title=say("app"), navigation="back"))
    head = w.Column(
        (
            w.Row((_avatar(contact, 96),), arrange="center"),
            w.Text(text=contact.name or say("no_name"), size=26, align="center", id="large_title"),
        ),
        gap=16,
        padding=(24, 24),
        key="head",
    )
    facts = [
        _fact("call", contact.phone, say("phone"), "phone", Event("call")) if contact.phone else None,
        _fact("mail", contact.email, say("email"), "email", None) if contact.email else None,
    ]
    star = w.IconButton(
        icon="star", id="menu_star", filled=contact.starred, description=say("star"), on_tap=Event("star")
    )
    edit = w.IconButton(icon="edit", id="menu_edit", description=say("edit"), on_tap=Event("edit"))
    erase = w.IconButton(icon="delete", id="menu_delete", description=say("delete"), on_tap=Event("delete"))
    return w.Screen(
        w.ScrollList((head, *(fact for fact in facts if fact is not None)), grow=1, id="communication_card"),
        app_bar=w.AppBar(title="", navigation="back", actions=(star, edit, erase)),
    )


def _fact(icon: str, text: str, kind: str, name: str, tapped: Event | None) -> w.Widget:
    return w.ListItem(
        title=text, subtitle=kind, leading=w.Icon(name=icon, color="primary", class_name="-"), key=name,
        id=name, title_id="header", subtitle_id="sub_header", on_tap=tapped,
    )  # fmt: skip


def edit_screen(state: ContactsState, say: AppTexts) -> w.Screen:
    """The editor of a person."""
    draft = state.draft or PhoneContact(0, "")
    fields = tuple(
        w.TextField(
            text=getattr(draft, field), label=say(field), kind=kind, id=field, margin=(16, 8),
            action="done" if field == "email" else "next", on_change=Event("draft", field),
        )
        for field, kind in _FIELDS
    )  # fmt: skip
    save = w.Button(label=say("save"), style="text", id="editor_menu_save_button", on_tap=Event("save"))
    return w.Screen(
        w.ScrollList(fields, grow=1, padding=(0, 12), id="editor"),
        app_bar=w.AppBar(
            title=say("edit" if draft.id else "add"), navigation="close", on_navigation=Event("leave"),
            actions=(save,),
        ),
        on_back=Event("leave"),
    )  # fmt: skip
