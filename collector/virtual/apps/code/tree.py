"""The files: a tree of folders and files, and its sheets and dialogs."""

from __future__ import annotations

from collector.virtual.apps.code.state import CodeState, TreeRow, base, within
from collector.virtual.apps.empty import empty
from collector.virtual.apps.rows import option_row
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event

_INDENT = 18.0


def files_screen(state: CodeState, context: Context, say: AppTexts) -> w.Screen:
    """All files; a tap opens one in the editor."""
    del context
    new_folder = w.IconButton(
        icon="folder",
        id="new_folder",
        description=say("new_folder"),
        on_tap=Event("sheet", ("new_folder", "")),
    )
    return w.Screen(
        w.Column((tree(state, say),), grow=1),
        app_bar=w.AppBar(title=say("app"), actions=(new_folder,)),
        floating=w.FloatingButton(
            id="new_file", description=say("new_file"), on_tap=Event("sheet", ("new_file", ""))
        ),
        sheet=item_sheet(state, say),
        dialog=tree_dialog(state, say),
    )


def tree(state: CodeState, say: AppTexts) -> w.Widget:
    """The rows of the files and folders that are shown."""
    rows = tuple(_row(row, state, say) for row in state.rows())
    if not rows:
        return empty("file", say("empty"), say("empty_2"))
    return w.ScrollList(rows, padding=(0, 4, 0, 96), grow=1, ordered=True, id="files")


def _row(row: TreeRow, state: CodeState, say: AppTexts) -> w.Widget:
    name = base(row.path)
    is_open = row.path in state.open_folders
    unsaved = row.path in state.edits
    if row.is_folder:
        about = say("folder_open" if is_open else "folder", name=name)
        mark: w.Widget = w.Icon(
            name="chevron_down" if is_open else "chevron_right", size=18, color="text_2", class_name="-"
        )
        picture = w.Icon(name="folder", size=20, color="primary", class_name="-")
    else:
        about = say("file_unsaved" if unsaved else "file", name=name)
        mark = w.Spacer(width=18)
        picture = w.Icon(name="file", size=20, color="text_2", class_name="-")
    parts: list[w.Widget] = [
        mark,
        picture,
        w.Text(text=name, size=15, max_lines=1, grow=1, id="file_name"),
    ]
    if unsaved:
        parts.append(w.Spacer(width=8, height=8, radius=4, background="primary"))
    parts.append(
        w.IconButton(
            icon="more",
            color="text_2",
            id="file_more",
            description=say("more_of", name=name),
            width=44,
            height=44,
            on_tap=Event("sheet", ("item", row.path)),
        )
    )
    shown = row.path == state.active and not row.is_folder
    return w.Row(
        tuple(parts),
        gap=10,
        height=46,
        padding=(12 + row.depth * _INDENT, 0, 4, 0),
        background="container@0.45" if shown else None,
        selected=shown,
        key=row.path,
        id="folder" if row.is_folder else "file",
        description=about,
        on_tap=Event("folder" if row.is_folder else "open", row.path),
        on_long_press=Event("sheet", ("item", row.path)),
    )


# ---- sheets and dialogs ------------------------------------------------------------------------


def item_sheet(state: CodeState, say: AppTexts) -> w.Sheet | None:
    """What can be done with a file or folder of the tree."""
    if state.sheet != "item":
        return None
    path = state.target
    rows: tuple[w.Widget, ...]
    if path in state.folders:
        rows = (
            option_row(Event("sheet", ("new_file", path)), "file", say("new_file")),
            option_row(Event("sheet", ("new_folder", path)), "folder", say("new_folder")),
        )
    else:
        rows = (option_row(Event("open", path), "code", say("open")),)
    rows = (
        *rows,
        option_row(Event("sheet", ("rename", path)), "edit", say("rename")),
        option_row(Event("delete"), "delete", say("delete")),
    )
    body = w.Column(rows, padding=(0, 0, 0, 16))
    return w.Sheet(body, title=base(path), on_dismiss=Event("sheet"), id="item_sheet")


def tree_dialog(state: CodeState, say: AppTexts) -> w.Dialog | None:
    """The open dialog about a name or a deletion."""
    name, folder = base(state.target), state.target
    match state.sheet:
        case "new_file":
            title = say("new_file_in", folder=folder) if folder else say("new_file")
            return _name_dialog(state, title, say("create"), Event("create"), say)
        case "new_folder":
            title = say("new_folder_in", folder=folder) if folder else say("new_folder")
            return _name_dialog(state, title, say("create"), Event("create"), say)
        case "rename":
            return _name_dialog(state, say("rename"), say("rename"), Event("rename"), say)
        case "delete":
            count = sum(within(file.path, state.target) for file in state.files)
            return w.Dialog(
                title=say("delete_folder", name=name),
                message=say("delete_folder_why", count=count),
                buttons=(
                    w.Button(label=say("cancel"), style="text", id="cancel", on_tap=Event("sheet")),
                    w.Button(label=say("delete"), id="confirm_delete", on_tap=Event("delete")),
                ),
                on_dismiss=Event("sheet"),
                id="delete_dialog",
            )
    return None


def _name_dialog(state: CodeState, title: str, label: str, event: Event, say: AppTexts) -> w.Dialog:
    field = w.TextField(
        text=state.name,
        label=say("name"),
        on_change=Event("name"),
        on_submit=event,
        id="name",
        focused=True,
    )
    parts: list[w.Widget] = [w.Spacer(height=4), field]
    if state.error:
        parts.append(w.Text(text=say(state.error), size=13, color="error", id="error"))
    return w.Dialog(
        title=title,
        body=w.Column(tuple(parts), gap=6),
        buttons=(
            w.Button(label=say("cancel"), style="text", id="cancel", on_tap=Event("sheet")),
            w.Button(label=label, id="confirm_name", on_tap=event),
        ),
        on_dismiss=Event("sheet"),
        id="name_dialog",
    )
