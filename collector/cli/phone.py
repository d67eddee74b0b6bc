"""The phone a verb talks to, and what stands between it and a project's commands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.command_effects import CommandEffects
from collector.anomalies.command_preview import CommandGroup, CommandSet
from collector.anomalies.errors import DangerousCommandDenied
from collector.anomalies.injector import Injector
from collector.anomalies.model import Anomaly, AnomalyLibrary
from collector.anomalies.reader import read_library
from collector.anomalies.trust import CommandGate, TrustBook, builtin_commands, of_project
from collector.cli.output import one_line, say
from collector.cli.rule_files import ProjectRules
from collector.device.device_choice import choose_device
from collector.located_yaml.nearest_word import nearest
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.rules.grammar.errors import RuleError
from collector.rules.lint.files import read_text
from collector.store.project import Project


def device_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--device SERIAL``, which may be left out while there is one phone."""
    told = "Serial of the phone, as `waymark device list` prints it; the only one by default."
    return click.option("--device", "serial", default="", metavar="SERIAL", help=told)(command)


class AnomalySource:
    """Where anomalies come from: a project's library, a file, or the studio's own alone."""

    def __init__(self, project: Path | None, library: Path | None) -> None:
        self.project = Project.open(project) if project is not None else None
        path = library or (ProjectRules(self.project).library_path if self.project is not None else None)
        self.library = read_library(read_text(path), str(path)) if path is not None else AnomalyLibrary()
        self._file = library
        self._book = TrustBook()

    def anomaly(self, anomaly_id: str) -> Anomaly:
        """By id, from its own library before the studio's. Raises RuleError when neither has it."""
        found = self.find(anomaly_id)
        if found is None:
            known = [one.id for one in (*self.library.anomalies, *builtin_library().anomalies)]
            near = nearest(anomaly_id, known)
            to_do = _("Name one of: {known}", known=near) if near else _("See `waymark anomaly list`")
            raise RuleError(_("The library has no anomaly {id}", id=anomaly_id), "", to_do)
        return found

    def find(self, anomaly_id: str) -> Anomaly | None:
        return self.library.get(anomaly_id) or builtin_library().get(anomaly_id)

    def gate(self, *, dangerous: bool = False) -> CommandGate:
        """Lets trusted commands through, and dangerous ones when ``dangerous`` or when a person says so."""
        return CommandGate(self._trusts(), lambda found: dangerous or _ask_dangerous(found))

    def require_trust(self, what: CommandSet, *, yes: bool) -> None:
        """Show the commands nobody trusted yet and ask; ``yes`` is the answer given beforehand.

        Raises click.Abort when the person says no.
        """
        trusts = self._trusts()
        found = [command for command in what.commands if not trusts(command)]
        if not found:
            return
        print_groups(what.preview(found), err=True)
        if not yes and not confirm(_("Trust these commands, and let them run on phones?")):
            raise click.Abort
        self.trust(found)

    def trust(self, commands: Iterable[str]) -> None:
        """The person looked at these commands."""
        if self._file is not None:
            self._book.trust(self._file, commands)
        elif self.project is not None:
            self._book.trust(self.project.folder, commands)
            if not self.project.trusted:
                self.project.set(trusted=True)

    def _trusts(self) -> Callable[[str], bool]:
        if self._file is not None:
            file = self._file
            return lambda command: self._book.trusts(file, command)
        if self.project is not None:
            return of_project(self.project.folder, self._book)
        return builtin_commands().__contains__


@contextmanager
def injecting(serial: str, gate: CommandGate | None = None) -> Iterator[Injector]:
    """An injector for the chosen phone, closed afterwards."""
    injector = Injector(choose_device(serial), gate=gate)
    try:
        yield injector
    finally:
        injector.close()


def print_groups(groups: Iterable[CommandGroup], *, err: bool = False) -> None:
    """The commands of each anomaly and rule under its id."""
    for group in groups:
        say(f"{group.title}: {group.description}" if group.description else group.title, err=err)
        for found in group.commands:
            _print_command(found, err=err)


def _print_command(found: CommandEffects, *, err: bool) -> None:
    """A command as it would run, with what it touches below it."""
    say("  " + one_line(found.command, 400), err=err)
    told = (
        (_("packages"), found.packages), (_("settings"), found.settings), (_("pages"), found.pages),
        (_("services"), found.services),
    )  # fmt: skip
    for name, values in told:
        if values:
            say(f"      {name}: {', '.join(values)}", err=err)
    if found.danger:
        say("      " + _("dangerous: {what}", what=found.danger), err=err)


def say_pending(count: int) -> None:
    """How many changes stay on the phone, and how they are taken back."""
    said = ngettext("{count} change stays on the phone", "{count} changes stay on the phone", count)
    say(said + ". " + _("Take it back with: waymark anomaly undo --all"))


def _ask_dangerous(found: CommandEffects) -> bool:
    _print_command(found, err=True)
    try:
        return confirm(_("Run it all the same, this once?"))
    except UserError as error:
        # An answer as any other: what follows, or the next run, is not held up by it.
        raise DangerousCommandDenied(error.what, error.why, error.to_do) from None


def confirm(question: str) -> bool:
    """Ask a person on the terminal; raises UserError where there is nobody to ask."""
    if not sys.stdin.isatty():
        raise UserError(
            _("A person has to allow this command"),
            _("there is no terminal to ask on"),
            _("Use --trust or --allow-dangerous after you looked at it"),
        )
    return click.confirm(question, default=False, err=True)
