"""Prompts of agents as files: those of the studio in ``assets/prompts``, and a project's own.

How they are written is in :mod:`collector.endpoint.prompt_template`; the names are in NAMES.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collector.agents.screen_elements import LIST_STYLES
from collector.agents.translators.registry import DIALECTS
from collector.endpoint.prompt_template import PromptFormat
from collector.located_yaml.nearest_word import nearest
from collector.model.errors import UserError
from collector.model.i18n import _

IMAGE = "image"
NAMES = (
    "task", "app", "package", "language", "step", "budget", "width", "height", "tree", "marks", "omitted",
    "history", "apps", IMAGE,
)  # fmt: skip
"""What a prompt can name."""
HEAD_KEYS: Mapping[str, type] = {
    "description": str, "dialect": str, "grid": bool, "set_of_marks": bool, "tree": str, "history": int,
    "history_of": list, "history_images": int,
}  # fmt: skip
"""What the head of a prompt can say; all but the description are options of the agent, which go first."""


def _check_head(head: Mapping[str, Any], what: str) -> None:
    _check_choice(head, "dialect", tuple(DIALECTS), what)
    _check_choice(head, "tree", LIST_STYLES, what)


def _check_choice(head: Mapping[str, Any], key: str, known: tuple[str, ...], what: str) -> None:
    if key in head and head[key] not in known:
        near = nearest(head[key], known)
        raise UserError(
            what, _("{value} is no choice of {name}", value=repr(head[key]), name=key),
            _("Write {word}", word=near) if near else _("Use one of: {known}", known=", ".join(known)),
        )  # fmt: skip


PROMPTS = PromptFormat("prompts", NAMES, IMAGE, HEAD_KEYS, _check_head)
"""The prompts of agents."""
