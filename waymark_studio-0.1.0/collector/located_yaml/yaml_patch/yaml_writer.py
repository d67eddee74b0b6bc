"""Write plain values as YAML in a file's style, quoted where YAML would read another value."""

from __future__ import annotations

import math
import re
from typing import Any

import yaml

from collector.located_yaml.safe_load import YamlError, safe_load
from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.located_yaml.yaml_patch.style import Layout, YamlStyle
from collector.model.i18n import _

_NOT_TEXT = re.compile(
    r"(?:y|n|yes|no|on|off|true|false|null|~|[-+.]?[0-9][0-9_.,:eExXoO+-]*|[-+]?\.(?:inf|nan))", re.IGNORECASE
)
"""Words that a YAML 1.1 or 1.2 parser reads as something other than a text."""
_PLAIN = re.compile(r"[^\W\d_](?:[\w ./()%+-]*[\w.)%+])?")
_NEVER_PLAIN = re.compile(r"[,\[\]{}]|:\s|\s#")
"""Most texts are one or the other, and need no parser to tell."""
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_KEY_QUOTED = re.compile(r"[^\w.$/-]")


def scalar(value: Any, quote: str = "") -> str:
    """One value as YAML; a text in the quotes ``quote`` (empty for none) where possible."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if not isinstance(value, str):
        return _other(value)
    if any("\ud800" <= sign <= "\udfff" for sign in value):
        raise DocumentError(_("The text holds half a character"), "", _("Delete it"))
    if quote == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if not quote and is_plain(value):
        return value
    return '"' + "".join(_escaped(sign) for sign in value) + '"'


def is_plain(text: str) -> bool:
    """Whether YAML reads ``text`` without quotes as the same text, in block and in flow style."""
    if not text or not text.isprintable() or _NOT_TEXT.fullmatch(text) or text[0] in "%`@&*!|>":
        return False
    if _NEVER_PLAIN.search(text):
        return False
    if _PLAIN.fullmatch(text):
        return True
    try:
        read = safe_load(f"- {text}\n- k: {text}\n- [{text}]\n- {{k: {text}}}\n", "")
        return bool(read == [text, {"k": text}, [text], {"k": text}])
    except YamlError:
        return False


def flow(value: Any, style: YamlStyle, key: str = "") -> str:
    """A value in one line."""
    if isinstance(value, dict):
        pairs = (f"{name(inner)}: {flow(content, style, str(inner))}" for inner, content in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + style.comma.join(flow(item, style, key) for item in value) + "]"
    return scalar(value, style.quote(key))


def name(key: Any) -> str:
    """A key as YAML."""
    text = str(key)
    return scalar(text, '"' if _KEY_QUOTED.search(text) and not is_plain(text) else "")


def inline(value: Any, style: YamlStyle, key: str) -> str | None:
    """The value for the line of its key; None when it needs lines of its own."""
    if style.layout is Layout.ONE_LINE:
        return flow(value, style, key)
    if isinstance(value, dict):
        return None if value else "{}"
    if not isinstance(value, (list, tuple)):
        return scalar(value, style.quote(key))
    if any(isinstance(item, (dict, list, tuple)) for item in value):
        return None
    numbers = bool(value) and all(isinstance(item, (int, float)) for item in value)
    return flow(value, style, key) if not value or numbers or style.in_one_line(key) else None


def pair(key: str, value: Any, indent: int, style: YamlStyle) -> list[str]:
    """The lines of a key and its value, the key at column ``indent``."""
    head = " " * indent + name(key) + ":"
    text = inline(value, style, key)
    if text is not None:
        return [f"{head} {text}"]
    return [head, *block(value, indent, style, key)]


def block(value: Any, indent: int, style: YamlStyle, key: str) -> list[str]:
    """The lines under a key at column ``indent``."""
    if isinstance(value, dict):
        return mapping(value, indent + style.step, style)
    lines: list[str] = []
    for content in value:
        lines += item(content, indent + style.dash, style, key)
    return lines


def mapping(value: dict[str, Any], indent: int, style: YamlStyle) -> list[str]:
    """The lines of a mapping with its keys at column ``indent``, in the file's order for its type."""
    lines: list[str] = []
    for key, content in ordered(value, style).items():
        lines += pair(key, content, indent, style)
    return lines


def item(value: Any, indent: int, style: YamlStyle, key: str) -> list[str]:
    """The lines of a list item with its dash at column ``indent``."""
    head = " " * indent + "- "
    if isinstance(value, dict) and value and style.layout is not Layout.ONE_LINE:
        if "type" in value and not _holds_lists_of_mappings(value) and style.in_one_line("-"):
            return [head + flow(ordered(value, style), style)]
        lines = mapping(value, indent + 2, style)
        return [head + lines[0][indent + 2 :], *lines[1:]]
    text = flow(value, style, key)
    return [head + text]


def ordered(value: dict[str, Any], style: YamlStyle) -> dict[str, Any]:
    """``value`` with its keys in the file's order for its type."""
    order = style.counts.orders.get(str(value.get("type", "")), ())
    known = [key for key in order if key in value]
    return {key: value[key] for key in [*known, *(key for key in value if key not in known)]}


def _holds_lists_of_mappings(value: dict[str, Any]) -> bool:
    lists = (content for content in value.values() if isinstance(content, (list, tuple)))
    return any(isinstance(inner, dict) for listed in lists for inner in listed)


def _other(value: Any) -> str:
    """A value of a rarer kind that YAML has: a date, bytes or a set."""
    try:
        text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=math.inf)
    except yaml.YAMLError:
        raise DocumentError(_("{value} cannot be written to a YAML file", value=value)) from None
    return text.removesuffix("\n").removesuffix("\n...")


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
