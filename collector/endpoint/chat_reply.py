"""Read what an endpoint answered: the text of the model, or why there is none. Nothing in it is believed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from collector.endpoint.http_client import HttpReply
from collector.model.i18n import _

MAX_TEXT = 100_001
"""Characters of a text that are kept: one more than a dialect reads, which then says that it is too long."""
_MAX_MESSAGE = 300
_MAX_QUOTE, _MAX_READ = 160, 4000
"""Characters that are quoted of an answer, and bytes that are read for them."""
_MAX_TOKENS = 1_000_000_000
LENGTH, CONTENT_FILTER = "length", "content_filter"


class NoReply(Exception):  # noqa: N818 - a state of the endpoint
    """The answer is none of a model; ``str()`` says why in a clause."""


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What a model answered."""

    text: str
    reasoning: str = ""
    """What some servers take out of the text and give beside it."""
    refusal: str = ""
    """Why the model, or its filter, gives no answer."""
    finish_reason: str = ""
    model: str = ""
    """As the endpoint names it; need not be the one that was asked for."""
    input_tokens: int | None = None
    output_tokens: int | None = None

    @property
    def is_cut(self) -> bool:
        """Whether the limit of tokens ended the answer."""
        return self.finish_reason == LENGTH

    @property
    def is_filtered(self) -> bool:
        """Whether a filter of the endpoint removed the answer or a part of it."""
        return self.finish_reason == CONTENT_FILTER


def read_reply(reply: HttpReply) -> ChatReply:
    """The answer of a model in a reply of status 200. Raises NoReply."""
    document = read_document(reply)
    if (message := error_message(document)) and not document.get("choices"):
        raise NoReply(_("it answered with the error {text}", text=repr(message)))
    choices = document.get("choices")
    if not isinstance(choices, list):
        raise NoReply(_("its answer has no `{name}`", name="choices") + quoted(reply))
    if not choices:
        raise NoReply(_("its answer has an empty list of `{name}`", name="choices") + quoted(reply))
    choice = choices[0] if isinstance(choices[0], dict) else {}
    message_of = choice.get("message")
    if not isinstance(message_of, dict):
        raise NoReply(_("its answer has no `{name}`", name="message") + quoted(reply))
    usage = document.get("usage")
    counts: Mapping[str, Any] = usage if isinstance(usage, dict) else {}
    return ChatReply(
        text=(_text_of(message_of.get("content")) + _calls_of(message_of))[:MAX_TEXT],
        reasoning=_text_of(message_of.get("reasoning_content") or message_of.get("reasoning"))[:MAX_TEXT],
        refusal=_text_of(message_of.get("refusal"))[:_MAX_MESSAGE],
        finish_reason=_word(choice.get("finish_reason")),
        model=_word(document.get("model")),
        input_tokens=_tokens(counts.get("prompt_tokens")),
        output_tokens=_tokens(counts.get("completion_tokens")),
    )


def read_document(reply: HttpReply) -> dict[str, Any]:
    """The JSON object of a reply. Raises NoReply when it is something else, such as a page."""
    try:
        document = json.loads(reply.body)
    except (ValueError, RecursionError):
        kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
        if "html" in kind or reply.body.lstrip()[:1] == b"<":
            raise NoReply(_("it answered with a web page") + quoted(reply)) from None
        if not reply.body.strip():
            raise NoReply(_("its answer is empty")) from None
        raise NoReply(_("its answer is no JSON") + quoted(reply)) from None
    if not isinstance(document, dict):
        raise NoReply(_("its answer is no JSON object") + quoted(reply))
    return document


def quoted(reply: HttpReply) -> str:
    """The begin of what was answered, for a person: ``: 'Bad gateway'``; empty for an empty answer."""
    text = " ".join(_storable(reply.body[:_MAX_READ].decode("utf-8", "replace")).split())
    shown = text if len(text) <= _MAX_QUOTE else text[:_MAX_QUOTE] + "…"
    return f": {shown!r}" if text else ""


def error_message(document: Mapping[str, Any]) -> str:
    """The message of an error as OpenAI, vLLM, Ollama and others write it; empty when there is none."""
    error = document.get("error", document.get("detail") or document.get("message"))
    if isinstance(error, dict):
        error = error.get("message") or error.get("code") or error.get("type") or json.dumps(error)
    return _storable(" ".join(str(error).split())[:_MAX_MESSAGE]) if error else ""


def error_code(document: Mapping[str, Any]) -> str:
    """The code of an error, such as ``insufficient_quota``; empty when there is none."""
    error = document.get("error")
    code = error.get("code") or error.get("type") if isinstance(error, dict) else document.get("code")
    return str(code)[:80] if isinstance(code, (str, int)) else ""


def _text_of(content: object) -> str:
    """A content that is a text, or a list of parts of which some are text."""
    if isinstance(content, str):
        return _storable(content)
    if not isinstance(content, list):
        return ""
    parts = (part.get("text", part.get("refusal")) if isinstance(part, dict) else part for part in content)
    return _storable("".join(part for part in parts if isinstance(part, str)))


def _storable(text: str) -> str:
    """``text`` without halves of characters, which JSON can name and no file can hold."""
    return text.encode("utf-8", "replace").decode()


def _calls_of(message: Mapping[str, Any]) -> str:
    """Calls of tools that a server took out of the text, written as the models write them."""
    calls = message.get("tool_calls")
    texts = []
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            arguments = function.get("arguments")
            try:
                values = json.loads(arguments) if isinstance(arguments, str) else arguments
            except (ValueError, RecursionError):
                values = arguments
            written = json.dumps({"name": function["name"], "arguments": values}, ensure_ascii=False)
            texts.append(f"\n<tool_call>\n{written}\n</tool_call>")
    return "".join(texts[:1])


def _word(value: object) -> str:
    return _storable(value[:200]) if isinstance(value, str) else ""


def _tokens(value: object) -> int | None:
    """A number of tokens that can be true; None for anything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MAX_TOKENS
    return value if is_count else None  # type: ignore[return-value]
