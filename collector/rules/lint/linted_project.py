"""The rule files, tasks and library that are linted together, and what they define."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from collector.located_yaml.codes import diagnostic
from collector.located_yaml.diagnostics import Diagnostic, QuickFix
from collector.located_yaml.nearest_word import nearest
from collector.rules.grammar.model import KINDS, Rule
from collector.rules.grammar.rule_text import LintContext, RuleText, change
from collector.rules.lint.indexes import AnomalyIndex, TaskIndex, WrittenName


@dataclass(frozen=True)
class LintedProject:
    """The files of a project that refer to each other; what is None is unknown and not checked."""

    files: Sequence[RuleText] = ()
    tasks: TaskIndex | None = None
    library: AnomalyIndex | None = None
    has_every_file: bool = False
    """Whether ``files`` are all rule files of the project."""
    ids: dict[str, frozenset[str]] = field(init=False)
    """Ids of rules by kind."""

    def __post_init__(self) -> None:
        ids = {kind: frozenset(rule.id for rule in self.rules(kind)) for kind in KINDS}
        object.__setattr__(self, "ids", ids)

    def rules(self, kind: str) -> list[Rule]:
        return [context.rule for context in self.contexts(kind)]

    def contexts(self, kind: str = "") -> Iterator[LintContext]:
        """Every rule of one kind, or of all, with its file."""
        for file in self.files:
            if kind in ("", file.file.kind):
                yield from (LintContext(file, rule) for rule in file.file.rules)

    def knows(self, kind: str) -> bool:
        """Whether all rules of a kind are known: there is a file of them, and each could be read."""
        files = [file for file in self.files if file.file.kind == kind]
        return bool(files) and all(file.source.is_whole for file in files)

    def in_tasks(
        self,
        name: str,
        at: WrittenName,
        what: str,
        why: str = "",
        to_do: str = "",
        fixes: tuple[QuickFix, ...] = (),
    ) -> Diagnostic:
        """A finding in the file of tasks."""
        path = self.tasks.path if self.tasks is not None else ""
        return replace(diagnostic(name, at.place, what, why, to_do, fixes=fixes), path=path)

    def in_library(
        self, name: str, at: WrittenName, what: str, why: str = "", fixes: tuple[QuickFix, ...] = ()
    ) -> Diagnostic:
        """A finding in the library."""
        path = self.library.path if self.library is not None else ""
        return replace(diagnostic(name, at.place, what, why, fixes=fixes), path=path)


def renamed(at: WrittenName, known: Collection[str], text: str) -> tuple[QuickFix, ...]:
    """The nearest known name written in the place of one that is not known."""
    better = nearest(at.text, known)
    return (change(at.node, better, text),) if better and at.node is not None else ()
