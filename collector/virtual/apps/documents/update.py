"""Event handlers of the files app."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast
from urllib.parse import unquote

from collector.virtual.apps.documents.state import FilesState
from collector.virtual.apps.handlers import Handlers
from collector.virtual.ui.app import INTENT_DATA, STARTED
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.effects import (
    ACTION_SEND,
    ACTION_VIEW,
    EXTRA_STREAM,
    Change,
    Finish,
    Focus,
    Intent,
    MakeFolder,
    RemoveFile,
    SetResult,
    ShowSnackbar,
    StartActivity,
    share,
)
from collector.virtual.ui.events import Event
from collector.virtual.ui.shared_files import SHARED

PACKAGE = "com.android.documentsui"
FILES, PICK = f"{PACKAGE}.files.FilesActivity", f"{PACKAGE}.picker.PickActivity"
UpdateResult = FilesState | Change[FilesState]
_handlers: Handlers[FilesState] = Handlers()
_on, update = _handlers.on, _handlers.update


def _say(state: FilesState, word: str, /, **values: object) -> ShowSnackbar:
    return ShowSnackbar(texts_of("files", state.locale)(word, **values))


@_on(STARTED)
def _started(state: FilesState, event: Event) -> UpdateResult:
    """Begin at the top, or in the folder of the intent's address."""
    extras = event.value if isinstance(event.value, Mapping) else {}
    _scheme, marker, inner = unquote(str(extras.get(INTENT_DATA, ""))).partition("primary:")
    folder = f"{SHARED}/{inner}".rstrip("/") if marker else SHARED if event.key == PICK else state.folder
    return FilesState(state.locale, folder)


@_on("go")
def _go(state: FilesState, event: Event) -> UpdateResult:
    return FilesState(state.locale, str(event.key))


@_on("up")
def _up(state: FilesState, event: Event) -> UpdateResult:
    """What BACK does: end the selection or the search, else go to the folder above."""
    if state.selected or state.searching:
        return Change(replace(state, selected=(), searching=False, query=""), (Focus(),))
    if state.folder == SHARED:
        return Change(state, (Finish(),))
    return FilesState(state.locale, state.folder.rpartition("/")[0])


@_on("open")
def _open(state: FilesState, event: Event) -> UpdateResult:
    uri, kind = cast("tuple[str, str]", event.key)
    intent = Intent(ACTION_VIEW, data=uri, type=kind)
    return Change(state, (Focus(), StartActivity(intent, on_missing=Event("no_app"))))


@_on("no_app")
def _no_app(state: FilesState, event: Event) -> UpdateResult:
    return Change(state, (_say(state, "no_app"),))


@_on("pick")
def _pick(state: FilesState, event: Event) -> UpdateResult:
    return Change(replace(state, searching=False, query=""), (SetResult(str(event.key)), Focus(), Finish()))


@_on("select")
def _select(state: FilesState, event: Event) -> UpdateResult:
    path = str(event.key)
    others = tuple(chosen for chosen in state.selected if chosen != path)
    return replace(state, selected=others if path in state.selected else (*state.selected, path))


@_on("search")
def _search(state: FilesState, event: Event) -> UpdateResult:
    return Change(replace(state, searching=True, query=""), (Focus("search_src_text"),))


@_on("query")
def _query(state: FilesState, event: Event) -> UpdateResult:
    return replace(state, query=str(event.value or ""))


@_on("dialog")
def _dialog(state: FilesState, event: Event) -> UpdateResult:
    asked = Focus("text1" if event.key == "folder" else "")
    return Change(replace(state, dialog=str(event.key or ""), name=""), (asked,))


@_on("name")
def _name(state: FilesState, event: Event) -> UpdateResult:
    return replace(state, name=str(event.value or ""))


@_on("make")
def _make(state: FilesState, event: Event) -> UpdateResult:
    name = state.name.strip().replace("/", "_")
    if name in ("", ".", ".."):
        return state
    made = MakeFolder(f"{state.folder}/{name}")
    return Change(replace(state, dialog="", name=""), (made, Focus()))


@_on("delete")
def _delete(state: FilesState, event: Event) -> UpdateResult:
    gone = tuple(map(RemoveFile, state.selected))
    told = _say(state, "deleted", count=len(gone))
    return Change(replace(state, selected=(), dialog=""), (*gone, told))


@_on("share")
def _share(state: FilesState, event: Event) -> UpdateResult:
    uri, kind = cast("tuple[str, str]", event.key)
    sent = share(Intent(ACTION_SEND, type=kind, extras={EXTRA_STREAM: uri}))
    return Change(replace(state, selected=()), (sent,))
