"""The rule linter: all diagnostics of a project's rule files, sorted, without suppressed ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.located_yaml.source import YamlSource, read_source
from collector.rules.grammar.model import WAYMARK
from collector.rules.lint.indexes import AnomalyIndex, TaskIndex
from collector.rules.lint.library_checks import library_diagnostics
from collector.rules.lint.linted_project import LintedProject
from collector.rules.lint.recorded_checks import RecordedChecks
from collector.rules.lint.references import references
from collector.rules.lint.rule_text import RuleText
from collector.rules.lint.state_cycles import state_cycles
from collector.rules.lint.static_checks import static_checks
from collector.rules.lint.suppressions import unsuppressed


@dataclass(frozen=True)
class RuleLinter:
    """The files to lint and what is known about their project; what is None is unknown and not checked."""

    files: Sequence[RuleText]
    tasks: TaskIndex | None = None
    library: AnomalyIndex | None = None
    recorded: RecordedChecks | None = None
    semantics: str = WAYMARK
    has_every_file: bool = False
    """Whether ``files`` are all rule files of the project."""

    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics, by file in the given order and then by place."""
        diagnostics = list(self.by_themselves()) + list(self.together())
        if self.recorded is not None:
            diagnostics += self.recorded.diagnostics(self.files, self.semantics)
        return self._in_order(diagnostics)

    def by_themselves(self) -> Iterator[Diagnostic]:
        """Diagnostics of each file by itself; fast enough to run while a person types."""
        seen = self.recorded.attributes if self.recorded is not None else frozenset()
        for file in self.files:
            yield from file.file.diagnostics
            yield from static_checks(file, self.semantics, seen)

    def together(self) -> Iterator[Diagnostic]:
        """Diagnostics of files, tasks and library together."""
        project = LintedProject(self.files, self.tasks, self.library, self.has_every_file)
        yield from references(project)
        yield from state_cycles(project)
        yield from library_diagnostics(project)

    def _in_order(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        by_path: dict[str, list[Diagnostic]] = {}
        for diagnostic in dict.fromkeys(diagnostics):  # a node with aliases is reported once per use
            by_path.setdefault(diagnostic.path, []).append(diagnostic)
        ordered: list[Diagnostic] = []
        for path, source in self._sources():
            own = unsuppressed(by_path.pop(path, []), source)
            ordered += sorted(
                (replace(diagnostic, path=path) for diagnostic in own),
                key=lambda diagnostic: (diagnostic.place, diagnostic.code),
            )
        return ordered + [diagnostic for left in by_path.values() for diagnostic in left]

    def _sources(self) -> Iterator[tuple[str, YamlSource]]:
        """Each text that may have diagnostics, once."""
        texts = {file.path: file.source for file in self.files}
        for index in (self.tasks, self.library):
            if index is not None and index.text and index.path not in texts:
                texts[index.path] = read_source(index.text)
        yield from texts.items()


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of the diagnostics is an error."""
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
