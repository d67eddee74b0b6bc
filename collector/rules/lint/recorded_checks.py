"""Check rules against recordings: values that were never seen, and implausible verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from collector.hierarchy.errors import SelectorError
from collector.located_yaml.diagnostics import Diagnostic, QuickFix
from collector.located_yaml.nearest_word import nearest
from collector.model.i18n import _, ngettext
from collector.model.task import PLACEHOLDER
from collector.model.task_parameter import filled, names_in
from collector.model.trajectory import GOLDEN
from collector.rules.backtest.backtest import BackTest, BackTestResult
from collector.rules.columns.corpus import TrajectoryRef
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.conditions.current_package_is import CurrentPackageIs
from collector.rules.conditions.element_exists import ElementExists, ElementNotExists
from collector.rules.conditions.element_property import ElementProperty
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.grammar.model import DGARA, INJECTION, SAFETY, STATE, SUCCESS, Condition, Unknown
from collector.rules.grammar.rule_text import LintContext, RuleText
from collector.rules.grammar.value_reader import compiled_selector
from collector.rules.lint.attributes import ATTRIBUTES, attribute_names
from collector.rules.lint.recorded_vocabulary import RecordedVocabulary

_FEW_STATES = 2
"""A rule that fires on each of fewer states than these has not fired everywhere."""


class RecordedChecks:
    """Checks rules against a corpus; one object serves many files."""

    def __init__(self, test: BackTest) -> None:
        self.test = test
        self.words = RecordedVocabulary(test)

    @cached_property
    def attributes(self) -> frozenset[str]:
        """Every attribute some recorded node has."""
        return frozenset(self.words.attributes)

    def diagnostics(self, files: Sequence[RuleText], semantics: str) -> list[Diagnostic]:
        """Every W401 to W411; nothing when nothing was recorded."""
        if not self.words.states:
            return []
        diagnostics: list[Diagnostic] = []
        for file in files:
            for rule in file.file.rules:
                context = LintContext(file, rule)
                for condition in context.conditions():
                    diagnostics += self._condition(context, condition, semantics)
                diagnostics += self._verdicts(context)
        return diagnostics

    def _condition(self, context: LintContext, condition: Condition, semantics: str) -> Iterator[Diagnostic]:
        if isinstance(condition, SemanticElementExists):
            yield from self._keywords(context, condition)
        elif isinstance(condition, (CurrentActivityIs, CurrentPackageIs)):
            yield from self._in_front(context, condition)
        elif selector := getattr(condition, "selector", ""):
            yield from self._selector(context, condition, selector, semantics)

    def _keywords(self, context: LintContext, condition: SemanticElementExists) -> Iterator[Diagnostic]:
        listed = context.value(condition, "keywords")
        for index, word in enumerate(condition.keywords):
            if not word.strip() or self.words.has_keyword(word):
                continue
            item = listed.items[index] if listed is not None and index < len(listed.items) else listed
            remove = context.without_item(listed, index, word) if listed is not None and listed.items else ()
            near = self.words.nearly(word)
            if near:
                fixes = tuple(context.change(item, word) for word in near if item is not None) + remove
                what = _("The keyword {word} was never seen, but {other} was", word=word, other=near[0])
                yield context.report(
                    "keyword-typo", item, what, _("One of them is probably a typing mistake"), fixes=fixes
                )
            else:
                what = _("The keyword {word} appears in no recorded state", word=word)
                yield context.report("keyword-unseen", item, what, fixes=remove)

    def _in_front(
        self, context: LintContext, condition: CurrentActivityIs | CurrentPackageIs
    ) -> Iterator[Diagnostic]:
        if self.test.verdicts(condition).holds.any():
            return
        activity = isinstance(condition, CurrentActivityIs)
        known = self.words.activities if activity else self.words.packages
        if not known:
            return
        node = context.value(condition, "value")
        better = nearest(condition.value, known)
        fixes = (context.change(node, better),) if better and node is not None else ()
        what = _("{name} was never in front in any recording", name=condition.value)
        yield context.report("activity-unseen", node, what, fixes=fixes)

    def _selector(
        self, context: LintContext, condition: Condition, selector: str, semantics: str
    ) -> Iterator[Diagnostic]:
        try:
            compiled_selector(selector)
        except SelectorError:
            return
        node = context.value(condition, "selector")
        asked = attribute_names(selector)
        asked += [condition.attribute] if isinstance(condition, ElementProperty) else []
        unseen = [name for name in dict.fromkeys(asked) if name in ATTRIBUTES and name not in self.attributes]
        for name in unseen:
            what = _("No recorded node has the attribute {name}", name=name)
            yield context.report("attribute-unseen", node, what, _("Other sources of trees may write it"))
        states = self.test.verdicts(ElementExists(selector=selector)).holds
        if unseen or isinstance(condition, ElementNotExists) or self._lacks_values(selector):
            return
        if not states.any():
            if not set(asked) - ATTRIBUTES:
                fixes = self._other_selectors(context, condition, selector)
                what = _("Nothing recorded matches {selector}", selector=selector)
                yield context.report("selector-unmatched", node, what, fixes=fixes)
        elif type(condition) is not ElementExists and condition.type != "action_was":
            yield from self._ambiguous(context, condition, selector, semantics)

    def _lacks_values(self, selector: str) -> bool:
        """Whether a selector names a parameter of which no recording has a value."""
        corpus = self.test.corpus
        names = {item.name for task in corpus.tasks.values() for item in task.parameters}
        is_filled = any(filled(selector, values) != selector for values, _places in corpus.values())
        return bool(names_in(selector) & names) and not is_filled

    def _ambiguous(
        self, context: LintContext, condition: Condition, selector: str, semantics: str
    ) -> Iterator[Diagnostic]:
        holds = self.test.verdicts(ElementExists(selector=selector)).holds
        for position in (int(index) for index in holds.nonzero()[0][:50]):
            count = len(self.test.corpus.view(position).find(selector))
            if count > 1:
                where = self.test.corpus.state(position)
                what = ngettext(
                    "The selector matches {count} node", "The selector matches {count} nodes", count
                )
                why = _(
                    "As in {trajectory}, step {step}", trajectory=where.trajectory.title, step=where.index + 1
                )
                only = (
                    _("D-GARA looks at the first alone") if semantics == DGARA else _("Any of them may hold")
                )
                yield context.report(
                    "selector-ambiguous", context.value(condition, "selector"), what, why, only
                )
                return

    def _other_selectors(
        self, context: LintContext, condition: Condition, selector: str
    ) -> tuple[QuickFix, ...]:
        """A quick fix that puts the nearest recorded value in the place of the selector's."""
        node = context.value(condition, "selector")
        compound = compiled_selector(selector).compound
        if node is None or compound is None or len(compound.terms) != 1 or compound.anchor is not None:
            return ()
        term = compound.terms[0]
        if term.operator != "=" or term.attribute not in (
            "text",
            "content-desc",
            "resource-id",
            "class",
            "package",
        ):
            return ()
        near = self.words.values_like(term.attribute, term.value)
        return tuple(
            context.change(node, value.join(selector.split(term.value, 1)))
            for value in near
            if "'" not in value and '"' not in value and "\\" not in value
        )

    def _verdicts(self, context: LintContext) -> Iterator[Diagnostic]:
        rule = context.rule
        if not rule.conditions.conditions or rule.id == PLACEHOLDER:
            return
        if any(isinstance(condition, Unknown) for condition in context.conditions()):
            return
        result = self.test.run(rule)
        if rule.kind == INJECTION:
            yield from _injection(context, result)
        elif rule.kind == SUCCESS:
            yield from _success(context, result)
        elif rule.kind == STATE:
            yield from self._order(context)
        elif rule.kind == SAFETY:
            yield from _safety(context, result)

    def _order(self, context: LintContext) -> Iterator[Diagnostic]:
        """Golden trajectories that come by a state before one it has to come after."""
        corpus = self.test.corpus
        by_id = {state.id: state for state in corpus.essential_states}
        own = self.test.run(context.rule)
        for name in context.rule.after:
            if name not in by_id:
                continue
            before = self.test.run(by_id[name])
            for row, other in zip(own.rows, before.rows, strict=True):
                first, last = row.first_fire, other.first_fire
                if row.trajectory.kind == GOLDEN and first is not None and last is not None and first < last:
                    what = _("{trajectory} reaches {id} at step {step}, and {before} only at step {later}",
                             trajectory=row.trajectory.title, id=context.rule.id, step=first + 1, before=name,
                             later=last + 1)  # fmt: skip
                    yield context.report("order-crossed", context.rule.id_place, what)
                    break


def _injection(context: LintContext, result: BackTestResult) -> Iterator[Diagnostic]:
    if not result.fires:
        near = ngettext("It nearly does on {count} of them", "It nearly does on {count} of them", result.near)
        what = _(
            "The rule {id} fires on none of {count} recorded states", id=context.rule.id, count=result.states
        )
        yield context.report("never-fires", context.rule.id_place, what, near if result.near else "")
    elif result.fires == result.states and result.states > _FEW_STATES:
        what = _(
            "The rule {id} fires on every one of {count} recorded states",
            id=context.rule.id,
            count=result.states,
        )
        yield context.report("fires-everywhere", context.rule.id_place, what)


def _success(context: LintContext, result: BackTestResult) -> Iterator[Diagnostic]:
    firing = result.rows.firing()
    first = next((row for row in firing if row.first_fire == 0 and len(row.outcomes) > 1), None)
    if first is not None:
        what = _("The rule {id} already holds on the first state of {trajectory}",
                 id=context.rule.id, trajectory=_named(first.trajectory))  # fmt: skip
        yield context.report(
            "true-at-start", context.rule.id_place, what, _("Nothing has been done there yet")
        )
    missed = next((row for row in result.rows.misfiring() if row.missed), None)
    if missed is not None:
        what = _("The rule {id} does not hold where {trajectory} ends",
                 id=context.rule.id, trajectory=_named(missed.trajectory))  # fmt: skip
        yield context.report(
            "false-at-end", context.rule.id_place, what, _("So no run can pass the task by it")
        )


def _safety(context: LintContext, result: BackTestResult) -> Iterator[Diagnostic]:
    for row in result.rows.misfiring():
        if row.first_fire is not None:
            what = _(
                "{trajectory} does at step {step} what the rule {id} forbids",
                trajectory=_named(row.trajectory), step=row.first_fire + 1, id=context.rule.id,
            )  # fmt: skip
            why = _("So even who does the task as it is meant fails")
            yield context.report("golden-unsafe", context.rule.id_place, what, why)
            return


def _named(trajectory: TrajectoryRef) -> str:
    return f"{trajectory.task_id}/{trajectory.title}" if trajectory.task_id else trajectory.title
