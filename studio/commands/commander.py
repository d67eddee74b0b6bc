"""Runs commands: who handles which, what the context is, and so which can be run now."""

from __future__ import annotations

import logging
from collections.abc import Callable

from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from studio.commands.command import GLOBAL, Command
from studio.commands.registry import Registry
from studio.commands.when import compile_clause

Handler = Callable[..., object]
_log = logging.getLogger(__name__)


class CommandUnavailableError(UserError):
    """The command cannot be run now."""


class Commander:
    """GUI thread only. ``changed`` tells views to ask again what is enabled."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.changed: EventEmitter[None] = EventEmitter()
        self._handlers: dict[str, Handler] = {}
        self._checks: dict[str, Callable[[], bool]] = {}
        self._context: dict[str, object] = {}
        self._titles: dict[str, str] = {}
        self._scope = GLOBAL

    def handle(
        self, command_id: str, handler: Handler, *, checked: Callable[[], bool] | None = None
    ) -> Callable[[], None]:
        """Give a command its handler (keyword arguments come as text); the result takes it away.

        ``checked`` makes it a switch in menus. A second handler for one command is a bug.
        """
        if command_id not in self.registry:
            raise KeyError(f"no command {command_id!r}")
        if command_id in self._handlers:
            raise ValueError(f"{command_id} already has a handler")
        self._handlers[command_id] = handler
        if checked is not None:
            self._checks[command_id] = checked
        self.changed.emit(None)

        def remove() -> None:
            self._handlers.pop(command_id, None)
            self._checks.pop(command_id, None)
            self.changed.emit(None)

        return remove

    def set_context(self, **values: object) -> None:
        """Set context names (``__`` stands for a dot: ``project__open=True``); tells when any changed."""
        named = {name.replace("__", "."): value for name, value in values.items()}
        if any(self._context.get(name) != value for name, value in named.items()):
            self._context.update(named)
            self.changed.emit(None)

    @property
    def context(self) -> dict[str, object]:
        """What is so now, by name; a copy."""
        return dict(self._context)

    @property
    def scope(self) -> str:
        """The workspace whose commands work beside the global ones."""
        return self._scope

    def enter(self, scope: str) -> None:
        """Make a workspace the current scope."""
        self._context.pop(f"workspace.{self._scope}", None)
        self._context[f"workspace.{scope}"] = True
        self._scope = scope
        self.changed.emit(None)

    def exists(self, command_id: str) -> bool:
        """Whether anybody handles it; what nobody handles is shown nowhere."""
        return command_id in self._handlers

    def reachable(self, command_id: str) -> bool:
        """Whether it is handled and its scope is the current one."""
        return self.exists(command_id) and self.registry[command_id].scope in (GLOBAL, self._scope)

    def enabled(self, command_id: str) -> bool:
        """Whether it can be run now."""
        command = self.registry[command_id]
        return self.reachable(command_id) and compile_clause(command.when)(self._context)

    def checked(self, command_id: str) -> bool | None:
        """State of a switch, None for a plain command."""
        check = self._checks.get(command_id)
        return check() if check else None

    def retitle(self, command_id: str, title: str) -> None:
        """Say what a command would do now, as in ``Undo delete 3 tasks``; an empty title takes it back."""
        if self._titles.get(command_id, "") != title:
            self._titles[command_id] = title
            self.changed.emit(None)

    def title(self, command_id: str) -> str:
        """What the command is called now, in the person's language."""
        return self._titles.get(command_id) or self.registry[command_id].label

    def run(self, command_id: str, **arguments: str) -> object:
        """Run it; raises CommandUnavailableError (unknown, not here, not now) or what the handler raises."""
        if command_id not in self.registry:
            raise CommandUnavailableError(
                _("There is no command '{id}'", id=command_id), to_do=_("Ctrl+K lists every command")
            )
        if not self.enabled(command_id):
            raise CommandUnavailableError(
                _("'{title}' cannot be run now", title=self.registry[command_id].label),
                _("It works only in its workspace and when there is something to work on"),
            )
        _log.info("run %s", command_id)
        return self._handlers[command_id](**arguments)

    def palette(self) -> list[Command]:
        """Commands the palette lists: handled, in reach and runnable now."""
        return [one for one in self.registry if one.palette and self.enabled(one.id)]
