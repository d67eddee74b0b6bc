"""The anomalies and rules a use works with: of a project, a library file, packages and the studio."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.model import Anomaly, AnomalyLibrary
from collector.anomalies.reader import read_library
from collector.anomalies.trust.command_preview import CommandGroup, CommandSet, preview_commands
from collector.anomalies.trust.command_trust import CommandTrust
from collector.anomalies.trust.trust import TrustBook
from collector.consent.allowed_hosts import AllowedHosts
from collector.consent.transfer import Transfer
from collector.located_yaml.diagnostics import Severity
from collector.located_yaml.nearest_word import nearest
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.plugins.entry_points import LoadedPlugins, load_plugins
from collector.project_rules.project_rules import ProjectRules
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import Rule
from collector.rules.grammar.rule_files import read_text
from collector.rules.lint.indexes import AnomalyIndex, IndexedAnomaly, WrittenName
from collector.store.project.project import Project


@dataclass(frozen=True, slots=True)
class ListedAnomaly:
    """An anomaly a person can choose, and where it comes from."""

    anomaly: Anomaly
    installed: bool
    """It comes with the studio or an installed package, and not with the project."""


@dataclass(frozen=True, slots=True)
class TrustRequest:
    """What a person has to agree to before ``request`` may run in the project in ``folder``.

    ``request`` is None for commands that inject nothing, such as those of a reset.
    """

    folder: Path
    request: InjectionRequest | None
    groups: tuple[CommandGroup, ...]
    commands: tuple[str, ...]
    """The commands as their files write them: what the trust is given for."""
    transfers: tuple[Transfer, ...] = ()
    """What is sent to hosts: what is allowed in all projects."""

    def grant(self, trust: CommandTrust) -> None:
        """Keep that a person agreed. Writes to the disk."""
        if self.commands:
            trust.trust(self.commands)
        if self.transfers:
            AllowedHosts().allow(self.transfers)


class AnomalySource:
    """Finds anomalies and rules, and knows whether their commands may run.

    An anomaly of the project, or of the library file, goes before one of an installed package, and that
    before the studio's. Reads the disk when it is made.
    """

    def __init__(
        self, project: Project | None = None, library: Path | None = None, book: TrustBook | None = None
    ) -> None:
        """A file that cannot be read has no anomalies; ``problem`` says why."""
        self.project = project
        self.trust = CommandTrust(project, library, book)
        self.library = AnomalyLibrary()
        self.problem: UserError | None = None
        path = library
        if path is None and project is not None and project.paths.library.is_file():
            path = project.paths.library
        self._path = path
        if path is not None:
            try:
                self.library = read_library(read_text(path), str(path))
            except RuleError as error:
                self.problem = error

    @classmethod
    def open(cls, folder: Path | None, library: Path | None = None) -> AnomalySource:
        """Open a project or a library file. Raises StoreError, or RuleError when it cannot be read."""
        source = cls(Project.open(folder) if folder is not None else None, library)
        if source.problem is not None:
            raise source.problem
        return source

    # -- anomalies -----------------------------------------------------------
    @cached_property
    def _installed(self) -> tuple[AnomalyLibrary, ...]:
        return (*installed_libraries().values, builtin_library())

    def find(self, anomaly_id: str) -> Anomaly | None:
        """The anomaly of that id, None when no library has it."""
        libraries = (self.library, *self._installed)
        return next((anomaly for library in libraries if (anomaly := library.get(anomaly_id))), None)

    def anomaly(self, anomaly_id: str) -> Anomaly:
        """The anomaly of that id. Raises RuleError, with the nearest id, when no library has it."""
        anomaly = self.find(anomaly_id)
        if anomaly is None:
            near = nearest(anomaly_id, [listed.anomaly.id for listed in self.listed()])
            to_do = _("Name one of: {known}", known=near) if near else _("See `waymark anomaly list`")
            raise RuleError(_("The library has no anomaly {id}", id=anomaly_id), "", to_do)
        return anomaly

    def listed(self) -> tuple[ListedAnomaly, ...]:
        """Every anomaly, the project's first; one hides those of the same id that come later."""
        listed = {
            anomaly.id: ListedAnomaly(anomaly, False) for anomaly in self.library.anomalies if anomaly.id
        }
        for library in self._installed:
            for anomaly in library.anomalies:
                listed.setdefault(anomaly.id, ListedAnomaly(anomaly, True))
        return tuple(listed.values())

    @property
    def own_problem(self) -> UserError | None:
        """Why the library of the project, or of the file, has no anomalies; None when it can be read."""
        path, what = self._path, _("The project's anomalies cannot be read")
        if self.project is None and path is not None:
            what = _("{path} cannot be read", path=path)
        if self.problem is not None:
            to_do = _("Correct {name}", name=path.name if path is not None else "")
            return UserError(what, self.problem.why or self.problem.what, to_do)
        if self.library.anomalies:
            return None
        errors = (entry for entry in self.library.diagnostics if entry.severity is Severity.ERROR)
        return next((UserError(what, error.sentence) for error in errors), None)

    def problems(self) -> list[UserError]:
        """Why libraries are not there, the project's first."""
        own = self.own_problem
        return [
            *([own] if own is not None else []),
            *(UserError(plugin.problem) for plugin in installed_libraries().broken),
        ]

    def installed_index(self) -> AnomalyIndex:
        """The ids that rules of a project without a library can name: those of packages and the studio."""
        listed = (listed.anomaly.id for listed in self.listed() if listed.installed)
        return AnomalyIndex(tuple(IndexedAnomaly(WrittenName(each)) for each in listed))

    # -- rules and commands --------------------------------------------------
    def rules(self) -> list[Rule]:
        """Every rule of the project. Raises RuleError when a rule file cannot be read."""
        return ProjectRules(self.project).rules() if self.project is not None else []

    def commands(self) -> CommandSet:
        """All that the project itself may run; a rule file that cannot be read has nothing to run."""
        try:
            rules = self.rules()
        except RuleError:
            rules = []
        return CommandSet(self.library.anomalies, rules)

    def trust_request(self, request: InjectionRequest) -> TrustRequest | None:
        """What a person has to trust before ``request`` may run; None when it may run.

        It holds everything of the project that nobody trusted yet, so that a person is asked once.
        """
        if self.project is None or not self.trust.untrusted(request.commands):
            return None
        project, anomaly = self.commands(), request.anomaly
        untrusted = self.trust.untrusted([*project.commands, *request.commands])
        unsaved = [command for command in request.following if command not in project.commands]
        first = preview_commands(anomaly, untrusted, request.values, request.package, unsaved)
        others = CommandSet([other for other in project.anomalies if other.id != anomaly.id], project.rules)
        groups = (*([first] if first.commands else ()), *others.preview(untrusted))
        return TrustRequest(self.project.folder, request, groups, tuple(untrusted))


ENTRY_POINT_GROUP = "waymark.anomalies"
"""An entry point of this group is the library or a function that returns it.

The library is its YAML text, or the path of its file: a ``Path``, or what ``importlib.resources.files``
gives. Its shell commands run only after a person trusted them, as those of a project.
"""


@cache
def installed_libraries() -> LoadedPlugins[AnomalyLibrary]:
    """The library of every entry point, in order of name, and those that are broken. Loaded once."""
    return load_plugins(ENTRY_POINT_GROUP, _library_of)


def _library_of(plugin: Any, value: str) -> AnomalyLibrary:
    text, path = _text_of(plugin)
    library = read_library(text, path or f"{ENTRY_POINT_GROUP}:{value}")
    errors = [diagnostic for diagnostic in library.diagnostics if diagnostic.severity is Severity.ERROR]
    if errors and not library.anomalies:
        raise RuleError(errors[0].sentence)
    return library


def _text_of(value: Any) -> tuple[str, str]:
    """The YAML text of an entry point's value, and the path of its file where it has one."""
    if callable(value):
        value = value()
    if isinstance(value, Path):
        return read_text(value), str(value)
    if isinstance(value, str):
        return value, ""
    if hasattr(value, "read_text"):
        return value.read_text("utf-8"), str(value)
    raise RuleError(_("a YAML text or a path was expected, not {type}", type=type(value).__name__))
