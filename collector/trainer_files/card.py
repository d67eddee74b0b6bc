"""The card of a data set, ``README.md``: its head, as dataset hubs read it, and what holds for every one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

CARD = "README.md"
_YAML_WORDS = ("no", "yes", "on", "off", "null", "true", "false")
_ID = re.compile(r"[a-z][a-z0-9]*([.-][a-z0-9]+)*")


def card_text(
    title: str,
    paragraphs: Sequence[str],
    *,
    licence: str = "",
    category: str = "image-text-to-text",
    configs: Mapping[str, Mapping[str, str]] | None = None,
) -> str:
    """The card as Markdown. In English in every language.

    ``category`` is the task that it is for, as hubs name it.
    ``configs``: config -> side -> pattern of its files; the first is the default one.
    """
    return "\n".join(
        [*_head(licence, category, configs or {}), f"# {title}", "", *paragraphs, "", _rights(licence), ""]
    )


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(str(cell).replace('|', '&#124;') for cell in line)} |" for line in lines)


def _head(licence: str, category: str, configs: Mapping[str, Mapping[str, str]]) -> list[str]:
    lines = ["---", f"license: {_yaml_text(licence or 'unknown')}", "task_categories:", f"- {category}"]
    if configs:
        lines.append("configs:")
    for number, (name, files) in enumerate(configs.items()):
        lines += [f"- config_name: {json.dumps(name)}", *(["  default: true"] if not number else [])]
        lines.append("  data_files:")
        for side, pattern in files.items():
            lines += [f"  - split: {side}", f"    path: {json.dumps(pattern)}"]
    return [*lines, "---", ""]


def _yaml_text(text: str) -> str:
    """A text as YAML reads it: quoted unless it is an id such as ``cc-by-4.0``."""
    is_id = _ID.fullmatch(text) is not None and text not in _YAML_WORDS
    return text if is_id else json.dumps(text, ensure_ascii=False)


def _rights(licence: str) -> str:
    if licence:
        return (
            "Screenshots show apps whose makers may hold rights in them. The licence above is what the "
            "person who wrote the data set said."
        )
    return "Nobody said under which licence the screenshots may be passed on: ask before you do."
