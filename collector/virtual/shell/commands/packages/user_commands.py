"""``pm create-user``, ``remove-user`` and ``get-max-users``."""

from __future__ import annotations

from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.services.service import number
from collector.virtual.shell.users import MOST_USERS

_WITH_VALUE = frozenset({"--profileOf", "--user-type"})


def create_user(process: Process, words: list[str]) -> int:
    """``create-user [--guest] [--ephemeral] NAME``."""
    switches, rest = set(), list(words)
    while rest and rest[0].startswith("-"):
        switches.add(word := rest.pop(0))
        if word in _WITH_VALUE and rest:
            rest.pop(0)
    if not rest:
        raise CommandError("Error: no user name specified.", 1)
    user = process.machine.users.create(
        rest[0], guest="--guest" in switches, ephemeral="--ephemeral" in switches
    )
    if user is None:
        raise CommandError("Error: couldn't create User.", 1)
    process.line(f"Success: created user id {user.number}")
    return 0


def remove_user(process: Process, words: list[str]) -> int:
    """``remove-user ID``; the owner stays."""
    operands = [word for word in words if not word.startswith("-")]
    wanted = number(operands[0]) if operands else None
    if wanted is None:
        raise CommandError("Error: no user id specified.", 1)
    if not process.machine.users.remove(wanted):
        raise CommandError(f"Error: couldn't remove user id {wanted}", 1)
    process.line("Success: removed user")
    return 0


def max_running(process: Process, words: list[str]) -> int:
    """``get-max-running-users``."""
    del words
    process.line("Maximum supported running users: 3")
    return 0


def several_users(process: Process, words: list[str]) -> int:
    """``supports-multiple-users``."""
    del words
    process.line("Is multiuser supported: true")
    return 0


def is_visible(process: Process, words: list[str]) -> int:
    """``is-user-visible ID``: only the owner is."""
    operands = [word for word in words if not word.startswith("-")]
    process.line("true" if operands[:1] in ([], ["0"]) else "false")
    return 0


def max_users(process: Process, words: list[str]) -> int:
    """``get-max-users``."""
    del words
    process.line(f"Maximum supported users: {MOST_USERS}")
    return 0
