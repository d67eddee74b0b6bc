"""The options of the agent ``openai``: as an experiment writes them, and checked."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from collector.agents.agent import SCREENSHOT, TREE
from collector.agents.openai.chat_history import ACTION, THOUGHT
from collector.agents.openai.option_table import OPTIONS
from collector.agents.openai.prompt_file import PROMPTS
from collector.agents.openai.shown_picture import PictureOptions
from collector.agents.screen_elements import COMPACT
from collector.agents.translators.dialect import Dialect
from collector.agents.translators.registry import DIALECTS
from collector.endpoint.endpoint_options import EndpointSettings, Ranges, check_ranges, read_endpoint
from collector.endpoint.prompt_template import Prompt
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.project.project import Project

DEFAULT_DIALECT = "android-world"
_SHARED_PROMPTS = {"ui-genie": "qwen2.5-vl", "gui-owl": "qwen2.5-vl"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationOptions:
    """What a model is shown and how it answers, checked."""

    dialect: Dialect
    prompt: Prompt
    picture: PictureOptions
    history: int = 5
    history_of: tuple[str, ...] = (THOUGHT, ACTION)
    history_images: int = 0
    tree: str = COMPACT
    tree_limit: int = 8000


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatOptions(ConversationOptions):
    """The options of the agent, checked."""

    endpoint: EndpointSettings
    fields: Mapping[str, Any]
    """Of each request: temperature and the like."""
    send_seed: bool = False


def read_options(options: Mapping[str, Any], project: Project | None = None) -> ChatOptions:
    """Check the options of an experiment, and read the prompt they name. Raises UserError."""
    values = _with_defaults(options)
    fields = {
        "temperature": values["temperature"] if values["temperature"] >= 0 else None,
        "max_tokens": values["max_tokens"] or None,
        "seed": values["seed"],
    }
    shown = read_conversation(options, project)
    return ChatOptions(
        **{item.name: getattr(shown, item.name) for item in dataclasses.fields(shown)},
        endpoint=read_endpoint(values),
        fields={name: value for name, value in fields.items() if value is not None},
        send_seed=values["send_seed"],
    )


def read_conversation(options: Mapping[str, Any], project: Project | None = None) -> ConversationOptions:
    """What a model is shown, by the options of the agent; those of an endpoint are not needed.

    Raises UserError.
    """
    values = _with_defaults(options)
    check_ranges(values, _RANGES)
    prompt = PROMPTS.read(prompt_of(values), project)
    # What the prompt expects stands behind what the experiment says.
    chosen = {**prompt.head, **{name: value for name, value in values.items() if value is not None}}
    return ConversationOptions(
        dialect=DIALECTS[chosen.get("dialect") or DEFAULT_DIALECT],
        prompt=prompt,
        picture=PictureOptions(
            grid=bool(chosen.get("grid")), marks=bool(chosen.get("set_of_marks")),
            max_pixels=values["image_max_pixels"], quality=values["quality"],
        ),
        history=chosen.get("history", 5),
        history_of=tuple(chosen.get("history_of") or (THOUGHT, ACTION)),
        history_images=chosen.get("history_images", 0),
        tree=chosen.get("tree") or COMPACT,
        tree_limit=values["tree_limit"],
    )  # fmt: skip


def _with_defaults(options: Mapping[str, Any]) -> dict[str, Any]:
    values = {option.name: option.default for option in OPTIONS}
    return values | {name: value for name, value in options.items() if value is not None}


def prompt_of(options: Mapping[str, Any]) -> str:
    """The prompt that options name, else the built-in one of their dialect; some dialects share one."""
    dialect = options.get("dialect") or DEFAULT_DIALECT
    return str(options.get("prompt") or _SHARED_PROMPTS.get(dialect, dialect))


def require_modality(options: ConversationOptions, modality: str) -> None:
    """Raise UserError when options need what a modality hides."""
    if options.picture.marks and modality in (SCREENSHOT, TREE):
        raise UserError(
            _("Marks cannot be drawn in the modality {modality}", modality=modality),
            _("numbered boxes need both the screenshot and the tree"),
            _("Use the modality screenshot+tree, or set set_of_marks to false"),
        )


_RANGES: Ranges = {
    "temperature": (-1, 10), "max_tokens": (0, 1_000_000), "history": (-1, 1000), "history_images": (0, 20),
    "tree_limit": (200, 1_000_000), "image_max_pixels": (0, 100_000_000), "quality": (0, 100),
}  # fmt: skip
