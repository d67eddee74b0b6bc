"""Edits of conditions, by the rule's id and the condition's path."""

from __future__ import annotations

from typing import Any

from collector.model.i18n import _
from collector.rules.grammar.model import Condition
from rule_editor.document import condition_edits
from rule_editor.document.binding import ConditionPath, Slot, bind
from rule_editor.document.errors import DocumentError, UnsafeEditError
from rule_editor.document.read_document import ReadDocument
from rule_editor.document.reading import EntryReader
from rule_editor.document.surgery import Path, Workpiece


class ConditionDocument(ReadDocument):
    """Conditions of its rules can be edited."""

    def add_condition(
        self, rule_id: str, parent: ConditionPath, condition: Condition, index: int | None = None
    ) -> None:
        """A new condition before part ``index`` of the group at ``parent``, as its last one when None."""
        entry = self._entry(rule_id)
        slot = self._slot(entry, ())
        self._change(
            entry,
            lambda piece, _path: condition_edits.add(piece, slot, parent, index, condition, self.kind),
            _("Add {condition} to {rule}", condition=_word(condition), rule=entry.key),
            condition,
        )

    def replace_condition(self, rule_id: str, path: ConditionPath, condition: Condition) -> None:
        """The condition at ``path`` becomes ``condition``; what both share stays as it is written."""
        entry = self._entry(rule_id)
        slot = self._slot(entry, path)
        if not path:
            raise DocumentError(_("A rule keeps its outermost group"))
        self._change(
            entry,
            lambda piece, _path: condition_edits.replace(piece, slot, condition),
            _("Change {condition} of {rule}", condition=_word(slot.condition), rule=entry.key),
            condition,
        )

    def set_condition_field(self, rule_id: str, path: ConditionPath, key: str, value: Any) -> None:
        """A key of the condition gets a value; None takes it out."""
        entry = self._entry(rule_id)
        slot = self._slot(entry, path)
        self._change(
            entry,
            lambda piece, _path: condition_edits.set_field(piece, slot, key, value),
            _("Change {key} of {rule}", key=key, rule=entry.key),
        )

    def delete_condition(self, rule_id: str, path: ConditionPath) -> None:
        """The condition goes, the comments directly above it with it."""
        entry = self._entry(rule_id)
        top = self._slot(entry, ())
        name = _("Delete {condition} of {rule}", condition=_word(top.at(path).condition), rule=entry.key)
        self._change(entry, lambda piece, _path: _drop(piece, top, path), name)

    def move_condition(
        self, rule_id: str, path: ConditionPath, new_parent: ConditionPath, index: int, to_rule: str = ""
    ) -> None:
        """The condition goes before part ``index`` of the group at ``new_parent``, lines, comments and all.

        Paths and index are those before the move; ``to_rule`` is another rule of the file.
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
                    entry, lambda piece, where: self._move(piece, where, path, new_parent, index), name
                )
                return
            cuts: list[Any] = []
            top = self._slot(entry, ())
            self._change(
                entry, lambda piece, _path: cuts.append(condition_edits.remove(piece, top, path)), name
            )
            target = self._entry(to_rule)
            other = self._slot(target, ())
            self._change(
                target,
                lambda piece, _path: condition_edits.add(piece, other, new_parent, index, cuts[0], self.kind),
                name,
            )

    def wrap(self, rule_id: str, path: ConditionPath, kind: str) -> None:
        """A group of ``kind`` (all, any, not, any_of) goes around the condition."""
        entry = self._entry(rule_id)
        top = self._slot(entry, ())
        name = _("Wrap {condition} of {rule}", condition=_word(top.at(path).condition), rule=entry.key)
        self._change(entry, lambda piece, _path: condition_edits.wrap(piece, top, path, kind), name)

    def set_group(self, rule_id: str, path: ConditionPath, kind: str) -> None:
        """The group at ``path`` becomes all, any, not or any_of.

        The outermost group stays ``all``: of it, this makes its conditions the parts of a new group.
        """
        entry = self._entry(rule_id)
        slot = self._slot(entry, path)
        name = _("Change group of {rule}", rule=entry.key)
        self._change(entry, lambda piece, _path: condition_edits.set_kind(piece, slot, kind), name)

    def add_keyword(self, rule_id: str, path: ConditionPath, word: str, key: str = "keywords") -> None:
        """A word at the end of the condition's list."""
        words = getattr(self.condition(rule_id, path), key, None)
        if not isinstance(words, tuple):
            raise DocumentError(_("This condition has no {key}", key=key))
        self.set_condition_field(rule_id, path, key, (*words, word))

    def remove_keyword(self, rule_id: str, path: ConditionPath, index: int, key: str = "keywords") -> None:
        """A word of the condition's list goes."""
        words = getattr(self.condition(rule_id, path), key, None)
        if not isinstance(words, tuple) or not 0 <= index < len(words):
            raise DocumentError(_("The condition is no longer there"), "", _("Choose it again"))
        self.set_condition_field(rule_id, path, key, words[:index] + words[index + 1 :])

    def _move(
        self, piece: Workpiece, where: Path, path: ConditionPath, new_parent: ConditionPath, index: int
    ) -> None:
        entry_rule = self._bound_in(piece, where)
        cut = condition_edits.remove(piece, entry_rule, path)
        new_parent, index = _after_removal(path, new_parent, index)
        condition_edits.add(piece, self._bound_in(piece, where), new_parent, index, cut, self.kind)

    def _bound_in(self, piece: Workpiece, where: Path) -> Slot:
        """The rule's conditions as the piece has them now."""
        reading = EntryReader(kind=self.kind).read(piece.text)
        entry = next(
            (entry for entry in reading.entries if entry.path == where and entry.rule is not None), None
        )
        if entry is None or entry.rule is None:
            raise UnsafeEditError
        return bind(entry.rule, piece.node(where), where)


def _drop(piece: Workpiece, top: Slot, path: ConditionPath) -> None:
    condition_edits.remove(piece, top, path)


def _after_removal(path: ConditionPath, parent: ConditionPath, index: int) -> tuple[ConditionPath, int]:
    """A group and an index in it, once the condition at ``path`` is gone."""
    level = len(path) - 1
    if parent == path[:-1]:
        return parent, index - 1 if index > path[-1] else index
    if len(parent) > level and parent[:level] == path[:-1] and parent[level] > path[-1]:
        return (*parent[:level], parent[level] - 1, *parent[level + 1 :]), index
    return parent, index


def _word(condition: Condition) -> str:
    return str(getattr(condition, "spelling", "") or condition.type or getattr(condition, "written", ""))
