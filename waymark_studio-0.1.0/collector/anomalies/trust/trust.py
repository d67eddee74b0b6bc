"""The book of trusted shell commands, and the gate each command passes before it runs.

The studio's own commands always run; those of a project only after a person looked at them. The trust is
kept with the person, command by command, and not in the project alone: a project from elsewhere could say
of itself that it is trusted, and a trusted one may change. See ``docs/decisions/trust-is-kept-per-user.md``.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.errors import DangerousCommandDenied, UntrustedCommand
from collector.anomalies.named_follow_ups import NAMED_COMMANDS, RESETS
from collector.anomalies.trust.command_effects import CommandEffects, command_effects
from collector.host.private_files import make_private_file
from collector.host.user_folders import state_folder
from collector.model.i18n import _
from collector.store.files.disk import PrivateDisk
from collector.store.files.errors import Damaged
from collector.store.files.lock import held_for_a_moment

Ask = Callable[[CommandEffects], bool]
"""Asks a person whether one dangerous command may run this once. Called on the thread that injects."""

_BOOK = "trusted.json"


class TrustBook:
    """The commands a person trusted, by scope: the folder of a project, the path of a library, or a name.

    Thread-safe; every change is on the disk at once.
    """

    def __init__(self, path: Path | None = None) -> None:
        """``path`` of the file; by default with the person's other state."""
        self._path = path or state_folder() / _BOOK
        self._lock = threading.Lock()

    def trusts(self, scope: Path | str, command: str) -> bool:
        """Whether ``command``, as its file writes it, may run in ``scope``."""
        return command in builtin_commands() or _digest(command) in self._read().get(_key(scope), ())

    def untrusted(self, scope: Path | str, commands: Iterable[str]) -> list[str]:
        """Those of ``commands`` that a person still has to look at, each once."""
        known, builtin = self._read().get(_key(scope), ()), builtin_commands()
        return [
            command
            for command in dict.fromkeys(commands)
            if command not in builtin and _digest(command) not in known
        ]

    def trust(self, scope: Path | str, commands: Iterable[str]) -> None:
        """Keep that the person looked at these commands of ``scope`` and lets them run."""
        self.trust_digests(scope, map(_digest, commands))

    def digests(self, scope: Path | str) -> tuple[str, ...]:
        """The digests of the commands that are trusted in ``scope``, to be trusted on another machine."""
        return tuple(self._read().get(_key(scope), ()))

    def trust_digests(self, scope: Path | str, digests: Iterable[str]) -> None:
        """Keep that the commands with these digests may run in ``scope``."""
        with self._changing() as book:
            book[_key(scope)] = sorted({*book.get(_key(scope), ()), *digests})

    def forget(self, scope: Path | str) -> None:
        """Trust nothing in ``scope`` any more."""
        with self._changing() as book:
            book.pop(_key(scope), None)

    @contextlib.contextmanager
    def _changing(self) -> Iterator[dict[str, list[str]]]:
        """The book, written when it was changed; one process after another, so that no change is lost."""
        PrivateDisk().make_folder(self._path.parent)
        guard = self._path.with_suffix(".lock")
        make_private_file(guard)
        with self._lock, held_for_a_moment(guard):
            book = self._read()
            before = json.dumps(book)
            yield book
            if json.dumps(book) != before:
                self._write(book)

    def _read(self) -> dict[str, list[str]]:
        try:
            document: Any = json.loads(self._path.read_text("utf-8"))
            return _projects(document)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            # Taken for empty, the next change would wipe what else was trusted.
            why = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise Damaged(
                _("{name} cannot be read", name=self._path), why, _("Correct or remove it")
            ) from None

    def _write(self, book: dict[str, list[str]]) -> None:
        disk = PrivateDisk()
        disk.make_folder(self._path.parent)
        document = {"version": 1, "projects": book}
        disk.write(self._path, json.dumps(document, indent=1, sort_keys=True).encode())


def _projects(document: Any) -> dict[str, list[str]]:
    """The digests of each project in a trust book; raises ValueError for what is none."""
    listed = document.get("projects") if isinstance(document, dict) else None
    if not isinstance(listed, dict) or not all(isinstance(entry, list) for entry in listed.values()):
        raise ValueError(_("a list of commands for each project was expected"))
    return {str(key): [str(entry) for entry in value] for key, value in listed.items()}


class CommandGate:
    """Decides on each command of a file before it runs."""

    def __init__(self, trusts: Callable[[str], bool] | None = None, ask: Ask | None = None) -> None:
        """``trusts`` says whether a command, as written, is trusted; by default only the studio's own are.

        Without ``ask`` dangerous commands are refused.
        """
        self._trusts = trusts or (lambda command: command in builtin_commands())
        self._ask = ask

    def check(self, written: str, filled: str) -> None:
        """Raises Untrusted or Refused when a command must not run."""
        if not self._trusts(written):
            raise UntrustedCommand(
                _("This command was not run: {command}", command=filled),
                _("the commands of its project are not trusted yet"),
                _("Look at them with `waymark project trust`, and trust them there"),
            )
        effects = command_effects(filled)
        if effects.danger and not (self._ask is not None and self._ask(effects)):
            raise DangerousCommandDenied(
                _("This command was not run: {command}", command=filled), effects.danger
            )


@cache
def builtin_commands() -> frozenset[str]:
    """Every command of the studio's library and every named command, as written."""
    library = {command.text for anomaly in builtin_library().anomalies for command in anomaly.commands}
    return frozenset(library | set(NAMED_COMMANDS.values()) | set(RESETS))


def _key(scope: Path | str) -> str:
    return str(scope.resolve()) if isinstance(scope, Path) else scope


def _digest(command: str) -> str:
    return hashlib.sha256(command.encode()).hexdigest()
