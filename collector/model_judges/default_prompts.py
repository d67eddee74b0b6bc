"""Which prompt a judge uses that names none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ALL = "all"
"""The choice of the option ``questions`` for one question about all states."""


def prompt_name(method: str, options: Mapping[str, Any]) -> str:
    """The prompt that options name, else that of the method."""
    if options.get("prompt"):
        return str(options["prompt"])
    if method == "windows":
        return "window-all" if options.get("questions") == ALL else "window-each"
    return method
