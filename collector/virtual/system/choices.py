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

_RESOLVERS = {
    "com.android.intentresolver": "com.android.intentresolver",
    "android": "com.android.internal.app",
}
"""By package of the share sheet: that of its activities."""
TARGETS = "targets"
"""Extra of the chooser: the components among which the person chooses, each as a text."""
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
    package = next((package for package in _RESOLVERS if package in state.apps), "")
    if not package or intent.component is not None:
        return None
    sent, kind = intent, "Resolver"
    if intent.action == ACTION_CHOOSER:
        given = intent.extras.get(EXTRA_INTENT)
        sent, kind = given if isinstance(given, Intent) else Intent(), "Chooser"
    elif intent.action != ACTION_SEND:
        return None
    takers = [app.component(activity) for app, activity in candidates(sent) if sent.action]
    if kind == "Resolver" and len(takers) < 2:
        return None
    extras = {EXTRA_INTENT: sent, TARGETS: tuple(map(str, takers))}
    chooser = Component(package, f"{_RESOLVERS[package]}.{kind}Activity")
    return replace(intent, component=chooser, extras=extras)
