"""What a project's library would run, for the person who decides whether it may; for jobs only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from collector.anomalies.command_preview import CommandGroup, CommandSet, preview_commands
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.model import AnomalyLibrary
from collector.anomalies.reader import read_library
from collector.anomalies.trust import TrustBook, of_project
from collector.rules.grammar.errors import RuleError
from collector.rules.lint.files import rules_in
from collector.store.errors import Damaged
from collector.store.layout import LIBRARY_FILE, ProjectPaths


@dataclass(frozen=True, slots=True)
class TrustRequest:
    """An anomaly was to be fired whose project nobody has trusted yet."""

    folder: Path
    request: InjectionRequest
    groups: tuple[CommandGroup, ...]
    commands: tuple[str, ...]
    """As their file writes them: what would be trusted."""


def read_project_library(folder: Path) -> AnomalyLibrary | None:
    """The project's own library, None when it has none; raises Damaged when it cannot be read."""
    path = ProjectPaths(folder).library
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise Damaged(LIBRARY_FILE, str(error)) from None
    return read_library(text, str(path))


def untrusted_commands(folder: Path, request: InjectionRequest) -> TrustRequest | None:
    """What has to be looked at before ``request`` may be fired; None when it may be.

    That is all of the project that nobody trusted yet, so that it is asked about once.
    """
    trusts = of_project(folder)
    if all(map(trusts, request.commands)):
        return None
    project, anomaly = _runnable(folder), request.anomaly
    wanted = TrustBook().untrusted(folder, [*project.commands, *request.commands])
    # A project that does not say that it is trusted runs nothing, whatever was looked at before.
    wanted = wanted or request.commands
    unsaved = [one for one in request.following if one not in project.commands]
    own = preview_commands(anomaly, wanted, request.values, request.package, unsaved)
    others = CommandSet([one for one in project.anomalies if one.id != anomaly.id], project.rules)
    groups = (*([own] if own.commands else ()), *others.preview(wanted))
    return TrustRequest(folder, request, groups, tuple(wanted))


def _runnable(folder: Path) -> CommandSet:
    """What can be read of the project; a file that cannot be has nothing to run."""
    try:
        library = read_project_library(folder)
    except (Damaged, RuleError):
        library = None
    try:
        rules = rules_in(ProjectPaths(folder).rule_files())
    except RuleError:
        rules = []
    return CommandSet(library.anomalies if library is not None else (), rules)
