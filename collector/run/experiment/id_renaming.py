"""Follow an injection rule or an anomaly that got another id in the experiments that name it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from collector.anomalies.anomaly_source import AnomalySource
from collector.located_yaml import value_edits
from collector.located_yaml.diagnostics import TextEdit
from collector.located_yaml.source import read_source
from collector.located_yaml.value_edits import UnsafeChangeError
from collector.located_yaml.yaml_node import YamlNode
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import INJECTION
from collector.rules.lint.rule_files import read_text
from collector.run.experiment.condition_reader import written_name
from collector.run.experiment.files import ExperimentError
from collector.run.experiment.keys import ALL, CONDITIONS, RULES_WORD
from collector.run.experiment.model import BASELINE
from collector.store.catalogue import Catalogue
from collector.store.disk import Disk
from collector.store.project import Project

ANOMALY = "anomaly"
"""The kind of anomalies, beside INJECTION for injection rules."""


@dataclass(frozen=True, slots=True)
class IdRenaming:
    """Gives an injection rule or an anomaly another id in the text of an experiment."""

    kind: str
    """INJECTION or ANOMALY."""
    old: str
    new: str
    anomalies: frozenset[str] = frozenset()
    """Ids of all anomalies: a condition that is one of these words means the anomaly, and no rule."""

    def apply(self, text: str, has_run: Collection[str] = ()) -> str:
        """The text with the new id; comments and everything else stay.

        A condition that is named after the id keeps its name, and so its episodes, if it is in ``has_run``.
        Raises UnsafeChangeError when the text cannot take the change.
        """
        source = read_source(text)
        listed = source.root.get(CONDITIONS) if source.root is not None else None
        values: dict[int, Any] = {}
        edits: list[TextEdit] = []
        for node in _items(listed) if listed is not None else ():
            for part, value, edit in self._changes(text, node, has_run):
                values[id(part)] = value
                edits.append(edit)
        if source.root is None or not edits:
            return text
        if not source.is_whole:
            raise UnsafeChangeError
        return value_edits.checked(text, edits, _with_values(source.root, values))

    def _changes(
        self, text: str, condition: YamlNode, has_run: Collection[str]
    ) -> Iterator[tuple[YamlNode, Any, TextEdit]]:
        """The values of a condition that change: where each is, what it becomes, and the edit of the text."""
        if condition.kind == "scalar":
            if self._is_word(condition.text, self.old):
                keeps = condition.text in has_run
                yield _changed(text, condition, self._of_word(condition.text if keeps else ""))
            return
        changes = [_changed(text, node, self._of_node(condition, node)) for node in self._named_in(condition)]
        yield from changes
        name = written_name(condition)
        if changes and condition.get("id") is None and name in has_run:
            edit = value_edits.insert_first(text, condition, "id", name)
            values = {id(node): value for node, value, _edit in changes}
            yield condition, {"id": name, **_with_values(condition, values)}, edit

    def _is_word(self, word: str, name: str) -> bool:
        """Whether a condition that is only a word means what is renamed, if that is called ``name``."""
        if word != name or word in (BASELINE, RULES_WORD):
            return False
        return self.kind == ANOMALY or word not in self.anomalies

    def _of_word(self, name: str) -> Any:
        """What a condition becomes that was a word; ``name`` is the one it keeps, or empty."""
        if not name and self._is_word(self.new, self.new):
            return self.new
        injected = {"anomaly": self.new} if self.kind == ANOMALY else {"rules": [self.new]}
        return {"id": name, **injected} if name else injected

    def _of_node(self, condition: YamlNode, node: YamlNode) -> Any:
        # `rules: all` means all rules, and `rules: [all]` a rule that is called so.
        return [self.new] if self.new == ALL and node is condition.get("rules") else self.new

    def _named_in(self, condition: YamlNode) -> Iterable[YamlNode]:
        """The places in a mapping that name what is renamed."""
        if self.kind == INJECTION:
            rules = condition.get("rules")
            items = [] if rules is None or (rules.kind == "scalar" and rules.text == ALL) else _items(rules)
        else:
            listed = (condition.get("anomaly"), condition.get("anomalies"))
            entries = [item for node in listed if node is not None for item in _items(node)]
            items = [entry.get("anomaly") or entry for entry in entries]
        return [item for item in items if item.kind == "scalar" and item.text == self.old]


@dataclass(eq=False)
class ExperimentsRenaming:
    """Follows a renamed injection rule or anomaly in all experiments of a project, and takes it back."""

    project: Project
    kind: str
    """INJECTION or ANOMALY."""
    old: str
    new: str
    _texts: dict[Path, tuple[str, str]] = field(default_factory=dict)
    """The text of each file that was changed, before and after."""

    def rename(self, disk: Disk | None = None) -> tuple[UserError, ...]:
        """Write the new id; each file is whole or unchanged. Returns what keeps a file from following.

        A file that cannot be read stays as it is. Raises ReadOnly.
        """
        self.project.require_writable()
        renaming = self._renaming(self.old, self.new)

        def changed(path: Path, text: str) -> str:
            if renaming.apply(text) == text:
                return text
            after = renaming.apply(text, self._has_run(path.stem))
            self._texts[path] = text, after
            return after

        self._texts.clear()
        return self._edit(self.project.paths.experiments(), changed, self.new, disk or Disk())

    def take_back(self, disk: Disk | None = None) -> tuple[UserError, ...]:
        """Write the texts from before; of files that were edited since, only the id. As :meth:`rename`."""
        self.project.require_writable()
        reverse, texts = self._renaming(self.new, self.old), dict(self._texts)

        def changed(path: Path, text: str) -> str:
            before, after = texts[path]
            return before if text == after else reverse.apply(text)

        return self._edit(texts, changed, self.old, disk or Disk())

    def _renaming(self, old: str, new: str) -> IdRenaming:
        listed = AnomalySource(self.project).listed() if self.kind == INJECTION else ()
        return IdRenaming(self.kind, old, new, frozenset(item.anomaly.id for item in listed))

    def _has_run(self, experiment: str) -> frozenset[str]:
        """The conditions of an experiment that have episodes."""
        with Catalogue(self.project) as catalogue:
            catalogue.refresh()
            rows = catalogue.find("kind:run experiment:any")
        return frozenset(row.condition for row in rows if row.experiment == experiment)

    def _edit(
        self, paths: Iterable[Path], changed: Callable[[Path, str], str], name: str, disk: Disk
    ) -> tuple[UserError, ...]:
        problems: list[UserError] = []
        for path in paths:
            try:
                text = read_text(path)
            except RuleError:
                continue  # deleted since, or no text; `waymark experiment check` reports it
            try:
                after = changed(path, text)
                if after != text:
                    disk.write(path, after.encode())
            except UnsafeChangeError:
                what = _("{file} cannot be changed here", file=path.name)
                why = _("It has a slip, or its layout would be lost")
                problems.append(ExperimentError(what, why, _("Write {id} there in an editor", id=name)))
            except UserError as error:
                problems.append(error)
        return tuple(problems)


def _items(node: YamlNode) -> list[YamlNode]:
    """The items of a list; what is no list is the only one."""
    return node.items if node.kind == "sequence" else [node]


def _changed(text: str, node: YamlNode, value: Any) -> tuple[YamlNode, Any, TextEdit]:
    """A value in place of another; a text in the quotes of the one before."""
    (edit,) = value_edits.replace_node(node, value)
    sign = text[node.place.start : node.place.start + 1]
    if isinstance(value, str) and sign == "'":
        edit = replace(edit, text="'" + value.replace("'", "''") + "'")
    elif isinstance(value, str) and sign == '"':
        edit = replace(edit, text=json.dumps(value, ensure_ascii=False))
    return node, value, edit


def _with_values(node: YamlNode, values: Mapping[int, Any]) -> Any:
    """The plain value of a node, with other values for some of the nodes in it."""
    if id(node) in values:
        return values[id(node)]
    if node.kind == "sequence":
        return [_with_values(item, values) for item in node.items]
    if node.kind == "mapping":
        return {key.plain: _with_values(value, values) for key, value in node.pairs}
    return node.plain
