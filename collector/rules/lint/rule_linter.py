"""The rule linter: all diagnostics of a project's rule files, sorted, without suppressed ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from collector.located_yaml.diagnostics import Diagnostic
from collector.located_yaml.nearest_word import nearest
from collector.located_yaml.source import YamlSource, read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.model.anomaly_terms import EVENT_PREFIX, STANDARD_ANSWERS
from collector.model.cancellation import check_cancelled
from collector.model.i18n import _
from collector.rules.grammar.model import WAYMARK
from collector.rules.grammar.rule_text import LintContext, RuleText, rename_key
from collector.rules.grammar.value_reader import MAX_TEXTS
from collector.rules.lint.attributes import attributes
from collector.rules.lint.contradictions import contradictions
from collector.rules.lint.dgara_differences import dgara_differences
from collector.rules.lint.indexes import AnomalyIndex, TaskIndex
from collector.rules.lint.library_checks import library_diagnostics
from collector.rules.lint.linted_project import LintedProject
from collector.rules.lint.recorded_checks import RecordedChecks
from collector.rules.lint.references import references
from collector.rules.lint.state_cycles import state_cycles
from collector.rules.lint.suppressions import unsuppressed
from collector.rules.lint.thresholds import thresholds


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


def static_checks(
    file: RuleText, semantics: str = WAYMARK, seen: frozenset[str] = frozenset()
) -> Iterator[Diagnostic]:
    """Diagnostics of each rule by itself; ``seen`` are attributes recordings have beyond the known ones.

    Raises Cancelled between two rules.
    """
    for rule in file.file.rules:
        check_cancelled()
        context = LintContext(file, rule)
        yield from thresholds(context, semantics)
        yield from attributes(context, seen)
        yield from contradictions(context)
        yield from follow_ups(context)
        yield from dgara_differences(context, semantics)


def follow_ups(context: LintContext) -> Iterator[Diagnostic]:
    """Every W311 of one rule."""
    rule = context.file.mapping(context.rule.place) or _entry(context)
    own = rule.get("follow_up") if rule is not None else None
    inside = [mapping for action in context.rule.actions if (mapping := context.file.mapping(action.place))]
    for mapping in ([rule] if own is not None and rule is not None else []) + inside:
        yield from _follow_up(context, mapping)
    if own is None or rule is None or not own.pairs:
        return
    if inside and all(mapping.get("follow_up") is not None for mapping in inside):
        what = _("The rule's follow_up is never read")
        why = _("Its actions have their own")
        fixes = context.without_key(rule, "follow_up")
        yield context.report("follow-up-shape", rule.key("follow_up"), what, why, fixes=fixes)


def _entry(context: LintContext) -> YamlNode | None:
    """The mapping of a rule under its id."""
    root = context.file.source.root
    return root.get(context.rule.id) if root is not None else None


def _follow_up(context: LintContext, mapping: YamlNode) -> Iterator[Diagnostic]:
    listed = mapping.get("follow_up")
    if listed is None or listed.kind != "mapping":
        return
    if not listed.pairs:
        fixes = context.without_key(mapping, "follow_up")
        yield context.report("follow-up-shape", listed, _("follow_up names no answer"), fixes=fixes)
    for key, value in listed.pairs[:MAX_TEXTS]:
        if key.text not in STANDARD_ANSWERS and not key.text.startswith(EVENT_PREFIX):
            better = nearest(key.text.lower(), STANDARD_ANSWERS)
            fixes = (rename_key(key, better),) if better else context.without_key(listed, key.text)
            what = _("{key} is no answer", key=key.text)
            why = _("Answers are {known}, or EVENT: and a name", known=", ".join(STANDARD_ANSWERS))
            yield context.report("follow-up-shape", key, what, why, fixes=fixes)
        if value.kind != "scalar" or not value.text.strip():
            fixes = context.without_key(listed, key.text) or context.without_key(mapping, "follow_up")
            what = _("What follows {answer} has to be a text", answer=key.text)
            yield context.report("follow-up-shape", value, what, fixes=fixes)
