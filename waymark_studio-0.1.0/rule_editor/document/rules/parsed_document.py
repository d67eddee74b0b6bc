"""A rule file being edited and the rules parsed from it, kept in step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from collector.located_yaml.diagnostics import Diagnostic, Place, apply_edits
from collector.located_yaml.source import YamlSource
from collector.located_yaml.yaml_patch import lines
from collector.located_yaml.yaml_patch.errors import DocumentError, UnsafeEditError
from collector.located_yaml.yaml_patch.patch import Path, YamlPatch
from collector.located_yaml.yaml_patch.plain_values import plain_of, same
from collector.located_yaml.yaml_patch.style import YamlStyle, common_style
from collector.model.i18n import _
from collector.rules.grammar.model import Condition, Rule, RuleFile
from rule_editor.document.entries.entry import (
    FileEntry,
    ParsedFile,
    root_of_entry,
    root_of_file,
    text_place,
    whole_source,
)
from rule_editor.document.rules.condition_slots import ConditionPath, ConditionSlot, find_slots
from rule_editor.document.rules.rule_file_reader import RuleFileReader
from rule_editor.document.text.edits import EditBatch, line_edits
from rule_editor.document.text.text_document import TextDocument

RuleEdit = Callable[[YamlPatch, Path], None]
"""Patches the text that holds a rule; the path leads to the rule's mapping."""


class ParsedDocument(TextDocument):
    """The one way an edit of the model becomes an edit of the text.

    Rules are named by the keys of :class:`~rule_editor.document.entries.entry.ParsedFile`.
    An edit raises DocumentError (one sentence) and changes nothing when it cannot be made safely: it
    may touch its own rule only, and the new text has to parse to exactly the expected values.
    """

    def __init__(self, text: str, path: str = "", kind: str = "") -> None:
        super().__init__(text, path)
        self._reader = RuleFileReader(path, kind)
        self._parsed = self._reader.read(text)
        self._style: YamlStyle | None = None

    @property
    def parsed(self) -> ParsedFile:
        """This revision of the text with its entries."""
        return self._parsed

    @property
    def file(self) -> RuleFile:
        return self._parsed.file

    @property
    def rules(self) -> tuple[Rule, ...]:
        return self._parsed.file.rules

    @property
    def kind(self) -> str:
        return self._parsed.file.kind

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Diagnostics of the reader; the linter has more."""
        return self._parsed.file.diagnostics

    @property
    def source(self) -> YamlSource:
        """The tree of the whole text; callers must not change it."""
        return whole_source(self._text)

    @property
    def style(self) -> YamlStyle:
        """The layout for new YAML, the one most entries have."""
        if self._style is None:
            self._style = common_style((entry.style_counts for entry in self._parsed.entries), self.newline)
        return self._style

    def rule(self, rule_id: str) -> Rule | None:
        """The rule that an edit of ``rule_id`` changes."""
        entry = self._parsed.by_key.get(rule_id)
        return entry.rule if entry is not None else None

    def condition(self, rule_id: str, path: ConditionPath) -> Condition:
        """The condition at ``path``. Raises DocumentError when there is none."""
        return self._slot(self._entry(rule_id), path).condition

    # -- places ----------------------------------------------------------------
    def place_of(self, rule_id: str, path: ConditionPath | None = None) -> Place | None:
        """The place of a rule, or of its condition at ``path``; None when there is none."""
        entry = self._parsed.by_key.get(rule_id)
        if entry is None:
            return None
        if entry.rule is None:
            return text_place(self._text, entry) if path is None else None
        if path is None:
            return entry.rule.place
        condition: Condition = entry.rule.conditions
        for step in path:
            if not 0 <= step < len(condition.parts):
                return None
            condition = condition.parts[step]
        return condition.place

    def rule_at(self, offset: int) -> str:
        """Key of the rule whose entry holds the character ``offset``; empty outside of entries."""
        for entry in reversed(self._parsed.entries):
            if entry.start <= offset:
                return entry.key
        return ""

    def condition_at(self, offset: int) -> tuple[str, ConditionPath] | None:
        """Key of the rule and path of the innermost condition that hold the character ``offset``."""
        key = self.rule_at(offset)
        rule = self.rule(key)
        if rule is None:
            return None
        path: ConditionPath = ()
        group: Condition = rule.conditions
        if not group.place.start <= offset <= group.place.end:
            return None
        while True:
            inside = [
                at for at, part in enumerate(group.parts) if part.place.start <= offset <= part.place.end
            ]
            if not inside:
                return key, path
            path, group = (*path, inside[0]), group.parts[inside[0]]

    # -- edits -----------------------------------------------------------------
    def _text_changed(self) -> None:
        self._parsed = self._reader.read(self._text)
        self._style = None

    def _entry(self, rule_id: str, *, readable: bool = True) -> FileEntry:
        """The entry of a rule. Raises DocumentError when it is missing, or broken and ``readable``."""
        entry = self._parsed.by_key.get(rule_id)
        if entry is None:
            raise DocumentError(_("There is no rule {id} in this file", id=rule_id), "", _("Choose it again"))
        if readable and (entry.rule is None or entry.node is None):
            raise DocumentError(
                _("The rule {id} cannot be read, so it cannot be changed from here", id=rule_id),
                "",
                _("Correct it in the YAML first"),
            )
        return entry

    def _slot(self, entry: FileEntry, path: ConditionPath) -> ConditionSlot:
        if entry.rule is None or entry.node is None:
            raise UnsafeEditError
        return find_slots(entry.rule, entry.node, entry.path).at(path)

    def _index(self, key: str | None) -> int:
        """Position of an entry, of the last one when ``key`` is None."""
        if key is None:
            return len(self._parsed.entries) - 1
        return self._parsed.entries.index(self._entry(key, readable=False))

    def _change(
        self,
        entry: FileEntry,
        edit: RuleEdit,
        name: str,
        expected: Condition | None = None,
        merge_key: object = None,
    ) -> None:
        """Let ``edit`` patch the entry's text as one undo step.

        Raises UnsafeEditError when no rule has the condition ``expected`` afterwards.
        """
        if entry.parsed is None:
            patch = YamlPatch(self._text, root_of_file, self.style)
            edit(patch, entry.path)
            self._commit(line_edits(self._text, patch.text), name, None, expected, merge_key)
            return
        patch = YamlPatch(entry.parsed.text, root_of_entry, self.style)
        edit(patch, entry.path)
        plains = self._plains()
        plains[self._parsed.entries.index(entry)] = plain_of(patch.root)
        edits = line_edits(entry.parsed.text, patch.text, entry.start)
        self._commit(edits, name, plains, expected, merge_key)

    def _commit_text(self, text: str, plains: list[Any], name: str) -> None:
        self._commit(line_edits(self._text, text), name, plains)

    def _commit(
        self,
        edits: EditBatch,
        name: str,
        plains: list[Any] | None,
        expected: Condition | None = None,
        merge_key: object = None,
    ) -> None:
        """Make the edits; raise UnsafeEditError when the entries would not parse to ``plains``."""
        if not edits:
            return
        parsed = self._reader.read(apply_edits(self._text, edits))
        breaks = self._parsed.is_whole and not parsed.is_whole
        if breaks or (plains is not None and not same([_plain(entry) for entry in parsed.entries], plains)):
            raise UnsafeEditError
        if expected is not None and not any(
            condition == expected for rule in parsed.file.rules for condition in rule.conditions.walk()
        ):
            raise UnsafeEditError(_("It would be read as something else"))
        self._edit(edits, name, merge_key)

    def _plains(self) -> list[Any]:
        return [_plain(entry) for entry in self._parsed.entries]


def _plain(entry: FileEntry) -> Any:
    """The plain value of an entry; the lines of one that cannot be parsed."""
    if entry.parsed is not None:
        if entry.parsed.root is None:
            return lines.without_tail(entry.parsed.text)
        if entry.parsed.plain is None:
            entry.parsed.plain = plain_of(entry.parsed.root)
        return entry.parsed.plain
    if entry.node is None:
        return None
    # In the form of an entry that was parsed alone: a list of one rule, or a rule under its key.
    plain = plain_of(entry.node)
    return [plain] if entry.path and isinstance(entry.path[-1], int) else {entry.key: plain}
