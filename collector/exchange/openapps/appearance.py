"""How OpenApps' apps look, as the appearance of ours: only what is another than OpenApps' default.

The phone's own look stands for that default. Of the many colours of a page only those that have a role on
the phone are carried over; the others stay unread, and the report names them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from collector.exchange.openapps.read_keys import ReadKeys

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:px|rem|em|pt)?")
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")
_NAMED = {"white": "#FFFFFF", "black": "#000000", "red": "#FF0000", "green": "#008000", "blue": "#0000FF",
          "gray": "#808080", "grey": "#808080", "yellow": "#FFFF00", "orange": "#FFA500"}  # fmt: skip
COLOURS: dict[str, dict[str, str]] = {
    "todo": {
        "add_button_color": "primary", "edit_remove_save_button_font_color": "on_primary",
        "form_background_color": "surface surface_container", "font_color": "text",
        "remove_button_color": "error",
    },
    "calendar": {
        "style.colors.primary": "primary", "style.colors.secondary": "container",
        "style.colors.background": "surface surface_container", "style.colors.text": "text",
        "style.colors.error": "error", "style.colors.border": "outline",
    },
    "messenger": {
        "chat_fontcolor": "text", "fontcolor": "text_2", "chat_primary_bubble_color": "container",
        "chat_display_background_color": "surface surface_container",
    },
    "maps": {
        "search_button_color": "primary", "delete_button_color": "error",
        "sidebar_background_color": "surface",
    },
    "code_editor": {
        "primary_button_color": "primary", "secondary_button_color": "container",
        "danger_button_color": "error", "textarea_background_color": "surface_container",
        "main_background_color": "surface", "fontcolor": "text",
    },
    "onlineshop": {
        "button_background_color": "primary", "button_font_color": "on_primary", "font_color": "text",
        "background_color": "surface surface_container",
    },
    "start_page": {"background_color": "surface", "font_color": "text", "heading_color": "text_2"},
}  # fmt: skip
"""By OpenApps' app: the paths of its colours -> the roles that each has on the phone."""
_LEGIBLE = 0.3
"""The least difference of lightness between a text and what is behind it."""
_ACCENTS = ("primary", "on_primary", "container", "error")
"""Roles that a dark theme keeps the colours of; it has its own surfaces and texts."""
_FONTS = ("font_family", "font", "chat_font", "style.typography.font_family")
_SIZES = ("base_font_size", "font_size", "chat_font_size", "style.typography.base_font_size")
_SPACING = "style.layout.spacing"
_TILES = "app_background_colors"
"""Of the start page, a colour for each app; the phone's tiles all have the same."""
_LAYER, _DARK_LAYER = "default_layer", "CartoDB Dark"
_EDITOR_THEME = "theme"
_DARK_EDITORS = ("monokai", "seti", "night", "dracula", "twilight", "zenburn", "material")


def appearance_of(app: str, keys: ReadKeys) -> dict[str, Any]:
    """The appearance of an app; empty for the usual one."""
    look: dict[str, Any] = {}
    for path in _FONTS:
        font = keys.changed(path)
        if isinstance(font, str) and font:
            look.update(_font(font))
    for path in _SIZES:
        _put_ratio(look, "text_scale", keys, path, 0.5, 2.5)
    _put_ratio(look, "spacing", keys, _SPACING, 0.3, 2.0)
    is_dark_map = app == "maps" and keys.changed(_LAYER) == _DARK_LAYER
    if is_dark_map or (app == "code_editor" and keys.changed(_EDITOR_THEME) in _DARK_EDITORS):
        look["theme"] = "dark"
    colours: dict[str, str] = {}
    for path, roles in COLOURS.get(app, {}).items():
        is_kept = "theme" not in look or roles in _ACCENTS
        if colour := _changed_colour(keys, path, is_kept=is_kept):
            colours |= dict.fromkeys(roles.split(), colour)
    tiles = keys.changed(_TILES)
    if isinstance(tiles, list):
        colour = _colour(tiles[0]) if len(set(map(str, tiles))) == 1 else ""
        if colour and abs(_lightness(colour) - _lightness(colours.get("text", "#000000"))) > _LEGIBLE:
            colours["surface_container"] = colour
        else:
            keys.lose(_TILES, tiles)
    if "surface" in colours and "text" in colours:  # the phone's own second colour may not be legible there
        colours.setdefault("text_2", colours["text"])
    if colours:
        look["colours"] = colours
    return look


def _put_ratio(
    look: dict[str, Any], name: str, keys: ReadKeys, path: str, lowest: float, highest: float
) -> None:
    """Put how many times a size is the usual one, where it is another."""
    value = keys.changed(path)
    if ratio := _ratio(value, keys.usual(path)):
        look[name] = min(max(ratio, lowest), highest)
    elif value is not None:
        keys.lose(path, value)


def _changed_colour(keys: ReadKeys, path: str, *, is_kept: bool) -> str:
    """The colour of a path when it is another than usual; one that cannot be kept is lost."""
    value = keys.changed(path)
    colour = _colour(value) if is_kept else ""
    if value and not colour:
        keys.lose(path, value)
    return colour


def start_page_content(keys: ReadKeys) -> dict[str, Any]:
    """How the tiles of the start page behave, which OpenApps counts as its appearance."""
    content: dict[str, Any] = {}
    if keys.changed("random_tile_reoder") is True:
        content["mixed_order"] = True
    if keys.changed("shuffle_icons") is True:
        content["broken_logos"] = True  # the nearest that the phone has to logos of other apps
        keys.lose("shuffle_icons", True)
    if True in keys.below("apps", ".clickable_logo").values():
        content["opens_by_logo"] = True
    return content


def _font(family: str) -> dict[str, Any]:
    """The kind of letters of a list of fonts, as a style sheet has it."""
    name = family.casefold()
    if "script" in name or "cursive" in name or "hand" in name:
        return {"font": "display", "italic": True}
    if "mono" in name or "courier" in name or "consolas" in name:
        return {"font": "mono"}
    if "times" in name or "georgia" in name or ("serif" in name and "sans" not in name):
        return {"font": "serif"}
    return {"font": "sans"}


def _ratio(value: object, usual: object) -> float:
    """How many times a size is the usual one; 0 for what is no size, or the same."""
    sizes = [_SIZE.fullmatch(str(size).strip()) for size in (value, usual)]
    first, second = (float(size[1]) if size else 0.0 for size in sizes)
    return round(first / second, 3) if first and second and first != second else 0.0


def _colour(value: object) -> str:
    text = str(value or "").strip()
    return text.upper() if _COLOR.fullmatch(text) else _NAMED.get(text.casefold(), "")


def _lightness(colour: str) -> float:
    """How light ``#RRGGBB`` is, from 0 to 1."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def pop_ups_of(values: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """The pop-ups of the start page, and the keys that were left out, each with its value."""
    found, lost = [], []
    for name, entry in values.items():
        if not isinstance(entry, Mapping) or not str(entry.get("title") or "").strip():
            lost.append((name, str(entry)[:60]))
            continue
        if entry.get("url_extension"):
            lost.append((f"{name}.url_extension", str(entry["url_extension"])[:60]))
            continue
        position = str(entry.get("position") or "")
        place = next((word for word in ("top", "bottom") if word in position), "center")
        if position not in ("", place):
            lost.append((f"{name}.position", position))
        lost += [(f"{name}.{key}", str(entry[key])[:60]) for key in ("link_button_url", "image_url")
                 if entry.get(key)]  # fmt: skip
        found.append(_pop_up(name, entry, place))
    return found, lost


def _pop_up(name: str, entry: Mapping[str, Any], place: str) -> dict[str, Any]:
    buttons = []
    if entry.get("link_button_title"):
        buttons.append({"text": {"en": str(entry["link_button_title"])}, "does": "open:browser"})
    buttons.append({"text": {"en": str(entry.get("button_title") or "OK")}, "does": "close"})
    pop_up: dict[str, Any] = {
        "id": re.sub(r"\W", "_", name, flags=re.ASCII), "title": {"en": str(entry["title"]).strip()}
    }  # fmt: skip
    if entry.get("content"):
        pop_up["message"] = {"en": str(entry["content"]).strip()}
    return {**pop_up, "position": place, "buttons": buttons}
