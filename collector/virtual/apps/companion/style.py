"""The style that an intent asks for: where its dialog stands, how large it is, and its colours."""

from __future__ import annotations

from collections.abc import Mapping

from collector.model.companion.activities import ACTIVITIES, STYLE
from collector.virtual.apps.companion.extras import colour, flag, number
from collector.virtual.ui.extras import string
from collector.virtual.ui.theme import LUMINANCE
from collector.virtual.ui.window_style import PLAIN_STYLE, Place, WindowStyle

_LOOKS = {
    name for name in STYLE if name not in ("param_dialog", "param_back", "param_outside", "param_chain")
}
_ACROSS: dict[str, Place] = {"left": "start", "right": "end"}
_DOWN: dict[str, Place] = {"top": "start", "bottom": "end"}
_DIM = 0.6


def style_of(activity: str, extras: Mapping[str, object], *, full: bool = False) -> WindowStyle:
    """The style of a dialog; that of all dialogs for one of D-GARA's without parameters of ours."""
    own = not ACTIVITIES[activity].dgara
    if not (own or full or any(name in _LOOKS for name in extras)):
        return PLAIN_STYLE
    words = string(extras, "param_position", "center").split("_")
    across: Place = next((place for word, place in _ACROSS.items() if word in words), "center")
    down: Place = next((place for word, place in _DOWN.items() if word in words), "center")
    theme, direction = string(extras, "param_theme", ""), string(extras, "param_direction", "")
    dim, scale = number(extras, "param_dim"), number(extras, "param_font_scale")
    wide = number(extras, "param_width")
    return WindowStyle(
        across=across,
        down=down,
        offset=(number(extras, "param_offset_x") or 0.0, number(extras, "param_offset_y") or 0.0),
        width=min(max(wide, 120.0), 2000.0) if wide is not None else None,
        dim=min(max(dim, 0.0), 1.0) if dim is not None else _DIM if own else None,
        dark={"light": False, "dark": True}.get(theme),
        mirrored={"ltr": False, "rtl": True}.get(direction),
        font_scale=min(max(scale, 0.8), 2.0) if scale is not None else None,
        language=string(extras, "param_language", ""),
        colours=_colours(extras),
        full=full,
    )


def _colours(extras: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """The roles that the intent's colours replace; what stands on a colour is black or white."""
    back = colour(extras, "param_background")
    words = colour(extras, "param_text_color")
    button = colour(extras, "param_button_color")
    roles: dict[str, str] = {}
    if back:
        ink = words or contrast(back)
        roles |= {
            "surface": back,
            "text": ink,
            "text_2": ink,
            "primary": ink,
            "on_primary": back,
            "outline": ink,
        }
    if words:
        roles |= {"text": words, "text_2": words}
    if button:
        roles["on_primary"] = contrast(button)
    return tuple(roles.items())


def contrast(back: str) -> str:
    """Black or white, whichever is easier to read on a colour."""
    parts = (int(back[at : at + 2], 16) / 255 for at in (1, 3, 5))
    light = sum(share * part for share, part in zip(LUMINANCE, parts, strict=True))
    return "#000000" if light > 0.45 else "#FFFFFF"


def closes_outside(activity: str, extras: Mapping[str, object]) -> bool:
    """Whether a touch beside the dialog closes it; those of D-GARA do unless the intent says no."""
    return flag(extras, "param_outside", ACTIVITIES[activity].dgara)


def closes_on_back(extras: Mapping[str, object]) -> bool:
    """Whether the back key or gesture closes the dialog."""
    return flag(extras, "param_back", True)
