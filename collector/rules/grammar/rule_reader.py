"""Read the text of a rule file into rules and diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from collector.located_yaml.diagnostics import Diagnostic, Place
from collector.located_yaml.nearest_word import did_you_mean
from collector.located_yaml.source import YamlSource, read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.rules.grammar.condition_reader import ConditionReader
from collector.rules.grammar.model import INJECTION, SAFETY, STATE, SUCCESS, Group, Injection, Rule, RuleFile
from collector.rules.grammar.specs import ACTION_TYPES, INJECTION_FIELDS, RULE_SPECS, FieldSpec
from collector.rules.grammar.value_reader import RuleValueReader

_BY_NAME = (
    ("state", STATE),
    ("safety", SAFETY),
    ("success", SUCCESS),
    ("validat", SUCCESS),
    ("inject", INJECTION),
    ("rule", INJECTION),
)


def read_rules(text: str, path: str = "", kind: str = "") -> RuleFile:
    """All rules of ``text``; without ``kind`` the keys at its top decide.

    An injection file holds a list under ``rules`` (or nothing but the list, as in D-GARA's paper),
    a file of essential states a list under ``states``, one of safety rules under ``safety``,
    a success file a mapping of rules by id.
    """
    return rules_of(read_source(text), path, kind)


def rules_of(source: YamlSource, path: str = "", kind: str = "") -> RuleFile:
    """As :func:`read_rules`, for a text that is parsed already."""
    diagnostics: list[Diagnostic] = list(source.diagnostics)
    kind = kind or kind_of(source.root, path)
    reader = _RuleReader(kind, diagnostics)
    rules = tuple(reader.rules(source.root)) if source.root is not None else ()
    diagnostics.sort(key=lambda diagnostic: diagnostic.place)
    return RuleFile(kind, rules, tuple(replace(diagnostic, path=path) for diagnostic in diagnostics), path)


def kind_of(root: YamlNode | None, path: str = "") -> str:
    """The kind of a rule file: by its keys, else by its name."""
    if root is not None and root.kind == "sequence":
        return INJECTION
    if root is not None and root.kind == "mapping":
        if (listed := root.get("rules")) is not None and listed.kind != "mapping":
            return INJECTION
        if (listed := root.get("states")) is not None and listed.kind != "mapping":
            return STATE
        if (listed := root.get("safety")) is not None and listed.kind != "mapping":
            return SAFETY
        if any(value.kind == "mapping" for _key, value in root.pairs):
            return SUCCESS
    name = PurePath(path).name.lower()
    return next((kind for word, kind in _BY_NAME if word in name), INJECTION)


class _RuleReader:
    """Reads the rules of one file and appends what is wrong to ``diagnostics``."""

    def __init__(self, kind: str, diagnostics: list[Diagnostic]) -> None:
        self._kind = kind
        self._spec = RULE_SPECS[kind]
        self._reader = RuleValueReader(diagnostics)
        self._conditions = ConditionReader(self._reader)

    def rules(self, root: YamlNode) -> Iterator[Rule]:
        for key, node in self._entries(root):
            rule_id = key.text if key is not None else _id_of(node)
            self._reader.rule_id = rule_id
            if node.kind != "mapping":
                self._reader.wrong_shape(node, _("A rule has to be a mapping of its keys"))
                continue
            yield self._rule(rule_id, key, node)
        self._reader.rule_id = ""

    def _entries(self, root: YamlNode) -> Iterator[tuple[YamlNode | None, YamlNode]]:
        if root.kind == "scalar":
            if root.plain is not None:
                self._reader.report(
                    "wrong-shape", root.place, _("A rule file holds rules, not a single text")
                )
            return
        if self._kind == SUCCESS:
            yield from root.pairs
            return
        listed: YamlNode | None = root
        if root.kind == "mapping":
            listed = root.get(self._spec.root)
            for key, _value in root.pairs:
                if key.text != self._spec.root:
                    self._reader.report_unknown_key(key, (self._spec.root,))
        if listed is None or listed.is_null:
            return
        if listed.kind != "sequence":
            what = _("{key} has to be a list of rules", key=self._spec.root)
            self._reader.wrong_shape(listed, what)
            return
        yield from ((None, item) for item in listed.items)

    def _rule(self, rule_id: str, key: YamlNode | None, node: YamlNode) -> Rule:
        if not rule_id:
            self._reader.report("missing-field", node.place, _("The rule has no id, so nothing can name it"))
        values = self._fields(node, self._spec.fields, skip=("conditions", "actions", "follow_up"))
        values.pop("id", None)
        written = key or node.get("id") or node
        group = self._group(rule_id, node)
        actions = tuple(self._actions(node)) if self._kind == INJECTION else ()
        return Rule(
            id=rule_id, kind=self._kind, conditions=group, actions=actions,
            place=Place(written.place.start if key else node.place.start, node.place.end,
                        written.place.line if key else node.place.line,
                        written.place.column if key else node.place.column),
            id_place=written.place, raw=node.plain, **values,
        )  # fmt: skip

    def _group(self, rule_id: str, node: YamlNode) -> Group:
        conditions = node.get("conditions")
        if conditions is None or conditions.is_null or not (conditions.items or conditions.pairs):
            if self._kind == STATE:  # people and models judge it
                return Group(place=(conditions or node).place, raw=conditions.plain if conditions else None)
            key = node.key("conditions") or node.key("id") or node
            what = _("The rule {id} has no conditions", id=rule_id)
            self._reader.report("no-conditions", key.place, what,
                               _("D-GARA always fires such a rule, and never passes such a success rule"),
                               _("Add one by clicking a node"))  # fmt: skip
            return Group(place=(conditions or node).place, raw=conditions.plain if conditions else None)
        return self._conditions.group(conditions, dgara_list=self._kind != INJECTION)

    def _actions(self, node: YamlNode) -> Iterator[Injection]:
        listed = node.get("actions")
        rule_follow_up = self._reader.mapping(node.get("follow_up"))
        if listed is None:
            key = node.key("id") or node
            self._reader.report(
                "missing-field", key.place, _("The rule has no actions, so nothing is injected")
            )
            return
        for item in listed.items if listed.kind == "sequence" else [listed]:
            if item.kind != "mapping":
                self._reader.wrong_shape(item, _("An action has to be a mapping of its keys"))
                continue
            yield self._action(item, rule_follow_up)

    def _action(self, item: YamlNode, rule_follow_up: dict[str, str]) -> Injection:
        written = item.get("type")
        if written is not None and written.text not in ACTION_TYPES:
            fixes = did_you_mean(written.text, ACTION_TYPES, written.place)
            what = _("There is no action {type}", type=written.text)
            self._reader.report("unknown-type", written.place, what, fixes=fixes)
        values = self._fields(item, INJECTION_FIELDS, skip=("follow_up",))
        follow_up = self._reader.mapping(item.get("follow_up")) or rule_follow_up
        name = item.get("interference_id")
        return Injection(**values, follow_up=follow_up, place=item.place,
                         id_place=name.place if name else item.place, raw=item.plain)  # fmt: skip

    def _fields(self, node: YamlNode, specs: tuple[FieldSpec, ...], skip: tuple[str, ...]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, value in node.pairs:
            spec = next((spec for spec in specs if key.text == spec.name or key.text in spec.aliases), None)
            if spec is None:
                self._reader.report_unknown_key(key, tuple(spec.name for spec in specs))
            elif spec.name not in skip:
                read = self._reader.value(spec, value)
                if read is not None:
                    values[spec.name] = read
        for spec in specs:
            given = spec.name in values or node.get(spec.name) is not None or spec.name in skip
            if spec.required and not given and spec.name != "id":
                what = _("{key} is missing", key=spec.name)
                self._reader.report("missing-field", node.place, what, _(spec.doc))
        return values


def _id_of(node: YamlNode) -> str:
    written = node.get("id") if node.kind == "mapping" else None
    return written.text if written is not None and written.kind == "scalar" else ""
