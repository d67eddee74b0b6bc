"""A rule file being edited: every edit of a rule becomes a small edit of the text."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Any

from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.located_yaml.yaml_patch.patch import Path, YamlPatch
from collector.model.message import _
from collector.rules.grammar.model import SUCCESS, Injection, Rule
from collector.rules.grammar.plain import plain_action, plain_rule
from collector.rules.grammar.specs import INJECTION_FIELDS, RULE_SPECS
from rule_editor.document.completion.completions import EMPTY_VOCABULARY, Completion, Vocabulary, complete
from rule_editor.document.completion.cursor_context import CursorContext, context_at
from rule_editor.document.entries import entry_edits
from rule_editor.document.rules.condition_document import ConditionDocument
from rule_editor.document.rules.condition_edits import plain_value
from rule_editor.document.text.text_document import read_text

_NOTHING = object()


class RuleDocument(ConditionDocument):
    """A rule file with all its edits; each is one undo step.

    Rules are named by the keys of :class:`~rule_editor.document.entries.entry.ParsedFile`.
    An edit raises DocumentError (one sentence) and changes nothing when it cannot be made safely.
    """

    @classmethod
    def load(cls, path: FilePath, kind: str = "") -> RuleDocument:
        """The document of a file on disk. Raises DocumentError."""
        return cls(read_text(path), str(path), kind)

    def context_at(self, offset: int) -> CursorContext:
        """What the grammar allows at the character ``offset``; never raises."""
        return context_at(self.text, offset, self.kind)

    def completions(self, offset: int, vocabulary: Vocabulary = EMPTY_VOCABULARY) -> tuple[Completion, ...]:
        """Completions at the character ``offset``, from the grammar and from ``vocabulary``."""
        return complete(self.context_at(offset), self.kind, vocabulary, self.style)

    def set_field(self, rule_id: str, key: str, value: Any) -> None:
        """Set a key of the rule, its id included; None removes it."""
        if key == "id":
            self.rename(rule_id, str(value or ""))
            return
        entry = self._entry(rule_id)
        spec = RULE_SPECS[self.kind].field(key)
        if spec is None:
            raise DocumentError(_("A rule has no {key}", key=key))
        order = tuple(field.name for field in RULE_SPECS[self.kind].fields)
        new, default = plain_value(value), plain_value(spec.default)

        def change(patch: YamlPatch, path: Path) -> None:
            patch.put_key(path, (spec.name, *spec.aliases), new, default, order)

        self._change(entry, change, _("Change {key} of {rule}", key=spec.name, rule=entry.key))

    def set_step(self, rule_id: str, step: int) -> None:
        """Set the step that reaches a proposed state; rules do not know this key."""
        entry = self._entry(rule_id)
        order = ("id", "sentence", "description", "step")

        def change(patch: YamlPatch, path: Path) -> None:
            patch.put_key(path, ("step",), step, None, order)

        self._change(entry, change, _("Change {key} of {rule}", key="step", rule=entry.key))

    def rename(self, rule_id: str, new_id: str) -> None:
        """Rename the rule in this file alone; RuleFiles.rename also changes references to it."""
        entry = self._entry(rule_id)
        if not new_id.strip():
            raise DocumentError(_("A rule needs an id"))
        if new_id in self._parsed.by_key and new_id != rule_id:
            raise DocumentError(_("There is a rule {id} already", id=new_id), "", _("Choose another id"))
        name = _("Rename {old} to {new}", old=entry.key, new=new_id)
        if self.kind == SUCCESS:
            self._change(entry, lambda patch, path: patch.rename_key(path[:-1], str(path[-1]), new_id), name)
        else:
            self._change(entry, lambda patch, path: patch.put_key(path, ("id",), new_id, None, ("id",)), name)

    def add_rule(self, rule: Rule, after: str | None = None) -> None:
        """Add a rule after the rule ``after``, at the end when that is None. Its id must be new."""
        if not rule.id.strip():
            raise DocumentError(_("A rule needs an id"))
        if rule.id in self._parsed.by_key:
            raise DocumentError(_("There is a rule {id} already", id=rule.id), "", _("Choose another id"))
        if rule.kind != self.kind:
            raise DocumentError(_("This file holds rules of another kind"))
        behind = self._entry(after, readable=False) if after is not None else None
        plains = self._plains()
        plain = plain_rule(rule)
        if rule.kind == SUCCESS:
            text = entry_edits.with_pair(self._parsed, rule.id, plain, behind, self.style)
            plains.insert(self._index(after) + 1, {rule.id: plain})
        else:
            text = entry_edits.with_item(self._parsed, plain, RULE_SPECS[rule.kind].root, behind, self.style)
            plains.insert(self._index(after) + 1, [plain])
        self._commit_text(text, plains, _("Add {rule}", rule=rule.id))

    def duplicate_rule(self, rule_id: str, new_id: str = "") -> str:
        """Add a copy of the rule after it, with its comments; return the id of the copy."""
        entry = self._entry(rule_id)
        new_id = new_id or entry_edits.free_id(entry.key, self._parsed.by_key)
        index = self._parsed.entries.index(entry)
        text = entry_edits.with_copy(self._parsed, index, new_id, self.style)
        plains = self._plains()
        plain = next(iter(plains[index].values())) if self.kind == SUCCESS else plains[index][0]
        copy = {new_id: plain} if self.kind == SUCCESS else [{**plain, "id": new_id}]
        plains.insert(index + 1, copy)
        self._commit_text(text, plains, _("Duplicate {rule}", rule=entry.key))
        return new_id

    def delete_rule(self, rule_id: str) -> None:
        """Delete the rule and the comments directly above it."""
        entry = self._entry(rule_id, readable=False)
        index = self._parsed.entries.index(entry)
        plains = self._plains()
        del plains[index]
        text = entry_edits.without(self._parsed, index)
        self._commit_text(text, plains, _("Delete {rule}", rule=entry.key))

    def add_action(self, rule_id: str, action: Injection, index: int | None = None) -> None:
        """Add an action to the rule before the action ``index``, as the last one when None."""
        entry = self._entry(rule_id)
        count = len(entry.rule.actions) if entry.rule is not None else 0
        at = count if index is None else index

        def change(patch: YamlPatch, path: Path) -> None:
            written = patch.plain(path).get("actions", _NOTHING)
            if isinstance(written, dict):
                patch.nest_single((*path, "actions"))
            if written is not _NOTHING:
                patch.insert_item((*path, "actions"), at, plain_action(action))
            else:
                names = [name for name in patch.plain(path) if name != "follow_up"]
                patch.insert_key(path, "actions", [plain_action(action)], names[-1] if names else None)

        self._change(entry, change, _("Add an action to {rule}", rule=entry.key))

    def set_action_field(self, rule_id: str, index: int, key: str, value: Any) -> None:
        """Set a key of an action; None removes it."""
        entry = self._entry(rule_id)
        spec = next((field for field in INJECTION_FIELDS if field.name == key), None)
        if spec is None:
            raise DocumentError(_("An action has no {key}", key=key))
        order = tuple(field.name for field in INJECTION_FIELDS)

        def change(patch: YamlPatch, path: Path) -> None:
            where = _action(patch, path, index)
            patch.put_key(where, (key,), plain_value(value), spec.default, order)

        self._change(entry, change, _("Change {key} of {rule}", key=key, rule=entry.key))

    def delete_action(self, rule_id: str, index: int) -> None:
        """Delete an action."""
        entry = self._entry(rule_id)

        def change(patch: YamlPatch, path: Path) -> None:
            where = _action(patch, path, index)
            if where[-1] == index:
                patch.remove_item(where[:-1], index)
            else:
                patch.set(where, [])

        self._change(entry, change, _("Delete an action of {rule}", rule=entry.key))


def _action(patch: YamlPatch, path: Path, index: int) -> Path:
    """Path of the action ``index``; the value of ``actions`` itself when that is no list."""
    where: Path = (*path, "actions")
    written = patch.plain(path).get("actions")
    if isinstance(written, dict) and index == 0:
        return where
    if not isinstance(written, list) or not 0 <= index < len(written):
        raise DocumentError(_("There is no such action any more"), "", _("Choose it again"))
    return (*where, index)
