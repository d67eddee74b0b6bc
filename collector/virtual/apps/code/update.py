"""Event handlers of the code editor."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import cast

from collector.virtual.apps.code.history import made_again, taken_back, with_edit, without_history
from collector.virtual.apps.code.state import CodeFile, CodeState, base, found_in, joined, parent, within
from collector.virtual.apps.handlers import Handlers, page_of, words_of
from collector.virtual.ui.effects import (
    Change,
    Effect,
    Finish,
    Focus,
    ScrollTo,
    ShowSnackbar,
)
from collector.virtual.ui.events import Event

PACKAGE = "com.waymark.code"
UpdateResult = CodeState | Change[CodeState]
_handlers: Handlers[CodeState] = Handlers()
_on, update = _handlers.on, _handlers.update
_say = partial(words_of, "code")
_EDITOR = page_of(PACKAGE, ".EditorActivity")
_TO_TOP = (ScrollTo("code_scroll", end=False), ScrollTo("code_lines", end=False))


# ---- the tree --------------------------------------------------------------------------------


@_on("folder")
def _folder(state: CodeState, event: Event) -> UpdateResult:
    """Open or close a folder of the tree."""
    path = str(event.key)
    others = tuple(other for other in state.open_folders if other != path)
    return replace(state, open_folders=others if path in state.open_folders else (*others, path))


@_on("open")
def _open(state: CodeState, event: Event) -> UpdateResult:
    """Show a file in a tab."""
    path = str(event.key)
    if state.saved_text(path) is None:
        return replace(state, sheet="")
    tabs = state.tabs if path in state.tabs else (*state.tabs, path)
    shown = replace(state, tabs=tabs, active=path, sheet="", match=0)
    return Change(shown, (Focus(), _EDITOR, *(() if path == state.active else _TO_TOP)))


@_on("sheet")
def _sheet(state: CodeState, event: Event) -> UpdateResult:
    """Open a sheet or dialog: ``key`` is its name, or its name and the path it is about."""
    sheet, target = event.key if isinstance(event.key, tuple) else (event.key, state.target)
    name = base(str(target)) if sheet == "rename" else ""
    opened = replace(state, sheet=str(sheet or ""), target=str(target), name=name, error="")
    return Change(opened, (Focus("name"),)) if sheet in ("rename", "new_file", "new_folder") else opened


@_on("name")
def _name(state: CodeState, event: Event) -> UpdateResult:
    return replace(state, name=str(event.value or ""), error="")


def _name_error(state: CodeState, path: str) -> str:
    """What is wrong with the typed name; empty when it may be used for ``path``."""
    name = state.name.strip()
    if not name:
        return "needs_name"
    if "/" in name or name in (".", ".."):
        return "bad_name"
    return "name_taken" if state.exists(path) else ""


@_on("create")
def _create(state: CodeState, event: Event) -> UpdateResult:
    """Create the named file or folder in the folder that the dialog is about."""
    path = joined(state.target, state.name.strip())
    error = _name_error(state, path)
    if error:
        return replace(state, error=error)
    folders = (
        tuple(dict.fromkeys((*state.open_folders, state.target))) if state.target else state.open_folders
    )
    made = replace(state, open_folders=folders, sheet="", name="", error="")
    if state.sheet == "new_folder":
        return Change(replace(made, folders=(*state.folders, path)), (Focus(),))
    made = replace(made, files=(*state.files, CodeFile(path)), tabs=(*state.tabs, path), active=path)
    return Change(made, (Focus(), _EDITOR, *_TO_TOP))


@_on("rename")
def _rename(state: CodeState, event: Event) -> UpdateResult:
    old = state.target
    new = joined(parent(old), state.name.strip())
    if new == old:
        return Change(replace(state, sheet="", name="", error=""), (Focus(),))
    error = _name_error(state, new)
    if error:
        return replace(state, error=error)

    def moved(path: str) -> str:
        return new + path[len(old) :] if within(path, old) else path

    renamed = replace(
        state,
        files=tuple(replace(file, path=moved(file.path)) for file in state.files),
        folders=tuple(map(moved, state.folders)),
        open_folders=tuple(map(moved, state.open_folders)),
        tabs=tuple(map(moved, state.tabs)),
        active=moved(state.active),
        edits={moved(path): text for path, text in state.edits.items()},
        done={moved(path): known for path, known in state.done.items()},
        undone={moved(path): known for path, known in state.undone.items()},
        sheet="",
        name="",
        error="",
    )
    return Change(renamed, (Focus(),))


@_on("delete")
def _delete(state: CodeState, event: Event) -> UpdateResult:
    """Delete the file or folder that the sheet is about; a folder with files asks first."""
    path = state.target
    files = tuple(file for file in state.files if within(file.path, path))
    if path in state.folders and files and state.sheet != "delete":
        return replace(state, sheet="delete")
    folders = tuple(folder for folder in state.folders if within(folder, path))
    gone = {file.path for file in files}
    left = replace(
        state,
        files=tuple(file for file in state.files if file not in files),
        folders=tuple(folder for folder in state.folders if folder not in folders),
        edits={name: text for name, text in state.edits.items() if name not in gone},
        deleted_files=files,
        deleted_folders=folders,
        sheet="",
    )
    note = ShowSnackbar(_say(state, "deleted", name=base(path)), _say(state, "undo"), Event("undelete"))
    return Change(_without_tabs(without_history(left, gone), gone), (Focus(), note))


@_on("undelete")
def _undelete(state: CodeState, event: Event) -> UpdateResult:
    """Bring back what was deleted last, except where something else has its name now."""
    files = tuple(file for file in state.deleted_files if not state.exists(file.path))
    folders = tuple(folder for folder in state.deleted_folders if not state.exists(folder))
    return replace(
        state,
        files=(*state.files, *files),
        folders=(*state.folders, *folders),
        deleted_files=(),
        deleted_folders=(),
    )


# ---- tabs ------------------------------------------------------------------------------------


def _without_tabs(state: CodeState, paths: set[str]) -> CodeState:
    """Close tabs; the one beside the active tab comes to the front when that is closed."""
    tabs = tuple(path for path in state.tabs if path not in paths)
    active = state.active
    if active not in tabs:
        place = state.tabs.index(active) if active in state.tabs else 0
        active = tabs[min(place, len(tabs) - 1)] if tabs else ""
    return replace(state, tabs=tabs, active=active, match=0)


@_on("tab")
def _tab(state: CodeState, event: Event) -> UpdateResult:
    return Change(replace(state, active=str(event.key), match=0), (Focus(), *_TO_TOP))


@_on("close_tab")
def _close_tab(state: CodeState, event: Event) -> UpdateResult:
    """Close a tab, after a question when its text is not saved."""
    path = str(event.key or state.target)
    if path in state.edits:
        return replace(state, sheet="close", target=path)
    return Change(_without_tabs(replace(state, sheet=""), {path}), (Focus(), *_TO_TOP))


@_on("close_others")
def _close_others(state: CodeState, event: Event) -> UpdateResult:
    """Close the other tabs whose text is saved."""
    others = {path for path in state.tabs if path != state.active and path not in state.edits}
    return _without_tabs(replace(state, sheet=""), others)


@_on("save_and_close")
def _save_and_close(state: CodeState, event: Event) -> UpdateResult:
    return Change(_without_tabs(replace(_saved(state, {state.target}), sheet=""), {state.target}), (Focus(),))


@_on("discard_and_close")
def _discard_and_close(state: CodeState, event: Event) -> UpdateResult:
    kept = {path: text for path, text in state.edits.items() if path != state.target}
    left = without_history(replace(state, edits=kept, sheet=""), {state.target})
    return Change(_without_tabs(left, {state.target}), (Focus(),))


@_on("leave")
def _leave(state: CodeState, event: Event) -> UpdateResult:
    """BACK closes the search first, then the editor; the tabs stay."""
    if state.finding:
        return Change(replace(state, finding=False, replacing=False), (Focus(),))
    return Change(state, (Finish(),))


# ---- editing -----------------------------------------------------------------------------------


def _edited(state: CodeState, path: str, text: str) -> CodeState:
    """The state after a change of a text, which can be taken back."""
    return _with_text(with_edit(state, path, state.text(path), text), path, text)


def _with_text(state: CodeState, path: str, text: str) -> CodeState:
    """The state with another text of a file; one that equals the saved one is not an unsaved change."""
    edits = {other: changed for other, changed in state.edits.items() if other != path}
    if text != state.saved_text(path):
        edits[path] = text
    return replace(state, edits=edits)


def _saved(state: CodeState, paths: set[str]) -> CodeState:
    files = tuple(
        replace(file, text=state.edits[file.path])
        if file.path in paths and file.path in state.edits
        else file
        for file in state.files
    )
    return replace(
        state, files=files, edits={path: text for path, text in state.edits.items() if path not in paths}
    )


@_on("type")
def _type(state: CodeState, event: Event) -> UpdateResult:
    return _edited(state, state.active, str(event.value or "")) if state.active else state


@_on("undo")
def _undo(state: CodeState, event: Event) -> UpdateResult:
    """Take the last change of the active file back."""
    back, text = taken_back(state, state.active, state.text(state.active))
    return _with_text(back, state.active, text) if back is not state else state


@_on("redo")
def _redo(state: CodeState, event: Event) -> UpdateResult:
    """Make the change again that was taken back last."""
    again, text = made_again(state, state.active, state.text(state.active))
    return _with_text(again, state.active, text) if again is not state else state


@_on("save")
def _save(state: CodeState, event: Event) -> UpdateResult:
    if state.active not in state.edits:
        return replace(state, sheet="")
    note = ShowSnackbar(_say(state, "saved", name=base(state.active)))
    return Change(replace(_saved(state, {state.active}), sheet=""), (note,))


@_on("save_all")
def _save_all(state: CodeState, event: Event) -> UpdateResult:
    saved = replace(_saved(state, set(state.edits)), sheet="")
    return Change(saved, (ShowSnackbar(_say(state, "saved_all")),))


@_on("revert")
def _revert(state: CodeState, event: Event) -> UpdateResult:
    """Show the saved text of the active file again."""
    path, text = state.active, state.text(state.active)
    reverted = replace(_edited(state, path, state.saved_text(path) or ""), sheet="")
    note = ShowSnackbar(_say(state, "reverted"), _say(state, "undo"), Event("restore", (path, text)))
    return Change(reverted, (note,))


@_on("restore")
def _restore(state: CodeState, event: Event) -> UpdateResult:
    """Put a text back: ``key`` is the path and the text."""
    path, text = cast("tuple[str, str]", event.key)
    return state if state.saved_text(path) is None else _edited(state, path, text)


# ---- find and replace --------------------------------------------------------------------------


def _to_match(state: CodeState) -> tuple[Effect, ...]:
    """Scroll to the chosen match."""
    matches = state.matches
    if not matches:
        return ()
    text = state.text(state.active)
    start = matches[state.match % len(matches)][0]
    lines = text.split("\n")
    number = text.count("\n", 0, start)
    column = start - (text.rfind("\n", 0, start) + 1)
    longest = max(1, *(len(line) for line in lines))
    return (
        ScrollTo("code_scroll", share=max(0, number - 3) / len(lines), of="line_numbers"),
        ScrollTo("code_lines", share=max(0, column - 20) / longest),
    )


@_on("find")
def _find(state: CodeState, event: Event) -> UpdateResult:
    """Open the search; with the key ``replace`` also the replacement."""
    opened = replace(state, finding=True, replacing=event.key == "replace", sheet="", match=0)
    return Change(opened, (Focus("find_text"), *_to_match(opened)))


@_on("close_find")
def _close_find(state: CodeState, event: Event) -> UpdateResult:
    return Change(replace(state, finding=False, replacing=False), (Focus(),))


@_on("find_text")
def _find_text(state: CodeState, event: Event) -> UpdateResult:
    searched = replace(state, find=str(event.value or ""), match=0)
    return Change(searched, _to_match(searched))


@_on("match_case")
def _match_case(state: CodeState, event: Event) -> UpdateResult:
    searched = replace(state, match_case=not state.match_case, match=0)
    return Change(searched, _to_match(searched))


@_on("next")
def _next(state: CodeState, event: Event) -> UpdateResult:
    """Choose the next match, or the previous one with the key -1."""
    count = len(state.matches)
    if not count:
        return state
    moved = replace(state, match=(state.match + (-1 if event.key == -1 else 1)) % count)
    return Change(moved, _to_match(moved))


@_on("replacement")
def _replacement(state: CodeState, event: Event) -> UpdateResult:
    return replace(state, replacement=str(event.value or ""))


@_on("replace_one")
def _replace_one(state: CodeState, event: Event) -> UpdateResult:
    """Replace the chosen match and choose the one after it."""
    matches = state.matches
    if not matches:
        return state
    start, end = matches[state.match % len(matches)]
    text = state.text(state.active)
    changed = _edited(state, state.active, text[:start] + state.replacement + text[end:])
    after = start + len(state.replacement)
    later = [i for i, (begin, _end) in enumerate(changed.matches) if begin >= after]
    changed = replace(changed, match=later[0] if later else 0)
    return Change(changed, _to_match(changed))


@_on("replace_all")
def _replace_all(state: CodeState, event: Event) -> UpdateResult:
    path, text = state.active, state.text(state.active)
    places = found_in(text, state.find, state.match_case) if state.finding else ()
    if not places:
        return state
    parts, end = [], 0
    for start, stop in places:
        parts += [text[end:start], state.replacement]
        end = stop
    note = ShowSnackbar(
        _say(state, "replaced", count=len(places)), _say(state, "undo"), Event("restore", (path, text))
    )
    return Change(replace(_edited(state, path, "".join((*parts, text[end:]))), match=0), (note,))
