"""Screens of the files app."""

from __future__ import annotations

from dataclasses import replace

from collector.virtual.apps.dates import short_date
from collector.virtual.apps.documents.state import FilesState
from collector.virtual.apps.empty import empty
from collector.virtual.apps.sizes import file_size
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.drawing.photos import photo
from collector.virtual.ui.events import Event
from collector.virtual.ui.shared_files import SHARED, SharedFile, is_type

_ICONS = {"image": "image", "audio": "music", "video": "video", "text": "note"}
_MOST = 300
"""Rows of a folder that are shown."""


def files_screen(state: FilesState, context: Context, say: AppTexts) -> w.Screen:
    """A folder whose files are opened, chosen, shared and deleted."""
    shown = state.listed(context.files)[:_MOST]
    rows = tuple(_row(file, state, context) for file in shown)
    inside = state.folder != SHARED or state.searching or bool(state.selected)
    return w.Screen(
        w.Column((_crumbs(state, say), _list(rows, say)), grow=1),
        app_bar=_selection_bar(state, shown, say) if state.selected else _bar(state, say, picking=False),
        dialog=_dialog(state, say),
        on_back=Event("up") if inside else None,
    )


def pick_screen(state: FilesState, context: Context, say: AppTexts) -> w.Screen:
    """A folder from which another app gets a file of the type that it asks for."""
    wanted = context.type or "*/*"
    rows = tuple(_choice(file, context, wanted) for file in state.listed(context.files)[:_MOST])
    inside = state.folder != SHARED or state.searching
    return w.Screen(
        w.Column((_crumbs(state, say), _list(rows, say)), grow=1),
        app_bar=_bar(state, say, picking=True),
        on_back=Event("up") if inside else None,
    )


def _list(rows: tuple[w.Widget, ...], say: AppTexts) -> w.Widget:
    if rows:
        return w.ScrollList(rows, grow=1, padding=(0, 0, 0, 32), id="dir_list", ordered=True)
    return empty("folder", say("nothing"), "", top=80)


def _bar(state: FilesState, say: AppTexts, *, picking: bool) -> w.AppBar:
    if state.searching:
        field = w.TextField(
            text=state.query, hint=say("search"), style="plain", action="search", focused=True,
            id="search_src_text", on_change=Event("query"),
        )  # fmt: skip
        return w.AppBar(navigation="back", on_navigation=Event("up"), middle=field)
    search = w.IconButton(
        icon="search", id="option_menu_search", description=say("search"), on_tap=Event("search")
    )
    make = w.IconButton(
        icon="plus",
        id="option_menu_create_dir",
        description=say("new_folder"),
        on_tap=Event("dialog", "folder"),
    )
    title = say("storage") if state.folder == SHARED else state.folder.rpartition("/")[2]
    return w.AppBar(
        title=say("choose") if picking and state.folder == SHARED else title,
        navigation="none" if state.folder == SHARED and not picking else "back",
        on_navigation=Event("up"),
        actions=(search,) if picking else (search, make),
    )


def _selection_bar(state: FilesState, shown: list[SharedFile], say: AppTexts) -> w.AppBar:
    chosen = [file for file in shown if file.path in state.selected]
    actions: list[w.Widget] = []
    if len(chosen) == 1 and not chosen[0].is_folder:
        sent = Event("share", (chosen[0].document_uri, chosen[0].type))
        actions.append(
            w.IconButton(icon="share", id="action_menu_share", description=say("share"), on_tap=sent)
        )
    actions.append(
        w.IconButton(
            icon="delete",
            id="action_menu_delete",
            description=say("delete"),
            on_tap=Event("dialog", "delete"),
        )
    )
    return w.AppBar(
        title=say("selected", count=len(state.selected)), navigation="close", on_navigation=Event("up"),
        actions=tuple(actions), background="container",
    )  # fmt: skip


def _crumbs(state: FilesState, say: AppTexts) -> w.Widget:
    """The folders above, each of which a touch opens."""
    path, parts = SHARED, [(SHARED, say("storage"))]
    for name in state.folder.removeprefix(SHARED).strip("/").split("/"):
        if name:
            path = f"{path}/{name}"
            parts.append((path, name))
    shown: list[w.Widget] = []
    for folder, name in parts:
        if shown:
            mark = w.Icon(name="chevron_right", size=16, color="text_2", class_name="-")
            shown.append(replace(mark, key=f"in {folder}"))
        last = folder == state.folder
        ink = "text" if last else "text_2"
        shown.append(
            w.Row(
                (w.Text(text=name, size=13, bold=last, color=ink, max_lines=1, id="breadcrumb_text"),),
                height=40, padding=(4, 0), key=folder, on_tap=Event("go", folder), class_name="-",
            )
        )  # fmt: skip
    return w.ScrollList(
        tuple(shown), horizontal=True, from_end=True, gap=2, height=40, padding=(16, 0), id="breadcrumb",
        ordered=True,
    )  # fmt: skip


def _leading(file: SharedFile, context: Context) -> w.Widget:
    if file.is_picture:
        return photo(context.storage, file, width=40, height=40, radius=8, id="icon_thumb", class_name="-")
    icon = "folder" if file.is_folder else _ICONS.get(file.type.partition("/")[0], "file")
    return w.Row(
        (w.Icon(name=icon, size=22, color="on_container", class_name="-"),),
        width=40, height=40, radius=20, background="container", arrange="center", class_name="-",
    )  # fmt: skip


def _about(file: SharedFile, context: Context) -> str:
    day = short_date(file.date.date(), context.locale)
    return day if file.is_folder else f"{day}, {file_size(file.size)}"


def _row(file: SharedFile, state: FilesState, context: Context) -> w.Widget:
    chosen = file.path in state.selected
    opened = Event("go", file.path) if file.is_folder else Event("open", (file.document_uri, file.type))
    leading = _leading(file, context)
    if chosen:
        leading = w.Row(
            (w.Icon(name="check", size=22, color="on_primary", class_name="-"),),
            width=40, height=40, radius=20, background="primary", arrange="center", class_name="-",
        )  # fmt: skip
    return w.ListItem(
        title=file.name, subtitle=_about(file, context), leading=leading, key=file.path, id="item_root",
        subtitle_id="date", selected=chosen, background="container@0.5" if chosen else None,
        on_tap=Event("select", file.path) if state.selected else opened,
        on_long_press=Event("select", file.path),
    )  # fmt: skip


def _choice(file: SharedFile, context: Context, wanted: str) -> w.Widget:
    fits = file.is_folder or is_type(file.type, wanted)
    event = Event("go", file.path) if file.is_folder else Event("pick", file.document_uri)
    return w.ListItem(
        title=file.name, subtitle=_about(file, context), leading=_leading(file, context), key=file.path,
        id="item_root", subtitle_id="date", enabled=fits, on_tap=event if fits else None,
    )  # fmt: skip


def _dialog(state: FilesState, say: AppTexts) -> w.Dialog | None:
    cancel = w.Button(label=say("cancel"), style="text", id="cancel", on_tap=Event("dialog"))
    if state.dialog == "folder":
        field = w.TextField(
            text=state.name, label=say("folder_name"), focused=True, id="text1", on_change=Event("name"),
            on_submit=Event("make"),
        )  # fmt: skip
        make = w.Button(
            label=say("make"), style="text", id="make", enabled=bool(state.name.strip()), on_tap=Event("make")
        )
        return w.Dialog(
            title=say("new_folder"), body=w.Column((field,), padding=(0, 8, 0, 0)),
            buttons=(cancel, make), on_dismiss=Event("dialog"), id="folder_dialog",
        )  # fmt: skip
    if state.dialog == "delete" and state.selected:
        names = ", ".join(path.rpartition("/")[2] for path in state.selected[:3])
        rest = len(state.selected) - 3
        erase = w.Button(label=say("delete"), style="text", id="confirm_delete", on_tap=Event("delete"))
        return w.Dialog(
            title=say("delete_sure"), message=f"{names} +{rest}" if rest > 0 else names,
            buttons=(cancel, erase), on_dismiss=Event("dialog"), id="delete_dialog",
        )  # fmt: skip
    return None
