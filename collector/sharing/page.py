"""The page: one HTML file that shows aligned trajectories offline, in any browser.

Its data stand in a block of JSON that no text can leave, and its script writes texts as texts alone. A
content security policy allows exactly this style, this script and pictures of the page; nothing is loaded.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

from collector.model.resources import asset
from collector.sharing.export_progress import ExportProgress
from collector.sharing.page_frame import content_policy, filled_page, theme_style
from collector.sharing.page_json import json_for_script
from collector.sharing.page_pictures import picture_values
from collector.sharing.page_step_values import PageSteps
from collector.sharing.page_values import page_values
from collector.sharing.shared_review import SharedReview

_FOLDER = "review_page"
_LARGEST = 3_800_000
"""Bytes that a page should not exceed; that of a long trajectory does, because its pictures stay readable."""
_SCRIPTS = (
    "data.js", "dom.js", "session.js", "stage.js", "columns.js", "axis.js", "timeline.js", "filter.js",
    "tree.js", "differences.js", "trace.js", "panel.js", "keys.js", "start.js",
)  # fmt: skip
"""In the order in which they are joined: each may use the ones before it."""
_SIZE = re.compile(r'\s(?:xmlns|width|height)="[^"]*"')
_ICONS = (
    "tap", "hand", "type", "keyb", "enter", "back", "home", "recents", "phone", "clock", "done", "x", "swipe",
    "swipe-down", "swipe-left", "swipe-right", "fit", "flag", "thought", "zap", "camera", "states", "note",
    "play", "pause", "skipn", "skipp", "chevl", "chevr", "chevd", "search", "diff", "split", "blink", "heat",
    "moon", "help", "tree", "layers", "undo", "check", "user", "cpu", "rules", "lock", "redact", "vol",
    "power", "stop", "rotate", "ext", "code",
    "state-ok", "state-warn", "state-err", "state-info", "state-unc", "state-todo", "state-near",
    "state-fire", "state-never",
)  # fmt: skip


def page_of(review: SharedReview, progress: ExportProgress | None = None) -> bytes:
    """The whole file in UTF-8. Raises ExportCancelled."""
    progress = progress or ExportProgress()
    steps = PageSteps(review)
    values = {**page_values(review, steps, progress.part(0, 2)), "trees": steps.trees.packed}
    style, script = _style(), _script()
    taken = len(json_for_script(values).encode("utf-8", "replace")) + len(style) + len(script)
    room = (_LARGEST - taken) * 3 // 4  # base64 makes four bytes of three
    encoded = steps.pictures.encoded(room, progress.part(1, 2))
    values["pictures"] = [picture_values(picture) for picture in encoded]
    fields = {
        "language": html.escape(values["language"]),
        "title": html.escape(values["title"]),
        "policy": content_policy(style, script),
        "style": style,
        "icons": _icons(),
        "data": json_for_script(values),
        "script": script,
    }
    return filled_page(_asset("page.html"), fields)


def _style() -> str:
    return f"{theme_style()}\n{_asset('page.css').read_text(encoding='utf-8')}"


def _script() -> str:
    parts = "\n".join(_asset(name).read_text(encoding="utf-8") for name in _SCRIPTS)
    return f'(() => {{\n"use strict";\n{parts}\n}})();'


def _icons() -> str:
    """The icons as symbols of one drawing."""
    return "".join(map(_symbol, _ICONS))


def _symbol(name: str) -> str:
    head, _end, drawing = asset("icons", f"{name}.svg").read_text(encoding="utf-8").strip().partition(">")
    attributes = _SIZE.sub("", head.removeprefix("<svg"))
    return f'<symbol id="i-{name}"{attributes}>{drawing.removesuffix("</svg>")}</symbol>'


def _asset(name: str) -> Path:
    return asset(_FOLDER, name)
