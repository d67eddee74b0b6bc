"""Conditions of a rule file: groups, nesting, aliases and the mistakes people make in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from collector.located_yaml.diagnostics import QuickFix
from collector.located_yaml.fixes import remove_key
from collector.located_yaml.nearest_word import did_you_mean
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.rules.grammar.condition_registry import condition_types
from collector.rules.grammar.model import Condition, Group, Unknown
from collector.rules.grammar.specs import ANY_OF, GROUP_KEYS, ConditionSpec
from collector.rules.grammar.value_reader import RuleValueReader

MAX_NESTING = 40
MAX_CONDITIONS = 1000
"""Conditions of one rule, those in groups among them."""


class ConditionReader:
    """Reads conditions; ``reader`` collects the diagnostics."""

    def __init__(self, reader: RuleValueReader) -> None:
        self._reader = reader
        self._depth = 0
        self._left = MAX_CONDITIONS

    def group(self, node: YamlNode, *, dgara_list: bool = False) -> Group:
        """The group under ``conditions``: a list (all of them) or a mapping with ``all``, ``any`` or ``not``.

        ``dgara_list``: the original writes this kind of rule as a list, or does not know it.
        """
        self._left = MAX_CONDITIONS
        if node.kind == "sequence":
            if not dgara_list:
                what = _("conditions is a list; D-GARA's engine wants all: above it")
                self._reader.report("semantics-differ", node.place, what)
            return self._of_list("all", "all", node, node)
        if node.kind == "mapping":
            read = self.condition(node)
            if isinstance(read, Group) and read.spelling == "all":
                return read
            return Group(conditions=(read,), place=node.place, raw=node.plain)
        self._reader.report(
            "wrong-shape", node.place, _("conditions has to be a list, or all:, any: or not:")
        )
        return Group(place=node.place, raw=node.plain)

    def condition(self, node: YamlNode) -> Condition:
        if node.kind != "mapping":
            self._reader.wrong_shape(node, _("A condition has to be a mapping with a type"))
            return Unknown(place=node.place, raw=node.plain)
        self._depth += 1
        try:
            if self._depth > MAX_NESTING:
                self._reader.wrong_shape(node, _("Conditions are nested too deeply"))
                return Unknown(place=node.place, raw=node.plain)
            return self._condition(node)
        finally:
            self._depth -= 1

    def _condition(self, node: YamlNode) -> Condition:
        written = node.get("type")
        if written is None:
            return self._untyped(node)
        if written.text == ANY_OF.type:
            return self._any_of(node)
        types = condition_types().by_name
        condition_type = types.get(written.text)
        if condition_type is None:
            fixes = did_you_mean(written.text, (*types, ANY_OF.type, *GROUP_KEYS), written.place)
            what = _("There is no condition {type}", type=written.text)
            why = _("D-GARA takes it for true in injection rules and false in success rules")
            self._reader.report("unknown-type", written.place, what, why, fixes=fixes)
            return Unknown(written=written.text, place=node.place, raw=node.plain)
        spec = condition_type.spec
        values = self._values(spec, node)
        lacking = [field.name for field in spec.fields if field.required and field.name not in values]
        if lacking:
            return Unknown(written=spec.type, place=node.place, raw=node.plain)
        condition: Condition = condition_type.condition(**values, place=node.place, raw=node.plain)
        return condition

    def _untyped(self, node: YamlNode) -> Condition:
        groups = [(key, value) for key, value in node.pairs if key.text in GROUP_KEYS]
        others = [key for key, _value in node.pairs if key.text not in (*GROUP_KEYS, "min_step")]
        if not groups:
            fixes: tuple[QuickFix, ...] = ()
            if others:
                fixes = did_you_mean(others[0].text, (*GROUP_KEYS, "type"), others[0].place)
            self._reader.report("missing-field", node.place, _("The condition has no type"), fixes=fixes)
            return Unknown(place=node.place, raw=node.plain)
        for key in others:
            self._reader.report_unknown_key(key)
        min_step = self._min_step(node)
        read = tuple(self._of_list(key.text, key.text, value, node, min_step) for key, value in groups)
        if len(read) == 1:
            return read[0]
        return Group(conditions=read, place=node.place, raw=node.plain, min_step=min_step)

    def _any_of(self, node: YamlNode) -> Condition:
        listed = node.get("sub_conditions")
        self._report_unknown_keys(ANY_OF, node)
        if listed is None:
            self._reader.report(
                "missing-field", node.place, _("any_of has no sub_conditions, so it never holds")
            )
            return Unknown(written="any_of", place=node.place, raw=node.plain)
        return self._of_list("any", "any_of", listed, node, self._min_step(node))

    def _of_list(
        self, kind: str, spelling: str, listed: YamlNode, whole: YamlNode, min_step: int = 0
    ) -> Group:
        if listed.kind == "scalar":
            place = listed.place if listed.text else whole.place
            self._reader.report("wrong-shape", place, _("{key} has to be a list of conditions", key=spelling))
            items: list[YamlNode] = []
        else:
            items = listed.items if listed.kind == "sequence" else [listed]
        conditions = tuple(self._read_items(items))
        return Group(kind=kind, spelling=spelling, conditions=conditions, min_step=min_step,
                     place=whole.place, raw=whole.plain)  # fmt: skip

    def _read_items(self, items: Iterable[YamlNode]) -> Iterator[Condition]:
        """Conditions up to the limit of a rule; the first one beyond it is not read, and no more follow."""
        for item in items:
            self._left -= 1
            if self._left < 0:
                if self._left == -1:
                    what = _("The rule has more than {limit} conditions", limit=MAX_CONDITIONS)
                    why = _("Those from here on are not read, so it cannot be evaluated")
                    self._reader.report("wrong-shape", item.place, what, why)
                yield Unknown(place=item.place, raw=item.plain)
                return
            yield self.condition(item)

    def _min_step(self, node: YamlNode) -> int:
        written = node.get("min_step")
        spec = ANY_OF.field("min_step")
        read = self._reader.value(spec, written) if written is not None and spec is not None else 0
        return read or 0

    def _values(self, spec: ConditionSpec, node: YamlNode) -> dict[str, Any]:
        self._report_unknown_keys(spec, node)
        values: dict[str, Any] = {}
        for key, value in node.pairs:
            field = spec.field(key.text)
            if field is not None and (field.name not in values or key.text == field.name):
                read = self._reader.value(field, value)
                if read is not None:
                    values[field.name] = read
        for field in spec.fields:
            if field.required and node.get(field.name) is None and field.name not in values:
                what = _("{type} needs {key}", type=spec.type, key=field.name)
                self._reader.report("missing-field", node.place, what, _(field.doc))
        return values

    def _report_unknown_keys(self, spec: ConditionSpec, node: YamlNode) -> None:
        known = [
            "type",
            *(field.name for field in spec.fields),
            *(a for field in spec.fields for a in field.aliases),
        ]
        for key, _value in node.pairs:
            if key.text not in known:
                fixes = did_you_mean(key.text, known, key.place) or (_without(node, key),)
                what = _("{type} has no key {key}", type=spec.type, key=key.text)
                self._reader.report("unknown-key", key.place, what, fixes=fixes)


def _without(node: YamlNode, key: YamlNode) -> QuickFix:
    return QuickFix(_("Remove {key}", key=key.text), (remove_key(node, key),))
