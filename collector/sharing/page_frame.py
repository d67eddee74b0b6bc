"""What our pages that stand by themselves share: the colors of both themes, and a strict policy."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path

from collector.model.resources import asset

_FIELD = re.compile(r"\{\{(\w+)\}\}")


def filled_page(template: Path, fields: Mapping[str, str]) -> bytes:
    """The file of a template in UTF-8, each ``{{field}}`` replaced; the values are HTML already."""
    text = template.read_text(encoding="utf-8")
    return _FIELD.sub(lambda field: fields[field[1]], text).encode("utf-8", "replace")


def content_policy(style: str, script: str = "") -> str:
    """The content security policy: nothing but this style, this script, and pictures of the page."""
    runs = f"script-src '{_hash(script)}'" if script else ""
    parts = (
        "default-src 'none'", f"style-src '{_hash(style)}'", runs, "img-src data: blob:", "base-uri 'none'",
        "form-action 'none'",
    )  # fmt: skip
    return "; ".join(filter(None, parts))


def theme_style() -> str:
    """The colors of the design as variables: those the reader's system prefers, or ``data-theme`` names."""
    colors = json.loads(asset("style", "tokens.json").read_text(encoding="utf-8"))
    dark, light = (_variables(colors["color"][theme]) for theme in ("dark", "light"))
    overlay = _variables({f"o-{name}": value for name, value in colors["overlay"].items() if name != "_"})
    rules = (
        f":root{{{overlay}}}",
        f":root,:root[data-theme=dark]{{color-scheme:dark;{dark}}}",
        f"@media (prefers-color-scheme:light){{:root:not([data-theme=dark]){{color-scheme:light;{light}}}}}",
        f":root[data-theme=light]{{color-scheme:light;{light}}}",
    )
    return "\n".join(rules)


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}"


def _variables(colors: dict[str, str]) -> str:
    return "".join(f"--{name.replace('_', '-')}:{value};" for name, value in colors.items())
