"""The page: one HTML file that shows aligned trajectories offline, in any browser.

Its data stand in a block of JSON that no text can leave, and its script writes texts as texts alone. A
content security policy allows exactly this style, this script and pictures of the page; nothing is loaded.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path

from collector.model.resources import asset
from collector.sharing.export_progress import ExportProgress
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
_FIELD = re.compile(r"\{\{(\w+)\}\}")
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
    values = {**page_values(review, steps, progress), "trees": steps.trees.packed}
    style, script = _style(), _script()
    taken = len(json_for_script(values).encode("utf-8", "replace")) + len(style) + len(script)
    room = (_LARGEST - taken) * 3 // 4  # base64 makes four bytes of three
    values["pictures"] = [picture_values(picture) for picture in steps.pictures.encoded(room, progress)]
    fields = {
        "language": html.escape(values["language"]),
        "title": html.escape(values["title"]),
        "policy": _policy(style, script),
        "style": style,
        "icons": _icons(),
        "data": json_for_script(values),
        "script": script,
    }
    template = _asset("page.html").read_text(encoding="utf-8")
    page = _FIELD.sub(lambda field: fields[field[1]], template)
    return page.encode("utf-8", "replace")


def _policy(style: str, script: str) -> str:
    """The content security policy: nothing but this style, this script, and pictures of the page."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash(style)}'",
            f"script-src '{_hash(script)}'",
            "img-src data: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}"


def _style() -> str:
    colors = json.loads(asset("style", "tokens.json").read_text(encoding="utf-8"))
    dark, light = (_variables(colors["color"][theme]) for theme in ("dark", "light"))
    overlay = _variables({f"o-{name}": value for name, value in colors["overlay"].items() if name != "_"})
    rules = (
        f":root{{{overlay}}}",
        f":root,:root[data-theme=dark]{{color-scheme:dark;{dark}}}",
        f"@media (prefers-color-scheme:light){{:root:not([data-theme=dark]){{color-scheme:light;{light}}}}}",
        f":root[data-theme=light]{{color-scheme:light;{light}}}",
    )
    return "\n".join((*rules, _asset("page.css").read_text(encoding="utf-8")))


def _variables(colors: dict[str, str]) -> str:
    return "".join(f"--{name.replace('_', '-')}:{value};" for name, value in colors.items())


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
