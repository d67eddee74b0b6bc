"""Plain values to YAML in a file's own style, quoted whenever YAML would read them as something else."""

from __future__ import annotations

import math
import re
from typing import Any

import yaml

from collector.model.i18n import _
from rule_editor.document.errors import DocumentError
from rule_editor.document.style import Style

_ELSEWHERE = re.compile(
    r"(?:y|n|yes|no|on|off|true|false|null|~|[-+.]?[0-9][0-9_.,:eExXoO+-]*|[-+]?\.(?:inf|nan))", re.IGNORECASE
)
"""What some reader of YAML, 1.1 or 1.2, takes for something other than a text."""
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_KEY_QUOTED = re.compile(r"[^\w.$/-]")


def scalar(value: Any, quote: str = "") -> str:
    """One value as YAML; a text in ``quote`` (empty for none) where it can be."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if not isinstance(value, str):
        raise DocumentError(_("{value} cannot be written to a rule file", value=value))
    if any("\ud800" <= sign <= "\udfff" for sign in value):
        raise DocumentError(_("The text holds half a character"), "", _("Delete it"))
    if quote == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if not quote and is_plain(value):
        return value
    return '"' + "".join(_escaped(sign) for sign in value) + '"'


def is_plain(text: str) -> bool:
    """Whether ``text`` stands for itself without quotes, inside brackets too."""
    if not text or not text.isprintable() or _ELSEWHERE.fullmatch(text) or text[0] in "%`@&*!|>":
        return False
    try:
        return bool(yaml.safe_load(f"[{text}]") == [text] and yaml.safe_load(f"{{k: {text}}}") == {"k": text})
    except (yaml.YAMLError, ValueError):
        return False


def flow(value: Any, style: Style, key: str = "") -> str:
    """A value in one line."""
    if isinstance(value, dict):
        pairs = (f"{name(one)}: {flow(content, style, str(one))}" for one, content in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + style.comma.join(flow(one, style, key) for one in value) + "]"
    return scalar(value, style.quote(key))


def name(key: Any) -> str:
    """A key as YAML."""
    text = str(key)
    return scalar(text, '"' if _KEY_QUOTED.search(text) and not is_plain(text) else "")


def inline(value: Any, style: Style, key: str) -> str | None:
    """What stands on the line of its key; None when the value takes lines of its own."""
    if isinstance(value, dict):
        return None if value else "{}"
    if not isinstance(value, (list, tuple)):
        return scalar(value, style.quote(key))
    if any(isinstance(one, (dict, list, tuple)) for one in value):
        return None
    numbers = bool(value) and all(isinstance(one, (int, float)) for one in value)
    return flow(value, style, key) if not value or numbers or style.in_one_line(key) else None


def pair(key: str, value: Any, indent: int, style: Style) -> list[str]:
    """The lines of a key and its value, the key at column ``indent``."""
    head = " " * indent + name(key) + ":"
    text = inline(value, style, key)
    if text is not None:
        return [f"{head} {text}"]
    return [head, *block(value, indent, style, key)]


def block(value: Any, indent: int, style: Style, key: str) -> list[str]:
    """The lines under a key that stands at column ``indent``."""
    if isinstance(value, dict):
        return mapping(value, indent + style.step, style)
    lines: list[str] = []
    for one in value:
        lines += item(one, indent + style.dash, style, key)
    return lines


def mapping(value: dict[str, Any], indent: int, style: Style) -> list[str]:
    """The lines of a mapping, its keys at column ``indent``, in the order the file has for its type."""
    lines: list[str] = []
    for key, content in ordered(value, style).items():
        lines += pair(key, content, indent, style)
    return lines


def item(value: Any, indent: int, style: Style, key: str) -> list[str]:
    """The lines of a list's entry, its dash at column ``indent``."""
    head = " " * indent + "- "
    if isinstance(value, dict) and value:
        if "type" in value and not _holds_lists_of_mappings(value) and style.in_one_line("-"):
            return [head + flow(ordered(value, style), style)]
        lines = mapping(value, indent + 2, style)
        return [head + lines[0][indent + 2 :], *lines[1:]]
    text = flow(value, style, key)
    return [head + text]


def ordered(value: dict[str, Any], style: Style) -> dict[str, Any]:
    """``value`` with its keys as the file orders those of its type."""
    order = style.votes.orders.get(str(value.get("type", "")), ())
    known = [key for key in order if key in value]
    return {key: value[key] for key in [*known, *(key for key in value if key not in known)]}


def _holds_lists_of_mappings(value: dict[str, Any]) -> bool:
    lists = (one for one in value.values() if isinstance(one, (list, tuple)))
    return any(isinstance(part, dict) for one in lists for part in one)


def _number(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    text = repr(value)
    mantissa, mark, exponent = text.partition("e")
    if not mark:
        return text
    sign = "" if exponent.startswith(("+", "-")) else "+"
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{sign}{exponent}"


def _escaped(sign: str) -> str:
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    if sign.isprintable():
        return sign
    code = ord(sign)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
