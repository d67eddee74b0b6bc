"""Former ids of renamed commands, so that scripts and shortcuts written for them still work."""

from __future__ import annotations

from studio.settings.migrations import COMMANDS_RENAMED_IN_3, COMMANDS_RENAMED_IN_4, MOVED_TO_REVIEW

ALIASES = {**COMMANDS_RENAMED_IN_3, **COMMANDS_RENAMED_IN_4, **MOVED_TO_REVIEW}


def current_id(command_id: str) -> str:
    """Return the id of the command today; an id that was never renamed is returned unchanged."""
    return ALIASES.get(command_id, command_id)
