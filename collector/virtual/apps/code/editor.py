"""The editor: tabs, find and replace, and the text with line numbers and colours."""

from __future__ import annotations

import unicodedata

from collector.virtual.apps.code.state import CodeState, base
from collector.virtual.apps.code.syntax import colored, language_of
from collector.virtual.apps.code.tree import item_sheet, tree, tree_dialog
from collector.virtual.apps.empty import empty
from collector.virtual.apps.rows import option_row
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event

_SIZE = 13.0
_LINE = _SIZE * 1.35
_LETTER = _SIZE * 0.61
"""Height of a line and width of a letter in dp."""
_TREE = 240.0


def editor_screen(state: CodeState, context: Context, say: AppTexts) -> w.Screen:
    """The active file; beside the tree where the screen is wide."""
    unsaved = state.active in state.edits
    title = base(state.active) or say("app")
    actions: tuple[w.Widget, ...] = ()
    if state.active:
        actions = (
            *(_steps(state, say) if context.landscape else ()),
            w.IconButton(icon="search", id="find", description=say("find"), on_tap=Event("find")),
            w.IconButton(
                icon="save", id="save", description=say("save"), enabled=unsaved, on_tap=Event("save")
            ),
            w.IconButton(
                icon="more",
                id="more",
                description=say("more"),
                on_tap=Event("sheet", ("menu", state.active)),
                width=40,
            ),
        )
    editor = w.Column(_editor(state, context, say), grow=1, class_name="-")
    content: w.Widget = editor
    if context.landscape and not state.finding:
        side = w.Column((tree(state, say),), width=_TREE, background="surface_container", id="side")
        content = w.Row((side, editor), align="stretch", grow=1)
    return w.Screen(
        w.Column((content,), grow=1),
        app_bar=w.AppBar(
            title=title,
            subtitle=state.active if "/" in state.active else "",
            # A screen that is wide and low has its tabs in the bar.
            middle=_tabs(state, say) if context.landscape and state.tabs else None,
            navigation="back",
            on_navigation=Event("leave"),
            actions=actions,
        ),
        sheet=_menu(state, say) or item_sheet(state, say),
        dialog=_close_dialog(state, say) or tree_dialog(state, say),
        on_back=Event("leave"),
    )


def _editor(state: CodeState, context: Context, say: AppTexts) -> tuple[w.Widget, ...]:
    if not state.active:
        return (empty("code", say("no_tab"), say("no_tab_2"), top=60),)
    parts: list[w.Widget] = [] if context.landscape else [_tabs(state, say)]
    if state.finding:
        parts.append(_find_panel(state, context, say))
    parts += [w.Divider(), _text(state, context, say)]
    return tuple(parts) if context.landscape else (*parts, _status(state, say))


# ---- tabs ------------------------------------------------------------------------------------


def _tabs(state: CodeState, say: AppTexts) -> w.Widget:
    return w.ScrollList(
        tuple(_tab(path, state, say) for path in state.tabs),
        horizontal=True,
        height=44,
        id="tabs",
        class_name="android.widget.HorizontalScrollView",
    )


def _tab(path: str, state: CodeState, say: AppTexts) -> w.Widget:
    name, active, unsaved = base(path), path == state.active, path in state.edits
    ink = "primary" if active else "text_2"
    parts: list[w.Widget] = []
    if unsaved:
        parts.append(w.Spacer(width=7, height=7, radius=3.5, background="primary"))
    parts.append(w.Text(text=name, size=13, color=ink, max_lines=1, class_name="-"))
    parts.append(
        w.Row(
            (w.Icon(name="close", size=14, color="text_2", class_name="-"),),
            width=32,
            height=40,
            arrange="center",
            id="close_tab",
            description=say("close_tab", name=name),
            on_tap=Event("close_tab", path),
            class_name="android.widget.ImageButton",
        )
    )
    label = w.Row(tuple(parts), gap=6, padding=(14, 0, 2, 0), height=41, class_name="-")
    line = w.Spacer(height=3, background="primary" if active else None)
    return w.Column(
        (label, line),
        height=44,
        key=path,
        id="tab",
        selected=active,
        description=say("file_unsaved" if unsaved else "file", name=name),
        on_tap=Event("tab", path),
        class_name="android.widget.TextView",
    )


# ---- find and replace --------------------------------------------------------------------------


def _find_panel(state: CodeState, context: Context, say: AppTexts) -> w.Widget:
    count = len(state.matches)
    result = say("found", number=state.match % count + 1, count=count) if count else say("not_found")
    field = w.TextField(
        text=state.find,
        hint=say("find"),
        style="filled",
        action="next",
        on_change=Event("find_text"),
        on_submit=Event("next"),
        id="find_text",
        size=14,
        height=40,
        grow=1,
    )
    note = w.Text(
        text=result if state.find else "",
        size=12,
        color="text_2" if count else "error",
        max_lines=1,
        id="find_result",
    )
    buttons = (
        _match_case(state, say),
        _small("chevron_up", "previous", Event("next", -1), say, enabled=count > 0),
        _small("chevron_down", "next", Event("next"), say, enabled=count > 0),
        _small("close", "close_find", Event("close_find"), say),
    )
    first = w.Row((field, note, *buttons), gap=4, padding=(10, 4, 4, 4), id="find_panel")
    if not state.replacing:
        return w.Column((first,), background="surface_container", class_name="-")
    second = _replace_row(state, say, enabled=count > 0)
    if context.landscape:
        # Both beside each other: a wide screen is low.
        rows: w.Widget = w.Row((w.Column((first,), grow=1), w.Column((second,), grow=1)), id="find_row")
        return w.Column((rows,), background="surface_container", class_name="-")
    return w.Column((first, second), background="surface_container", class_name="-")


def _match_case(state: CodeState, say: AppTexts) -> w.Widget:
    return w.Row(
        (w.Text(text="Aa", size=14, color="on_container" if state.match_case else "text_2", class_name="-"),),
        width=38,
        height=36,
        radius=8,
        arrange="center",
        background="container" if state.match_case else None,
        selected=state.match_case,
        id="match_case",
        description=say("match_case"),
        on_tap=Event("match_case"),
        class_name="android.widget.CompoundButton",
    )


def _replace_row(state: CodeState, say: AppTexts, *, enabled: bool) -> w.Widget:
    return w.Row(
        (
            w.TextField(
                text=state.replacement,
                hint=say("replace_with"),
                style="filled",
                on_change=Event("replacement"),
                on_submit=Event("replace_one"),
                id="replacement",
                size=14,
                height=40,
                grow=1,
            ),
            w.Button(
                label=say("replace"),
                style="text",
                height=40,
                id="replace_one",
                enabled=enabled,
                on_tap=Event("replace_one"),
            ),
            w.Button(
                label=say("replace_all"),
                style="text",
                height=40,
                id="replace_all",
                enabled=enabled,
                on_tap=Event("replace_all"),
            ),
        ),
        gap=2,
        padding=(10, 0, 4, 6),
        id="replace_panel",
    )


def _small(icon: str, name: str, event: Event, say: AppTexts, *, enabled: bool = True) -> w.Widget:
    return w.IconButton(
        icon=icon, id=name, description=say(name), width=36, height=40, enabled=enabled, on_tap=event
    )


# ---- the text ----------------------------------------------------------------------------------


def _text(state: CodeState, context: Context, say: AppTexts) -> w.Widget:
    """The text with its line numbers; it scrolls in both directions."""
    text = state.text(state.active)
    lines = text.split("\n")
    scale = context.font_scale
    gutter = 14 + len(str(len(lines))) * _LETTER * scale
    numbers = w.Text(
        text="\n".join(str(number) for number in range(1, len(lines) + 1)),
        size=_SIZE,
        color="text_2@0.7",
        mono=True,
        align="end",
        width=gutter,
        padding=(0, 10, 0, 10),
        mirrors=False,
        id="line_numbers",
    )
    room = context.width - gutter - 10 - (_TREE if context.landscape and not state.finding else 0)
    longest = max(map(_columns, lines))
    matches = state.matches
    first = state.match % len(matches) if matches else 0
    field = w.TextField(
        text=text,
        kind="multiline",
        style="plain",
        size=_SIZE,
        mono=True,
        wrap=False,
        spans=colored(text, language_of(state.active), context.dark),
        marks=(*matches[first : first + 1], *matches[:first], *matches[first + 1 :]),
        on_change=Event("type"),
        id="code",
        description=say("text"),
        width=max(room, longest * _LETTER * scale + 48),
        height=max(context.height - 180, len(lines) * _LINE * scale + 32),
    )
    scroller = w.ScrollList(
        (field,),
        horizontal=True,
        grow=1,
        id="code_lines",
        mirrors=False,
        class_name="android.widget.HorizontalScrollView",
    )
    # Programs are read from the left also on a phone that is mirrored.
    row = w.Row((numbers, w.Spacer(width=10), scroller), align="start", class_name="-", mirrors=False)
    return w.Scroll(child=row, grow=1, id="code_scroll")


def _columns(line: str) -> int:
    """The width of a line in letters: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


def _status(state: CodeState, say: AppTexts) -> w.Widget:
    text = state.text(state.active)
    parts: list[w.Widget] = [
        w.Text(text=language_of(state.active), size=12, color="text_2", id="language"),
        w.Text(text=say("lines", count=text.count("\n") + 1), size=12, color="text_2", id="line_count"),
    ]
    if state.active in state.edits:
        parts.append(w.Text(text=say("not_saved"), size=12, color="primary", max_lines=1, id="unsaved"))
    steps = w.Row(_steps(state, say), class_name="-")
    return w.Row(
        (*parts, w.Spacer(grow=1), steps),
        gap=14,
        padding=(16, 0, 8, 22),
        background="surface_container",
        id="editor_status",
    )


def _steps(state: CodeState, say: AppTexts) -> tuple[w.Widget, ...]:
    """The buttons that take a change back, and make it again."""
    return (
        _small("undo", "undo", Event("undo"), say, enabled=bool(state.done.get(state.active))),
        _small("redo", "redo", Event("redo"), say, enabled=bool(state.undone.get(state.active))),
    )


# ---- menu and dialog -----------------------------------------------------------------------------


def _menu(state: CodeState, say: AppTexts) -> w.Sheet | None:
    if state.sheet != "menu":
        return None
    rows = [
        option_row(Event("find"), "search", say("find")),
        option_row(Event("find", "replace"), "edit", say("replace")),
    ]
    if state.edits:
        rows.append(option_row(Event("save_all"), "save", say("save_all")))
    if state.active in state.edits:
        rows.append(option_row(Event("revert"), "refresh", say("revert")))
    rows += [
        option_row(Event("sheet", ("rename", state.active)), "note", say("rename")),
        option_row(Event("delete"), "delete", say("delete")),
        option_row(Event("close_tab", state.active), "close", say("close")),
    ]
    if len(state.tabs) > 1:
        rows.append(option_row(Event("close_others"), "close", say("close_others")))
    body = w.Column(tuple(rows), padding=(0, 0, 0, 16))
    return w.Sheet(body, title=base(state.active), on_dismiss=Event("sheet"), id="menu_sheet")


def _close_dialog(state: CodeState, say: AppTexts) -> w.Dialog | None:
    if state.sheet != "close":
        return None
    return w.Dialog(
        title=say("unsaved", name=base(state.target)),
        message=say("unsaved_why"),
        buttons=(
            w.Button(label=say("save"), id="save_and_close", on_tap=Event("save_and_close")),
            w.Button(
                label=say("discard"), style="tonal", id="discard_and_close", on_tap=Event("discard_and_close")
            ),
            w.Button(label=say("cancel"), style="text", id="cancel", on_tap=Event("sheet")),
        ),
        stacked=True,
        on_dismiss=Event("sheet"),
        id="close_dialog",
    )
