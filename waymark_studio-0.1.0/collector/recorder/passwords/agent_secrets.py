"""Keep passwords that an agent or a replay types off the disk, in its actions and in what it says."""

from __future__ import annotations

from dataclasses import replace

from collector.model.action import Invalid, Type
from collector.recorder.passwords.password_detection import is_secret_text
from collector.recorder.step_builder import CapturedAction
from collector.store.redaction.secret_text import SHORTEST, SecretTexts, without_texts


def with_typed_password(captured: CapturedAction) -> CapturedAction:
    """The captured action with the password that it types, where only its screen can tell."""
    action = captured.action
    if captured.hides_text is not None or not isinstance(action, Type) or not action.text:
        return captured
    if not is_secret_text(captured.moment, None):
        return captured
    return replace(captured, hides_text=True, typed_password=action.text)


def hide_secrets(captured: CapturedAction, secrets: SecretTexts) -> CapturedAction:
    """The captured action without ``secrets`` and without a text that it hides."""
    action, turn = captured.action, captured.agent
    if captured.hides_text:
        said = action.text if isinstance(action, Type) else ""
        if len(said.strip()) < SHORTEST:  # nothing can be looked for in what was said
            turn = without_texts(turn)
        # What the phone could not type is an Invalid, which says what it was.
        action = replace(action, raw="") if isinstance(action, Invalid) else Type(redacted=True)
    return replace(
        captured,
        action=secrets.masked_action(action),
        agent=secrets.masked_turn(turn),
        extra=secrets.masked(captured.extra),
        hides_text=None,
        typed_password="",
    )
