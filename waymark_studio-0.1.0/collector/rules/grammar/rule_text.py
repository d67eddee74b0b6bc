"""A rule file with its text, so that a diagnostic can point at a value and offer a quick fix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from collector.located_yaml.codes import diagnostic
from collector.located_yaml.diagnostics import NOWHERE, Diagnostic, Place, QuickFix, TextEdit
from collector.located_yaml.fixes import remove_item, remove_key, write
from collector.located_yaml.source import YamlSource, read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.model import Condition, Group, Rule, RuleFile
from collector.rules.grammar.rule_reader import rules_of

_LIST_KEYS = {"any_of": "sub_conditions"}


@dataclass(frozen=True, eq=False)
class RuleText:
    """``source`` and the rules that were read from it."""

    source: YamlSource
    file: RuleFile
    positions: dict[Place, dict[Place, tuple[YamlNode, int]]] = field(default_factory=dict, repr=False)
    """By the place of a rule: the list and the index of each of its conditions, once they were asked for."""
    _nodes: dict[tuple[str, int, int], YamlNode] = field(default_factory=dict, repr=False)

    @property
    def text(self) -> str:
        return self.source.text

    @property
    def path(self) -> str:
        return self.file.path

    def mapping(self, place: Place) -> YamlNode | None:
        """The mapping at ``place``."""
        return self._node("mapping", place)

    def sequence(self, place: Place) -> YamlNode | None:
        """The list at ``place``."""
        return self._node("sequence", place)

    def _node(self, kind: str, place: Place) -> YamlNode | None:
        if not self._nodes and self.source.root is not None:
            for node in walk(self.source.root):
                self._nodes.setdefault((node.kind, node.place.start, node.place.end), node)
        return self._nodes.get((kind, place.start, place.end))


def rule_text(text: str, path: str = "", kind: str = "") -> RuleText:
    """Read a rule file for the linter; never raises."""
    source = read_source(text)
    return RuleText(source, rules_of(source, path, kind))


def walk(root: YamlNode) -> Iterator[YamlNode]:
    """Every node once; an anchored node at its first place."""
    waiting, seen = [root], set()
    while waiting:
        node = waiting.pop()
        mark = (node.kind, node.place.start, node.place.end)
        if mark in seen:
            continue
        seen.add(mark)
        yield node
        waiting += node.items
        for pair in node.pairs:
            waiting += pair


@dataclass(frozen=True, slots=True)
class LintContext:
    """One rule under the linter: finds the places of its values and reports diagnostics on it."""

    file: RuleText
    rule: Rule

    def conditions(self) -> Iterator[Condition]:
        """The rule's conditions, groups among them, outermost first."""
        return self.rule.conditions.walk()

    def value(self, condition: Condition, name: str) -> YamlNode | None:
        """The value of a condition's key, whichever of its spellings was used."""
        mapping = self.file.mapping(condition.place)
        spec = condition_specs().get(condition.type)
        known = spec.field(name) if spec is not None else None
        names = (name, *known.aliases) if known is not None else (name,)
        return next((node for name in names if mapping and (node := mapping.get(name)) is not None), None)

    def listed(self, group: Group) -> YamlNode | None:
        """The YAML list with the conditions of a group."""
        mapping = self.file.mapping(group.place)
        if mapping is None:
            return self.file.sequence(group.place)
        node = mapping.get(_LIST_KEYS.get(group.spelling, group.spelling))
        return node if node is not None and node.kind == "sequence" else None

    def report(
        self,
        name: str,
        where: YamlNode | Place | None,
        what: str,
        why: str = "",
        to_do: str = "",
        *,
        fixes: tuple[QuickFix, ...] = (),
    ) -> Diagnostic:
        place = where.place if isinstance(where, YamlNode) else where or self.rule.id_place or NOWHERE
        diagnosed = diagnostic(name, place, what, why, to_do, rule_id=self.rule.id, fixes=fixes)
        return replace(diagnosed, path=self.file.path)

    def change(self, node: YamlNode, text: str) -> QuickFix:
        """A quick fix that replaces the scalar ``node`` by ``text``."""
        return change(node, text, self.file.text)

    def number(self, node: YamlNode, number: str) -> QuickFix:
        """A quick fix that replaces the scalar ``node`` by a number."""
        edit = TextEdit(node.place.start, node.place.end, number)
        return QuickFix(_("Change to {word}", word=number), (edit,))

    def without_item(self, sequence: YamlNode, index: int, name: str) -> tuple[QuickFix, ...]:
        """A quick fix that removes an entry of a list; empty when that is not safe."""
        edit = remove_item(sequence, index, self.file.text)
        return (QuickFix(_("Remove {name}", name=name), (edit,)),) if edit else ()

    def without_condition(self, condition: Condition) -> tuple[QuickFix, ...]:
        """A quick fix that removes a condition from its group; empty when it is the only one."""
        if self.rule.place not in self.file.positions:
            self.file.positions[self.rule.place] = self._positions()
        found = self.file.positions[self.rule.place].get(condition.place)
        return self.without_item(*found, condition.type or _("the group")) if found is not None else ()

    def _positions(self) -> dict[Place, tuple[YamlNode, int]]:
        """The list and the index of each condition of the rule, by its place."""
        positions: dict[Place, tuple[YamlNode, int]] = {}
        for group in self.conditions():
            sequence = self.listed(group) if isinstance(group, Group) else None
            if sequence is not None:
                for index, item in enumerate(sequence.items):
                    positions.setdefault(item.place, (sequence, index))
        return positions

    def without_key(self, mapping: YamlNode, name: str) -> tuple[QuickFix, ...]:
        """A quick fix that removes a key of a mapping that has several."""
        key = mapping.key(name)
        if key is None or len(mapping.pairs) < 2:
            return ()
        return (QuickFix(_("Remove {name}", name=name), (remove_key(mapping, key),)),)


def change(node: YamlNode, text: str, source: str) -> QuickFix:
    """A quick fix that replaces the scalar ``node`` of ``source`` by ``text``."""
    return QuickFix(_("Change to {word}", word=text), (write(node, text, source),))


def rename_key(key: YamlNode, name: str) -> QuickFix:
    """A quick fix that renames a key."""
    return QuickFix(_("Rename to {name}", name=name), (TextEdit(key.place.start, key.place.end, name),))
