"""A rule file being edited: its text is the truth, and every edit of the model a small edit of the text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any

from collector.located_yaml.diagnostics import Diagnostic
from collector.model.i18n import _
from collector.rules.grammar.model import SUCCESS, Injection, Rule
from collector.rules.grammar.plain import plain_action, plain_rule
from collector.rules.grammar.specs import INJECTION_FIELDS, RULE_SPECS
from rule_editor.document import condition_edits, rule_edits
from rule_editor.document.completion import NO_WORDS, Completion, Words, complete
from rule_editor.document.condition_document import ConditionDocument
from rule_editor.document.context import Context, context_at
from rule_editor.document.errors import DocumentError
from rule_editor.document.outline import OutlineEntry, outline
from rule_editor.document.surgery import Path, Workpiece
from rule_editor.document.text_document import read_text

_NOTHING = object()


class RuleDocument(ConditionDocument):
    """A rule file with all its edits.

    Rules are named by their id; see :class:`~rule_editor.document.reading.Entry` for doubles.
    Edits of the model raise DocumentError (one sentence) and change nothing when they cannot be made
    safely: an edit touches its own rule only, and what is read afterwards is exactly what was meant.
    """

    @classmethod
    def load(cls, path: FilePath, kind: str = "") -> RuleDocument:
        """The document of a file on disk. Raises DocumentError."""
        return cls(read_text(path), str(path), kind)

    def outline(self, found: Iterable[Diagnostic] = ()) -> tuple[OutlineEntry, ...]:
        """Every rule as a list shows it; ``found`` are findings besides the reader's own."""
        return outline(self.reading.entries, self.kind, self.text, (*self.diagnostics, *found))

    def context_at(self, offset: int) -> Context:
        """What may be written at the character ``offset``; never raises."""
        return context_at(self.text, offset, self.kind)

    def completions(self, offset: int, words: Words = NO_WORDS) -> tuple[Completion, ...]:
        """What to offer at the character ``offset``, from the grammar and from ``words``."""
        return complete(self.context_at(offset), self.kind, words, self.style)

    def set_field(self, rule_id: str, key: str, value: Any) -> None:
        """A key of the rule gets a value; None takes it out. The new id of a rule is a field too."""
        if key == "id":
            self.rename(rule_id, str(value or ""))
            return
        entry = self._entry(rule_id)
        spec = RULE_SPECS[self.kind].field(key)
        if spec is None:
            raise DocumentError(_("A rule has no {key}", key=key))
        order = tuple(field.name for field in RULE_SPECS[self.kind].fields)
        new = condition_edits.plain(value)

        def change(piece: Workpiece, path: Path) -> None:
            condition_edits.put(
                piece, path, (spec.name, *spec.aliases), new, _plain_default(spec.default), order
            )

        self._change(entry, change, _("Change {key} of {rule}", key=spec.name, rule=entry.key))

    def rename(self, rule_id: str, new_id: str) -> None:
        """The rule is called otherwise, here alone; RuleFiles.rename follows its references."""
        entry = self._entry(rule_id)
        if not new_id.strip():
            raise DocumentError(_("A rule needs an id"))
        if new_id in self._reading.by_key and new_id != rule_id:
            raise DocumentError(_("There is a rule {id} already", id=new_id), "", _("Choose another id"))
        name = _("Rename {old} to {new}", old=entry.key, new=new_id)
        if self.kind == SUCCESS:
            self._change(entry, lambda piece, path: piece.rename_key(path[:-1], str(path[-1]), new_id), name)
        else:
            order = ("id",)
            self._change(
                entry,
                lambda piece, path: condition_edits.put(piece, path, ("id",), new_id, None, order),
                name,
            )

    def add_rule(self, rule: Rule, after: str | None = None) -> None:
        """A new rule behind the rule ``after``, at the end when that is None. Its id must be free."""
        if not rule.id.strip():
            raise DocumentError(_("A rule needs an id"))
        if rule.id in self._reading.by_key:
            raise DocumentError(_("There is a rule {id} already", id=rule.id), "", _("Choose another id"))
        if rule.kind != self.kind:
            raise DocumentError(_("This file holds rules of another kind"))
        behind = self._entry(after, sound=False) if after is not None else None
        text = rule_edits.added(self._reading, rule, behind, self.style)
        plains = self._plains()
        own = plain_rule(rule)
        plains.insert(self._index(after) + 1, {rule.id: own} if rule.kind == SUCCESS else [own])
        self._commit_rules(text, plains, _("Add {rule}", rule=rule.id))

    def duplicate_rule(self, rule_id: str, new_id: str = "") -> str:
        """A copy of the rule behind it, comments too; the id of the copy."""
        entry = self._entry(rule_id)
        new_id = new_id or rule_edits.free_id(entry.key, self._reading.by_key)
        index = self._reading.entries.index(entry)
        text = rule_edits.duplicated(self._reading, index, new_id, self.style)
        plains = self._plains()
        own = next(iter(plains[index].values())) if self.kind == SUCCESS else plains[index][0]
        copy = {new_id: own} if self.kind == SUCCESS else [{**own, "id": new_id}]
        plains.insert(index + 1, copy)
        self._commit_rules(text, plains, _("Duplicate {rule}", rule=entry.key))
        return new_id

    def delete_rule(self, rule_id: str) -> None:
        """The rule goes, the comments directly above it with it."""
        entry = self._entry(rule_id, sound=False)
        index = self._reading.entries.index(entry)
        plains = self._plains()
        del plains[index]
        text = rule_edits.deleted(self._reading, index)
        self._commit_rules(text, plains, _("Delete {rule}", rule=entry.key))

    def move_rule(self, rule_id: str, after: str | None) -> None:
        """The rule goes behind the rule ``after``, to the top when that is None; its lines stay."""
        entry = self._entry(rule_id)
        if after == rule_id:
            return
        if after is not None:
            self._entry(after, sound=False)
        index = self._reading.entries.index(entry)
        behind = -1 if after is None else self._index(after)
        target = behind + 1 if behind < index else behind
        plains = self._plains()
        plains.insert(target, plains.pop(index))
        text = rule_edits.moved(self._reading, index, target, self.newline)
        self._commit_rules(text, plains, _("Move {rule}", rule=entry.key))

    def add_action(self, rule_id: str, action: Injection, index: int | None = None) -> None:
        """A new action of the rule, the last when no index is given."""
        entry = self._entry(rule_id)
        count = len(entry.rule.actions) if entry.rule is not None else 0
        at = count if index is None else index

        def change(piece: Workpiece, path: Path) -> None:
            written = piece.plain(path).get("actions", _NOTHING)
            if isinstance(written, dict):
                piece.nest_single((*path, "actions"))
            if written is not _NOTHING:
                piece.insert_item((*path, "actions"), at, plain_action(action))
            else:
                names = [one for one in piece.plain(path) if one != "follow_up"]
                piece.insert_key(path, "actions", [plain_action(action)], names[-1] if names else None)

        self._change(entry, change, _("Add an action to {rule}", rule=entry.key))

    def set_action_field(self, rule_id: str, index: int, key: str, value: Any) -> None:
        """A key of an action gets a value; None takes it out."""
        entry = self._entry(rule_id)
        spec = next((one for one in INJECTION_FIELDS if one.name == key), None)
        if spec is None:
            raise DocumentError(_("An action has no {key}", key=key))
        order = tuple(one.name for one in INJECTION_FIELDS)

        def change(piece: Workpiece, path: Path) -> None:
            where = _action(piece, path, index)
            condition_edits.put(piece, where, (key,), condition_edits.plain(value), spec.default, order)

        self._change(entry, change, _("Change {key} of {rule}", key=key, rule=entry.key))

    def delete_action(self, rule_id: str, index: int) -> None:
        """The action goes."""
        entry = self._entry(rule_id)

        def change(piece: Workpiece, path: Path) -> None:
            where = _action(piece, path, index)
            if where[-1] == index:
                piece.remove_item(where[:-1], index)
            else:
                piece.set(where, [])

        self._change(entry, change, _("Delete an action of {rule}", rule=entry.key))


def _action(piece: Workpiece, path: Path, index: int) -> Path:
    """Path of the action ``index``; of one that stands without a list, the key's own value."""
    where: Path = (*path, "actions")
    written = piece.plain(path).get("actions")
    if isinstance(written, dict) and index == 0:
        return where
    if not isinstance(written, list) or not 0 <= index < len(written):
        raise DocumentError(_("There is no such action any more"), "", _("Choose it again"))
    return (*where, index)


def _plain_default(default: Any) -> Any:
    return list(default) if isinstance(default, tuple) else default
