"""A rule file whose conditions can be edited, by rule id and condition path."""

from __future__ import annotations

from typing import Any

from collector.located_yaml.yaml_patch.errors import DocumentError, UnsafeEditError
from collector.located_yaml.yaml_patch.patch import Path, YamlPatch
from collector.model.message import _
from collector.rules.grammar.model import Condition
from rule_editor.document.rules import condition_edits
from rule_editor.document.rules.condition_slots import ConditionPath, ConditionSlot, find_slots
from rule_editor.document.rules.parsed_document import ParsedDocument
from rule_editor.document.rules.rule_file_reader import RuleFileReader


class ConditionDocument(ParsedDocument):
    """Edits of conditions; each is one undo step."""

    def add_condition(
        self, rule_id: str, parent: ConditionPath, condition: Condition, index: int | None = None
    ) -> None:
        """Add a condition before part ``index`` of the group at ``parent``, as the last one when None."""
        entry = self._entry(rule_id)
        slot = self._slot(entry, ())
        self._change(
            entry,
            lambda patch, _path: condition_edits.add(patch, slot, parent, index, condition, self.kind),
            _("Add {condition} to {rule}", condition=_word(condition), rule=entry.key),
            condition,
        )

    def set_condition_field(
        self, rule_id: str, path: ConditionPath, key: str, value: Any, merge_key: object = None
    ) -> None:
        """Set a key of the condition; None removes it. Edits with one ``merge_key`` are one undo step."""
        entry = self._entry(rule_id)
        slot = self._slot(entry, path)
        self._change(
            entry,
            lambda patch, _path: condition_edits.set_field(patch, slot, key, value),
            _("Change {key} of {rule}", key=key, rule=entry.key),
            merge_key=merge_key,
        )

    def delete_condition(self, rule_id: str, path: ConditionPath) -> None:
        """Delete the condition and the comments directly above it."""
        entry = self._entry(rule_id)
        top = self._slot(entry, ())
        name = _("Delete {condition} of {rule}", condition=_word(top.at(path).condition), rule=entry.key)
        self._change(entry, lambda patch, _path: _remove(patch, top, path), name)

    def move_condition(
        self, rule_id: str, path: ConditionPath, new_parent: ConditionPath, index: int, to_rule: str = ""
    ) -> None:
        """Move the condition, with its lines and comments, before part ``index`` of the group ``new_parent``.

        Paths and index are those before the move; ``to_rule`` names another rule of the file.
        """
        entry = self._entry(rule_id)
        target = self._entry(to_rule or rule_id)
        name = _("Move {condition} of {rule}", condition=_word(self.condition(rule_id, path)), rule=entry.key)
        self._slot(target, new_parent)
        if target is entry and new_parent[: len(path)] == path:
            raise DocumentError(_("A group cannot go into itself"))
        with self.group(name):
            if target is entry:
                self._change(
                    entry, lambda patch, where: self._move(patch, where, path, new_parent, index), name
                )
                return
            removed: list[Any] = []
            top = self._slot(entry, ())
            self._change(
                entry, lambda patch, _path: removed.append(condition_edits.remove(patch, top, path)), name
            )
            target = self._entry(to_rule)
            other = self._slot(target, ())
            self._change(
                target,
                lambda patch, _path: condition_edits.add(
                    patch, other, new_parent, index, removed[0], self.kind
                ),
                name,
            )

    def wrap(self, rule_id: str, path: ConditionPath, kind: str) -> None:
        """Put a group of ``kind`` (all, any, not, any_of) around the condition."""
        entry = self._entry(rule_id)
        top = self._slot(entry, ())
        name = _("Wrap {condition} of {rule}", condition=_word(top.at(path).condition), rule=entry.key)
        self._change(entry, lambda patch, _path: condition_edits.wrap(patch, top, path, kind), name)

    def set_group(self, rule_id: str, path: ConditionPath, kind: str) -> None:
        """Turn the group at ``path`` into all, any, not or any_of.

        The outermost group stays ``all``; its conditions become the parts of a new group in it.
        """
        entry = self._entry(rule_id)
        slot = self._slot(entry, path)
        name = _("Change group of {rule}", rule=entry.key)
        self._change(entry, lambda patch, _path: condition_edits.set_kind(patch, slot, kind), name)

    def _move(
        self, patch: YamlPatch, where: Path, path: ConditionPath, new_parent: ConditionPath, index: int
    ) -> None:
        item = condition_edits.remove(patch, self._slots_in(patch, where), path)
        new_parent, index = _after_removal(path, new_parent, index)
        condition_edits.add(patch, self._slots_in(patch, where), new_parent, index, item, self.kind)

    def _slots_in(self, patch: YamlPatch, where: Path) -> ConditionSlot:
        """The slots of the rule's conditions in the patched text."""
        parsed = RuleFileReader(kind=self.kind).read(patch.text)
        entry = next(
            (entry for entry in parsed.entries if entry.path == where and entry.rule is not None), None
        )
        if entry is None or entry.rule is None:
            raise UnsafeEditError
        return find_slots(entry.rule, patch.node(where), where)


def _remove(patch: YamlPatch, top: ConditionSlot, path: ConditionPath) -> None:
    condition_edits.remove(patch, top, path)


def _after_removal(path: ConditionPath, parent: ConditionPath, index: int) -> tuple[ConditionPath, int]:
    """The path of a group and an index in it after the condition at ``path`` was removed."""
    level = len(path) - 1
    if parent == path[:-1]:
        return parent, index - 1 if index > path[-1] else index
    if len(parent) > level and parent[:level] == path[:-1] and parent[level] > path[-1]:
        return (*parent[:level], parent[level] - 1, *parent[level + 1 :]), index
    return parent, index


def _word(condition: Condition) -> str:
    return str(getattr(condition, "spelling", "") or condition.type or getattr(condition, "written", ""))
