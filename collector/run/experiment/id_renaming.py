"""Follow an injection rule or an anomaly that got another id in the experiments that name it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.anomalies.anomaly_source import AnomalySource
from collector.located_yaml.source import read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.located_yaml.yaml_patch.documents import open_patch
from collector.located_yaml.yaml_patch.errors import UnsafeEditError
from collector.located_yaml.yaml_patch.patch import Path as PathInText
from collector.located_yaml.yaml_patch.style import Layout
from collector.model.episode_text import BASELINE
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import INJECTION
from collector.rules.grammar.rule_files import read_text
from collector.run.experiment.condition_reader import written_name
from collector.run.experiment.files import ExperimentError
from collector.run.experiment.keys import ALL, CONDITIONS, RULES_WORD
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files.disk import Disk
from collector.store.project.project import Project

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
        Raises UnsafeEditError when the text cannot take the change.
        """
        root = read_source(text).root
        listed = root.get(CONDITIONS) if root is not None else None
        changes = [
            change
            for path, node in _items(listed, (CONDITIONS,))
            for change in self._changes(node, path, has_run)
        ]
        if not changes:
            return text
        patch = open_patch(text, Layout.ONE_LINE)
        for path, value in changes:
            if path[-1] == "id":
                patch.insert_key(path[:-1], "id", value, None)
            else:
                patch.set(path, value)
        return patch.text

    def _changes(
        self, condition: YamlNode, path: PathInText, has_run: Collection[str]
    ) -> Iterator[tuple[PathInText, Any]]:
        """The values of a condition that change, each with its path; one at ``id`` is new."""
        if condition.kind == "scalar":
            if self._is_word(condition.text, self.old):
                keeps = condition.text in has_run
                yield path, self._of_word(condition.text if keeps else "")
            return
        named = [(where, self._of_node(where)) for where in self._named_in(condition, path)]
        yield from named
        name = written_name(condition)
        if named and condition.get("id") is None and name in has_run:
            yield (*path, "id"), name

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

    def _of_node(self, path: PathInText) -> Any:
        # `rules: all` means all rules, and `rules: [all]` a rule that is called so.
        return [self.new] if self.new == ALL and path[-1] == "rules" else self.new

    def _named_in(self, condition: YamlNode, path: PathInText) -> Iterator[PathInText]:
        """The places in a mapping that name what is renamed."""
        for key in ("rules",) if self.kind == INJECTION else ("anomaly", "anomalies"):
            for where, item in _items(condition.get(key), (*path, key)):
                inner = item.get("anomaly") if self.kind == ANOMALY else None
                node = inner or item
                is_all = where[-1] == "rules" and node.text == ALL
                if node.kind == "scalar" and node.text == self.old and not is_all:
                    yield (*where, "anomaly") if inner else where


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
            except UnsafeEditError:
                what = _("{file} cannot be changed here", file=path.name)
                why = _("It has a slip, or its layout would be lost")
                problems.append(ExperimentError(what, why, _("Write {id} there in an editor", id=name)))
            except UserError as error:
                problems.append(error)
        return tuple(problems)


def _items(node: YamlNode | None, path: PathInText) -> Iterator[tuple[PathInText, YamlNode]]:
    """The items of a list with their paths; what is no list is the only one."""
    if node is not None and node.kind == "sequence":
        yield from (((*path, index), item) for index, item in enumerate(node.items))
    elif node is not None:
        yield path, node
