"""Run commands: hold their handlers and the context that decides which are enabled."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager

from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from studio.commands.command import GLOBAL, Command
from studio.commands.keys import KeyboardUse, printed
from studio.commands.reasons import reason
from studio.commands.registry import Registry
from studio.commands.when import compile_clause
from studio.settings.migrations import COMMANDS_RENAMED_IN_3, COMMANDS_RENAMED_IN_4, MOVED_TO_REVIEW

Handler = Callable[..., object]
_log = logging.getLogger(__name__)


class CommandUnavailableError(UserError):
    """The command cannot be run now."""


class Commander:
    """Handlers, context and scope of the commands. Use it on the GUI thread only.

    ``changed`` is emitted when the enabled commands, their titles or their checked states may differ.
    """

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.changed: EventEmitter[None] = EventEmitter()
        self.handlers: dict[str, Handler] = {}
        self._checks: dict[str, Callable[[], bool]] = {}
        self._context: dict[str, object] = {}
        self._titles: dict[str, str] = {}
        self._scope = GLOBAL
        self._keyboard = KeyboardUse()
        self._batches = 0
        self._changed_in_batch = False

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Emit ``changed`` once, at the end, for everything that changes inside the ``with`` block."""
        self._batches += 1
        try:
            yield
        finally:
            self._batches -= 1
            if self._changed_in_batch:
                self._changed_in_batch = False
                self._emit_changed()

    def _emit_changed(self) -> None:
        if self._batches:
            self._changed_in_batch = True
        else:
            self.changed.emit(None)

    def handle(
        self, command_id: str, handler: Handler, *, checked: Callable[[], bool] | None = None
    ) -> Callable[[], None]:
        """Set the handler of a command (its keyword arguments are texts); call the result to remove it.

        ``checked`` makes the command a checkable menu entry. Raises ValueError for a second handler.
        """
        if command_id not in self.registry:
            raise KeyError(f"no command {command_id!r}")
        if command_id in self.handlers:
            raise ValueError(f"{command_id} already has a handler")
        self.handlers[command_id] = handler
        if checked is not None:
            self._checks[command_id] = checked
        self._emit_changed()

        def remove() -> None:
            self.handlers.pop(command_id, None)
            self._checks.pop(command_id, None)
            self._emit_changed()

        return remove

    @property
    def handled(self) -> frozenset[str]:
        """Ids of the commands that have a handler."""
        return frozenset(self.handlers)

    def forget_handlers(self, kept: frozenset[str]) -> None:
        """Remove the handlers of all commands but ``kept``, and every title set by ``retitle``."""
        self.handlers = {name: handler for name, handler in self.handlers.items() if name in kept}
        self._checks = {name: check for name, check in self._checks.items() if name in kept}
        self._titles = {}
        self._emit_changed()

    def set_context(self, **values: object) -> None:
        """Set context names (``__`` stands for a dot: ``project__open=True``)."""
        named = {name.replace("__", "."): value for name, value in values.items()}
        if any(self._context.get(name) != value for name, value in named.items()):
            self._context.update(named)
            self._emit_changed()

    @property
    def context(self) -> dict[str, object]:
        """A copy of the context: value by name."""
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
        self._emit_changed()

    # -- keys ---------------------------------------------------------------
    @property
    def keyboard(self) -> KeyboardUse:
        """The keys that the widget with the keyboard takes now."""
        return self._keyboard

    def set_keyboard(self, use: KeyboardUse) -> None:
        """Say which keys the widget with the keyboard takes; the shown keys follow."""
        if use != self._keyboard:
            self._keyboard = use
            self._emit_changed()

    def shown_keys(self, command_id: str) -> str:
        """The chord that runs the command now, as menus and buttons show it; empty for none."""
        if self._scope in self.registry[command_id].also_in:
            return ""
        first = self.registry.shown_keys(command_id)
        if first and self._keyboard.takes(first):
            first = next(iter(self.registry.anywhere_keys(command_id)), "")
        return printed(first)

    def tip(self, command_id: str) -> str:
        """The tooltip of a button: what the command does, and all its keys."""
        command = self.registry[command_id]
        title = self._titles.get(command_id)
        chords = dict.fromkeys((*self.registry.keys(command_id), *self.registry.anywhere_keys(command_id)))
        words = f"{title}. {command.help}" if title and command.tooltip else title or command.help
        return f"{words}  ({', '.join(map(printed, chords))})" if chords else words

    # -- state --------------------------------------------------------------
    def exists(self, command_id: str) -> bool:
        """Whether the command has a handler; one without is shown nowhere."""
        return command_id in self.handlers

    def reachable(self, command_id: str) -> bool:
        """Whether the command has a handler and works in the current workspace."""
        return self.exists(command_id) and self.registry[command_id].works_in(self._scope)

    def enabled(self, command_id: str) -> bool:
        """Whether the command can be run now."""
        command = self.registry[command_id]
        return self.reachable(command_id) and compile_clause(command.when)(self._context)

    def answers(self, command_id: str) -> bool:
        """Whether its key does something: run the command, or say why that cannot be done now."""
        command = self.registry[command_id]
        return command.has_keys_in(self._scope) and (
            self.enabled(command_id) or (command.explains and self.reachable(command_id))
        )

    def checked(self, command_id: str) -> bool | None:
        """State of a checkable command, None for any other."""
        check = self._checks.get(command_id)
        return check() if check else None

    def retitle(self, command_id: str, title: str) -> None:
        """Replace the title, as in ``Undo delete 3 tasks``; an empty title restores the one of the table."""
        if self._titles.get(command_id, "") != title:
            self._titles[command_id] = title
            self._emit_changed()

    def title(self, command_id: str) -> str:
        """The current title, in the person's language."""
        return self._titles.get(command_id) or self.registry[command_id].label

    def run(self, command_id: str, /, **arguments: str) -> object:
        """Run a command, also by a former id, and return what its handler returns.

        Raises CommandUnavailableError when it is unknown, not enabled or has other arguments, and whatever
        the handler raises.
        """
        command_id = current_id(command_id)
        if command_id not in self.registry:
            raise CommandUnavailableError(
                _("There is no command '{id}'", id=command_id), to_do=_("Ctrl+K lists every command")
            )
        if not self.enabled(command_id):
            raise CommandUnavailableError(
                _("'{title}' cannot be run now", title=self.registry[command_id].label),
                self.problem(command_id),
            )
        handler = self.handlers[command_id]
        if (problem := _argument_problem(handler, arguments)) is not None:
            title = self.registry[command_id].label
            raise CommandUnavailableError(_("'{title}' was not run", title=title), *problem)
        _log.info("run %s", command_id)
        return handler(**arguments)

    def problem(self, command_id: str) -> str:
        """Why the command cannot be run now, in a sentence; empty when it can."""
        command = self.registry[command_id]
        if not command.works_in(self._scope):
            return _("it works in {workspace}", workspace=command.scope_label)
        if not self.exists(command_id):
            return _("it is not part of this window")
        return self.unmet(command_id)

    def unmet(self, command_id: str) -> str:
        """Why the command could not be run in its own workspace, either; empty when it could."""
        return reason(self.registry[command_id].when, self._context)

    def palette(self, unbuilt: Collection[str] = ()) -> list[Command]:
        """Commands that the palette lists, those that can be run here and now first.

        All that have a handler are listed, and those of the ``unbuilt`` workspaces, which have none yet.
        """
        listed = [
            command for command in self.registry
            if command.palette and (self.exists(command.id) or command.scope in unbuilt)
        ]  # fmt: skip
        return sorted(listed, key=lambda command: (not self.enabled(command.id), command.scope not in (
            GLOBAL, self._scope)))  # fmt: skip


ALIASES = {**COMMANDS_RENAMED_IN_3, **COMMANDS_RENAMED_IN_4, **MOVED_TO_REVIEW}


def current_id(command_id: str) -> str:
    """Return the id of the command today; an id that was never renamed is returned unchanged."""
    return ALIASES.get(command_id, command_id)


def _argument_problem(handler: Handler, arguments: Mapping[str, str]) -> tuple[str, str] | None:
    """Why the handler does not take these arguments, and what to do; None when it does."""
    try:
        parameters = list(inspect.signature(handler).parameters.values())
    except ValueError:  # a function of Qt's own, which takes none
        parameters = []
    usual = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    named = {each.name: each for each in parameters if each.kind in usual}
    known = ", ".join(named)
    to_do = _("Arguments: {known}", known=known) if known else _("Leave its arguments out")
    for name in arguments:
        if name not in named and not any(each.kind is each.VAR_KEYWORD for each in parameters):
            return _("it has no argument {name}", name=name), to_do
    for name, each in named.items():
        if each.default is each.empty and name not in arguments:
            return _("it needs the argument {name}", name=name), to_do
    return None
