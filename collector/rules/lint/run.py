"""The linter: all that can be said about a project's rule files, sorted, without what is silenced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from collector.located_yaml.diagnostics import Diagnostic, Severity
from collector.located_yaml.source import YamlSource, read_source
from collector.rules.grammar.model import WAYMARK
from collector.rules.lint.indexes import AnomalyIndex, TaskIndex
from collector.rules.lint.library import library_findings
from collector.rules.lint.recorded import Recorded
from collector.rules.lint.references import Project, references
from collector.rules.lint.silence import silenced
from collector.rules.lint.states import cycles
from collector.rules.lint.static import static
from collector.rules.lint.text import RuleText


@dataclass(frozen=True)
class Lint:
    """What rules are judged by; what is None is not known, and nothing that needs it is said."""

    files: Sequence[RuleText]
    tasks: TaskIndex | None = None
    library: AnomalyIndex | None = None
    recorded: Recorded | None = None
    semantics: str = WAYMARK

    def findings(self) -> list[Diagnostic]:
        """Everything found, by file in the order given and then by place."""
        found = list(self.by_themselves()) + list(self.together())
        if self.recorded is not None:
            found += self.recorded.findings(self.files, self.semantics)
        return self._in_order(found)

    def by_themselves(self) -> Iterator[Diagnostic]:
        """What each file says about itself, from its grammar on; quick enough while somebody types."""
        seen = self.recorded.attributes if self.recorded is not None else frozenset()
        for file in self.files:
            yield from file.file.diagnostics
            yield from static(file, self.semantics, seen)

    def together(self) -> Iterator[Diagnostic]:
        """What the files, tasks and library say about each other."""
        project = Project(self.files, self.tasks, self.library)
        yield from references(project)
        yield from cycles(project)
        yield from library_findings(project)

    def _in_order(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        by_path: dict[str, list[Diagnostic]] = {}
        for one in dict.fromkeys(found):  # what stands behind an alias is found once for each use
            by_path.setdefault(one.path, []).append(one)
        ordered: list[Diagnostic] = []
        for path, source in self._sources():
            own = silenced(by_path.pop(path, []), source)
            ordered += sorted((replace(one, path=path) for one in own), key=lambda one: (one.place, one.code))
        return ordered + [one for left in by_path.values() for one in left]

    def _sources(self) -> Iterator[tuple[str, YamlSource]]:
        """Every text findings may stand in, once."""
        texts = {file.path: file.source for file in self.files}
        for index in (self.tasks, self.library):
            if index is not None and index.text and index.path not in texts:
                texts[index.path] = read_source(index.text)
        yield from texts.items()


def has_errors(found: Iterable[Diagnostic]) -> bool:
    """Whether anything found keeps a rule from doing what it says."""
    return any(one.severity is Severity.ERROR for one in found)
