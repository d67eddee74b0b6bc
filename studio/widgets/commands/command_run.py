"""Run a command, and show a person why it cannot be done."""

from __future__ import annotations

from collections.abc import Mapping

from collector.model.errors import UserError
from studio.commands.commander import Commander, CommandUnavailableError
from studio.widgets.window_frame.toasts import Toasts

_UNAVAILABLE = "unavailable:"
"""Begins the cause of an error that leaves as soon as the command can be run."""


def run_or_say(commander: Commander, toasts: Toasts, command_id: str, arguments: Mapping[str, str]) -> object:
    """Run a command and return what it returns; show a UserError as a toast, and return None then.

    The error leaves when the command is run again; of commands that are not available the last one is named.
    """
    result, problem = None, None
    try:
        result = commander.run(command_id, **arguments)
    except UserError as error:
        problem = error
    for cause in (command_id, _UNAVAILABLE + command_id):
        toasts.end(cause)
    if problem is not None:
        is_unavailable = isinstance(problem, CommandUnavailableError)
        if is_unavailable:
            _end_all_unavailable(toasts)
        toasts.show_error(problem, cause=f"{_UNAVAILABLE if is_unavailable else ''}{command_id}")
    return result


def _end_all_unavailable(toasts: Toasts) -> None:
    """Close the errors about other commands that could not be run: mostly it is for the same reason."""
    for toast in toasts.shown:
        if toast.cause.startswith(_UNAVAILABLE):
            toasts.end(toast.cause)


def end_unavailable(commander: Commander, toasts: Toasts) -> None:
    """Close the errors about commands that can be run now, as after a phone was connected."""
    for toast in toasts.shown:
        prefix, command_id = toast.cause[: len(_UNAVAILABLE)], toast.cause[len(_UNAVAILABLE) :]
        if prefix == _UNAVAILABLE and command_id in commander.registry and commander.enabled(command_id):
            toasts.end(toast.cause)
