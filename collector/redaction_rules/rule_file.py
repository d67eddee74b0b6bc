"""Read ``redact.yaml``, the redaction rules of a project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from collector.located_yaml.source import read_source
from collector.located_yaml.value_reader import is_number
from collector.located_yaml.yaml_node import YamlNode
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.redaction_rules.picture_detectors import require_detector
from collector.redaction_rules.redaction_rule import (
    DETECTORS,
    DOUBTS,
    FILL,
    HIDE,
    PARTS,
    STYLES,
    RedactionFile,
    RedactionRule,
    ScreenShare,
)
from collector.rules.grammar.condition_reader import ConditionReader
from collector.rules.grammar.model import Group, Unknown
from collector.rules.grammar.patterns import compile_pattern
from collector.rules.grammar.rule_files import read_text
from collector.rules.grammar.value_reader import RuleValueReader
from collector.store.files.layout import ProjectPaths

ROOT = "redact"
_KEYS = ("name", "where", "when", "apps", "tasks", "what", "style", "in_doubt")
_WHERE = ("rectangle", "selector", "pattern", "detect")
_NOT_ONE_SCREEN = "state_reached"
"""A condition that looks at a whole trajectory, where a rule of redaction sees one screen."""


def read_redaction(text: str, path: str = "") -> RedactionFile:
    """The rules of ``text``, with all diagnostics of their grammar. Never raises."""
    source = read_source(text)
    reader = _RedactionReader(RuleValueReader(list(source.diagnostics)))
    rules = tuple(reader.rules(source.root))
    found = sorted(reader.values.diagnostics, key=lambda item: item.place.start)
    return RedactionFile(rules, tuple(replace(item, path=path) for item in found))


def redaction_of(folder: Path) -> tuple[RedactionRule, ...]:
    """The redaction rules of the project in ``folder``; none without a file.

    Raises UserError for a file with an error: what a rule that cannot be read would hide, must not be stored.
    So does a detector that cannot be used.
    """
    path = ProjectPaths(folder).redaction
    if not path.is_file():
        return ()
    file = read_redaction(read_text(path), str(path))
    for error in file.errors[:1]:
        raise UserError(
            _("{where}: {what}", where=f"{path.name}:{error.place.line}", what=error.what),
            error.why or _("Without all its rules something private could be stored"),
            error.to_do or _("Correct the line: `waymark project redact --dry-run` reads it again"),
        )
    for rule in file.rules:
        if rule.detector:
            require_detector(rule.detector)
    return file.rules


class _RedactionReader:
    """Reads the rules of one text; ``values`` collects what is wrong."""

    def __init__(self, values: RuleValueReader) -> None:
        self.values = values
        self._conditions = ConditionReader(values)

    def rules(self, root: YamlNode | None) -> Iterator[RedactionRule]:
        if root is None or root.is_null:
            return
        if root.kind != "mapping":
            self.values.wrong_shape(root, _("The file is a mapping with a list called {name}", name=ROOT))
            return
        self.values.check_keys(root, (ROOT,))
        known: set[str] = set()
        for item in self.values.items(root.get(ROOT)):
            self.values.rule_id = ""
            if item.kind != "mapping":
                self.values.wrong_shape(item, _("A rule has to be a mapping of its keys"))
                continue
            rule = self._rule(item)
            if rule.name in known:
                what = _("Two rules are called {name}", name=rule.name)
                self.values.report("duplicate-id", rule.place, what)
            known.add(rule.name)
            yield rule

    def _rule(self, node: YamlNode) -> RedactionRule:
        name = self.values.rule_id = self.values.text(node, "name").strip()
        if not name:
            self.values.report("missing-field", node.place, _("The rule has no name"))
        self.values.check_keys(node, _KEYS)
        rule = RedactionRule(
            name,
            when=self._when(node.get("when")),
            apps=self._texts(node, "apps"),
            tasks=self._texts(node, "tasks"),
            parts=frozenset(self._words(node, "what", PARTS) or PARTS),
            style=self.values.word(node, "style", STYLES) or FILL,
            in_doubt=self.values.word(node, "in_doubt", DOUBTS) or HIDE,
            place=node.place,
        )
        return self._with_place(rule, node)

    def _with_place(self, rule: RedactionRule, node: YamlNode) -> RedactionRule:
        where = node.get("where")
        if where is None or where.kind != "mapping" or not where.pairs:
            place = (where or node).place
            what = _("The rule does not say where: by {known}", known=", ".join(_WHERE))
            self.values.report("missing-field", place, what)
            return rule
        self.values.check_keys(where, _WHERE)
        selector = self.values.text(where, "selector")
        if selector:
            self.values.check_selector(selector, where.get("selector") or where)
        return replace(
            rule,
            rectangle=self._rectangle(where.get("rectangle")),
            selector=selector,
            pattern=self._pattern(where),
            detector=self.values.word(where, "detect", DETECTORS),
        )

    def _when(self, node: YamlNode | None) -> Group:
        if node is None or node.is_null:
            return Group()
        # A list means all of them, in every kind of rule.
        group = self._conditions.group(node, dgara_list=True)
        for condition in group.walk():
            if condition.type == _NOT_ONE_SCREEN:
                what = _("A rule of redaction sees one screen, and no states reached before")
                self.values.report("wrong-shape", condition.place, what)
        if any(isinstance(condition, Unknown) for condition in group.walk()) and not self.values.diagnostics:
            self.values.wrong_shape(node, _("A condition cannot be read"))
        return group

    def _rectangle(self, node: YamlNode | None) -> ScreenShare | None:
        if node is None:
            return None
        shares = [float(item.plain) for item in node.items if is_number(item)]
        if len(node.items) == len(shares) == 4 and all(0 <= share <= 1 for share in shares):
            share = ScreenShare(*shares)
            if share.left < share.right and share.top < share.bottom:
                return share
        what = _("A rectangle is [left, top, right, bottom], each a share of the screen from 0 to 1")
        self.values.wrong_shape(node, what)
        return None

    def _pattern(self, where: YamlNode) -> str:
        text = self.values.text(where, "pattern")
        if not text:
            return ""
        node = where.get("pattern") or where
        try:
            compiled = compile_pattern(text)
            why = "" if compiled.longest else _("its repeats are nested, and it could take for ever")
            if compiled.compiled.match(""):
                why = _("it is found in every text, even in an empty one")
        except re.error as error:
            why = str(error)
        if not why:
            return text
        self.values.report("bad-pattern", node.place, _("{text} is no pattern of a rule", text=text), why)
        return ""

    def _texts(self, node: YamlNode, key: str) -> tuple[str, ...]:
        """A list of texts; a single one is a list of it."""
        value = node.get(key)
        if value is None or value.is_null:
            return ()
        items = [value] if value.kind == "scalar" else self.values.items(value)
        for item in items:
            if item.kind != "scalar":
                self.values.wrong_shape(item, _("{key} has to be a list of texts", key=key))
        return tuple(item.text for item in items if item.kind == "scalar" and item.text)

    def _words(self, node: YamlNode, key: str, known: tuple[str, ...]) -> tuple[str, ...]:
        words = self._texts(node, key)
        for word in words:
            if word not in known:
                what = _("There is no {key} called {word}", key=key, word=word)
                self.values.check_word(word, known, node.get(key) or node, what)
        return tuple(word for word in words if word in known)
