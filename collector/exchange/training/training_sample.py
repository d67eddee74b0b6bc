"""The first sample of an export to train with: its messages, and the action that its answer asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from collector.exchange.format_sample import FormatSample, sample_by_text
from collector.model.action import Invalid
from collector.model.errors import UserError
from collector.pictures.formats import read_picture_file

_ANSWERS = ("assistant", "gpt", "chosen", "answer", "reward_model")


def training_sample(path: Path, options: Mapping[str, Any]) -> FormatSample | None:
    """The sample as its files have it; its answer is read in the dialect that it was written in."""
    found = sample_by_text(path)
    if found is None or found.picture is None or "dialect" not in options:
        return found
    from collector.agents.translators.coordinates import AgentScreen
    from collector.agents.translators.registry import DIALECTS

    answers = [message.text for message in found.messages if message.who in _ANSWERS]
    try:
        size = read_picture_file(found.picture).size
    except UserError:
        return found
    if not answers:
        return found
    read = DIALECTS[options["dialect"]].read(answers[0], AgentScreen(size, size)).predicted
    return found if isinstance(read, Invalid) else replace(found, action=read)
