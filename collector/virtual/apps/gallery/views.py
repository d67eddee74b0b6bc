"""Screens of the gallery."""

from __future__ import annotations

from itertools import groupby

from collector.virtual.apps.dates import date_with_year
from collector.virtual.apps.empty import empty
from collector.virtual.apps.sizes import file_size
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.drawing.photos import photo
from collector.virtual.ui.events import Event
from collector.virtual.ui.shared_files import SharedFile, file_at

_MOST = 300
"""Pictures that are shown, the newest ones."""
_GAP = 3.0
_SIDE = 120.0
"""The least width of a picture in dp."""


def _pictures(context: Context) -> list[SharedFile]:
    shown = (file for file in context.files if file.is_picture and "/Android/" not in file.path)
    return sorted(shown, key=lambda file: (file.modified, file.id), reverse=True)[:_MOST]


def grid_screen(context: Context, say: AppTexts, *, picking: bool) -> w.Screen:
    """All pictures, the newest first; one is opened, or picked for another app."""
    columns = max(3, int(context.width // _SIDE))
    side = (context.width - _GAP * (columns - 1)) / columns
    rows: list[w.Widget] = []
    for day, files in groupby(_pictures(context), key=lambda file: file.date.date()):
        title = date_with_year(day, context.locale)
        rows.append(
            w.Text(text=title, size=14, color="text_2", padding=(16, 12, 16, 8), key=str(day), id="date")
        )
        tiles = [_tile(file, context, say, side, picking=picking) for file in files]
        for start in range(0, len(tiles), columns):
            line = tuple(tiles[start : start + columns])
            rows.append(w.Row(line, gap=_GAP, margin=(0, 0, 0, _GAP), key=f"{day}-{start}", class_name="-"))
    body: w.Widget = w.ScrollList(tuple(rows), padding=(0, 0, 0, 32), grow=1, id="photos", ordered=True)
    if not rows:
        body = empty("image", say("nothing"), say("nothing_2"))
    bar = w.AppBar(title=say("choose" if picking else "app"), navigation="close" if picking else "none")
    return w.Screen(w.Column((body,), grow=1), app_bar=bar)


def _tile(file: SharedFile, context: Context, say: AppTexts, side: float, *, picking: bool) -> w.Widget:
    event = Event("pick", file.media_uri) if picking else Event("open", (file.media_uri, file.type))
    taken = say("taken", date=date_with_year(file.date.date(), context.locale), time=f"{file.date:%H:%M}")
    return photo(
        context.storage, file, width=side, height=side, key=str(file.id), id="thumbnail",
        description=taken, on_tap=event,
    )  # fmt: skip


def photo_screen(sheet: str, context: Context, say: AppTexts) -> w.Screen:
    """The picture of the intent, with what can be done with it."""
    file = file_at(context.files, context.data)
    if file is None or not file.is_picture:
        gone = empty("image", say("gone"), say("gone_2"))
        return w.Screen(gone, app_bar=w.AppBar(title=say("app"), navigation="back"))
    image = photo(
        context.storage, file, whole=True, width=w.FILL, height=w.FILL, grow=1, id="photo",
        description=file.name,
    )  # fmt: skip
    keys = w.Row(
        (
            _key("share", say("share"), Event("share", (file.media_uri, file.type))),
            _key("info", say("details"), Event("sheet", "details")),
            _key("delete", say("delete"), Event("sheet", "delete")),
        ),
        arrange="between", padding=(16, 4, 16, 20), background="surface_container",
    )  # fmt: skip
    day = date_with_year(file.date.date(), context.locale)
    return w.Screen(
        w.Column((image, keys), grow=1),
        app_bar=w.AppBar(title=day, subtitle=f"{file.date:%H:%M}", navigation="back"),
        dialog=_delete_dialog(file, say) if sheet == "delete" else None,
        sheet=_details(file, f"{day}, {file.date:%H:%M}", say) if sheet == "details" else None,
    )


def _key(icon: str, label: str, event: Event) -> w.Widget:
    mark = w.Icon(name=icon, size=22, class_name="-")
    words = w.Text(text=label, size=12, align="center", max_lines=1, class_name="-")
    return w.Column(
        (mark, words), gap=2, align="center", width=96, padding=(4, 8), radius=16, id=f"action_{icon}",
        class_name="android.widget.Button", description=label, on_tap=event,
    )  # fmt: skip


def _details(file: SharedFile, when: str, say: AppTexts) -> w.Sheet:
    facts = (("name", file.name), ("date", when), ("size", file_size(file.size)), ("path", file.path))
    rows = tuple(
        w.Column(
            (
                w.Text(text=say(word), size=12, color="text_2", id=f"{word}_title"),
                w.Text(text=value, size=15, id=word),
            ),
            padding=(24, 6),
            key=word,
        )
        for word, value in facts
    )
    return w.Sheet(w.Column(rows), title=say("details"), on_dismiss=Event("sheet"), id="details_sheet")


def _delete_dialog(file: SharedFile, say: AppTexts) -> w.Dialog:
    return w.Dialog(
        title=say("delete_sure"),
        message=file.name,
        buttons=(
            w.Button(label=say("cancel"), style="text", id="cancel", on_tap=Event("sheet")),
            w.Button(
                label=say("delete"), style="text", id="confirm_delete", on_tap=Event("delete", file.path)
            ),
        ),
        on_dismiss=Event("sheet"),
        id="delete_dialog",
    )
