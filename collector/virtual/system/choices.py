"""Which app gets what another one sends: the person chooses, where several take it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.ui.app import Activity, App
from collector.virtual.ui.effects import (
    ACTION_CHOOSER,
    ACTION_SEND,
    EXTRA_INTENT,
    Component,
    Intent,
)
from collector.virtual.ui.shared_files import SharedStorage, file_at

RESOLVER = "com.android.intentresolver"
TARGETS = "targets"
"""Extra of the chooser: the components among which the person chooses, each as a text."""
_CHOOSER, _RESOLVER = (Component(RESOLVER, f"{RESOLVER}.{name}Activity") for name in ("Chooser", "Resolver"))
_CONTACT_TYPES = {
    "contacts": ("vnd.android.cursor.dir/contact", "vnd.android.cursor.item/contact"),
    "data/phones": ("vnd.android.cursor.dir/phone_v2", "vnd.android.cursor.item/phone_v2"),
    "people": ("vnd.android.cursor.dir/person", "vnd.android.cursor.item/person"),
}
"""By path in the contacts provider: the type of the list, and of an entry."""


def type_of(intent: Intent, storage: SharedStorage) -> str:
    """The MIME type of an intent: its own, or what the provider of its address says; empty for none."""
    if intent.type:
        return intent.type
    scheme, _colon, rest = intent.data.partition("://")
    if scheme != "content":
        return ""
    authority, _slash, path = rest.partition("/")
    if authority in ("com.android.contacts", "contacts"):
        words = path.strip("/").split("/")
        kinds = [kinds for start, kinds in _CONTACT_TYPES.items() if path.startswith(start)]
        return kinds[0][words[-1].isdecimal()] if kinds else ""
    file = file_at(storage.files(), intent.data)
    return file.type if file is not None else ""


def chooser_of(
    intent: Intent,
    candidates: Callable[[Intent], list[tuple[App[Any], Activity]]],
    state: SystemState,
) -> Intent | None:
    """The intent that lets the person choose who gets this one; None where nobody is asked."""
    if RESOLVER not in state.apps or intent.component is not None:
        return None
    sent, chooser = intent, _RESOLVER
    if intent.action == ACTION_CHOOSER:
        given = intent.extras.get(EXTRA_INTENT)
        sent, chooser = given if isinstance(given, Intent) else Intent(), _CHOOSER
    elif intent.action != ACTION_SEND:
        return None
    takers = [app.component(activity) for app, activity in candidates(sent) if sent.action]
    if chooser is _RESOLVER and len(takers) < 2:
        return None
    extras = {EXTRA_INTENT: sent, TARGETS: tuple(map(str, takers))}
    return replace(intent, component=chooser, extras=extras)
