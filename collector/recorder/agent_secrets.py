"""Keep passwords that an agent or a replay types off the disk, in its actions and in what it says."""

from __future__ import annotations

from dataclasses import replace

from collector.model.action import Type
from collector.recorder.password_detection import is_secret_text
from collector.recorder.step_builder import CapturedAction
from collector.store.secret_text import SHORTEST, SecretTexts, without_texts


def hide_secrets(captured: CapturedAction, secrets: SecretTexts) -> CapturedAction:
    """The captured action without typed passwords; ``secrets`` learns them for the steps to come."""
    action, turn = captured.action, captured.agent
    if isinstance(action, Type) and action.text and is_secret_text(captured.moment, None):
        secrets.add(action.text)
        if len(action.text.strip()) < SHORTEST:  # nothing can be looked for in what was said
            turn = without_texts(turn)
        action = Type(redacted=True)
    return replace(
        captured,
        action=secrets.masked_action(action),
        agent=secrets.masked_turn(turn),
        extra=secrets.masked(captured.extra),
    )
