"""The options of the agent ``openai``: as an experiment writes them, and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from collector.agents.agent import SCREENSHOT, TREE
from collector.agents.openai.chat_history import ACTION, THOUGHT
from collector.agents.openai.endpoint import EndpointSettings, check_fields
from collector.agents.openai.endpoint_key import key_source
from collector.agents.openai.http_address import read_address
from collector.agents.openai.key_store import check_name
from collector.agents.openai.option_table import DEFAULT_ADDRESS, OPTIONS
from collector.agents.openai.prompt_file import PromptFile, read_prompt
from collector.agents.openai.shown_picture import PictureOptions
from collector.agents.screen_elements import COMPACT
from collector.agents.translators.dialect import Dialect
from collector.agents.translators.registry import DIALECTS
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.store.project import Project

DEFAULT_DIALECT = "android-world"
_SHARED_PROMPTS = {"ui-genie": "qwen2.5-vl", "gui-owl": "qwen2.5-vl"}
_ENVIRONMENT_NAME = re.compile(r"[A-Z_][A-Z0-9_]*")
_HEADER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_HEADERS_OF_HTTP = frozenset((
    "accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "expect",
    "host", "keep-alive", "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding",
    "upgrade", "user-agent", "via",
))  # fmt: skip
"""Headers that decide where a request goes, and where it ends."""


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """The options, checked."""

    endpoint: EndpointSettings
    dialect: Dialect
    prompt: PromptFile
    fields: Mapping[str, Any]
    """Of each request: temperature and the like."""
    picture: PictureOptions
    send_seed: bool = False
    history: int = 5
    history_of: tuple[str, ...] = (THOUGHT, ACTION)
    history_images: int = 0
    tree: str = COMPACT
    tree_limit: int = 8000


def read_options(options: Mapping[str, Any], project: Project | None = None) -> ChatOptions:
    """Check the options of an experiment, and read the prompt they name. Raises UserError."""
    values = {option.name: option.default for option in OPTIONS}
    values |= {name: value for name, value in options.items() if value is not None}
    _check_ranges(values)
    prompt = read_prompt(prompt_of(values), project)
    # What the prompt expects stands behind what the experiment says.
    chosen = {**prompt.head, **{name: value for name, value in values.items() if value is not None}}
    fields = {
        "temperature": values["temperature"] if values["temperature"] >= 0 else None,
        "max_tokens": values["max_tokens"] or None,
        "seed": values["seed"],
    }
    return ChatOptions(
        read_endpoint(values),
        DIALECTS[chosen.get("dialect") or DEFAULT_DIALECT],
        prompt,
        {name: value for name, value in fields.items() if value is not None},
        PictureOptions(
            grid=bool(chosen.get("grid")), marks=bool(chosen.get("set_of_marks")),
            max_pixels=values["image_max_pixels"], quality=values["quality"],
        ),
        send_seed=values["send_seed"],
        history=chosen.get("history", 5),
        history_of=tuple(chosen.get("history_of") or (THOUGHT, ACTION)),
        history_images=chosen.get("history_images", 0),
        tree=chosen.get("tree") or COMPACT,
        tree_limit=values["tree_limit"],
    )  # fmt: skip


def prompt_of(options: Mapping[str, Any]) -> str:
    """The prompt that options name, else the built-in one of their dialect; some dialects share one."""
    dialect = options.get("dialect") or DEFAULT_DIALECT
    return str(options.get("prompt") or _SHARED_PROMPTS.get(dialect, dialect))


def require_modality(options: ChatOptions, modality: str) -> None:
    """Raise UserError when options need what a modality hides."""
    if options.picture.marks and modality in (SCREENSHOT, TREE):
        raise UserError(
            _("Marks cannot be drawn in the modality {modality}", modality=modality),
            _("numbered boxes need both the screenshot and the tree"),
            _("Use the modality screenshot+tree, or set set_of_marks to false"),
        )


def read_endpoint(values: Mapping[str, Any]) -> EndpointSettings:
    """The endpoint that options name. Raises UserError."""
    if not isinstance(values.get("model"), str) or not values["model"].strip():
        raise UserError(_("The agent has no model"), "", _("Name one with the option `model`"))
    address = read_address(values.get("base_url") or DEFAULT_ADDRESS)
    key, variable = values.get("key") or "", values.get("key_env") or ""
    if key:
        check_name(key)
    if variable and not _ENVIRONMENT_NAME.fullmatch(variable):
        # Not shown: it may be the key itself, which many would write here by mistake.
        raise UserError(
            _("The option key_env is no name of an environment variable"), "",
            _("Write the name alone, as in OPENAI_API_KEY, never the key"),
        )  # fmt: skip
    header = values.get("key_header") or "Authorization"
    if not _HEADER_NAME.fullmatch(header):
        raise UserError(_("{value} is no name of a header", value=repr(header[:80])))
    if header.lower() in _HEADERS_OF_HTTP:
        raise UserError(
            _("The header {name} cannot carry a key", name=header), _("HTTP itself uses it"),
            _("Write the name that the endpoint documents, such as api-key"),
        )  # fmt: skip
    body, query = values.get("body") or {}, values.get("query") or {}
    if problem := check_fields(body):
        raise UserError(_("The options of the agent are wrong"), problem)
    return EndpointSettings(
        address, values["model"], key_source(key, variable, address), header,
        float(values.get("timeout_s") or 120), int(values.get("retries", 3)), dict(body),
        {str(name): str(value) for name, value in query.items()},
        values.get("price_input"), values.get("price_output"),
    )  # fmt: skip


_RANGES: Mapping[str, tuple[float, float]] = {
    "temperature": (-1, 10), "max_tokens": (0, 1_000_000), "timeout_s": (0.1, 3600), "retries": (0, 10),
    "history": (-1, 1000), "history_images": (0, 20), "tree_limit": (200, 1_000_000),
    "image_max_pixels": (0, 100_000_000), "quality": (0, 100), "price_input": (0, 1e6),
    "price_output": (0, 1e6),
}  # fmt: skip


def _check_ranges(values: Mapping[str, Any]) -> None:
    for name, (least, most) in _RANGES.items():
        value = values[name]
        if value is not None and not least <= value <= most:
            raise UserError(
                _("The options of the agent are wrong"),
                _("{name} is {value}", name=name, value=value),
                _("Use a number from {least} to {most}", least=f"{least:g}", most=f"{most:g}"),
            )
