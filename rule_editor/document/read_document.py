"""A text and the rules read from it, kept in step; the one way a model edit becomes one of the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from collector.located_yaml.diagnostics import Diagnostic, Place, apply_edits
from collector.located_yaml.source import YamlSource, read_entry
from collector.located_yaml.yaml_node import YamlNode
from collector.model.i18n import _
from collector.rules.grammar.model import Condition, Rule, RuleFile
from rule_editor.document import lines
from rule_editor.document.binding import ConditionPath, Slot, bind
from rule_editor.document.edits import Batch, by_lines
from rule_editor.document.errors import DocumentError, UnsafeEditError
from rule_editor.document.plain import plain_of, same
from rule_editor.document.reading import Entry, EntryReader, Reading, whole_source
from rule_editor.document.style import Style, Votes, style_of
from rule_editor.document.surgery import Path, Workpiece
from rule_editor.document.text_document import TextDocument

Change = Callable[[Workpiece, Path], None]


class ReadDocument(TextDocument):
    """Rules are named by their id; see :attr:`Entry.key <rule_editor.document.reading.Entry>` for doubles.

    Edits of the model raise DocumentError (one sentence) and change nothing when they cannot be made
    safely: an edit touches its own rule only, and what is read afterwards is exactly what was meant.
    """

    def __init__(self, text: str, path: str = "", kind: str = "") -> None:
        super().__init__(text, path)
        self._reader = EntryReader(path, kind)
        self._reading = self._reader.read(text)
        self._style: Style | None = None

    @property
    def file(self) -> RuleFile:
        return self._reading.file

    @property
    def rules(self) -> tuple[Rule, ...]:
        return self._reading.file.rules

    @property
    def kind(self) -> str:
        return self._reading.file.kind

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What the reader found; the linter adds its own."""
        return self._reading.file.diagnostics

    @property
    def reading(self) -> Reading:
        """This revision as it was read, entry by entry."""
        return self._reading

    @property
    def source(self) -> YamlSource:
        """The tree of the whole text; to be read only."""
        return whole_source(self._text)

    @property
    def style(self) -> Style:
        """How new YAML is written here."""
        if self._style is None:
            self._style = style_of((votes_of(entry) for entry in self._reading.entries), self.newline)
        return self._style

    def rule(self, rule_id: str) -> Rule | None:
        """The rule an edit of ``rule_id`` would change."""
        entry = self._reading.by_key.get(rule_id)
        return entry.rule if entry is not None else None

    def condition(self, rule_id: str, path: ConditionPath) -> Condition:
        """The condition at ``path``. Raises DocumentError when there is none."""
        return self._slot(self._entry(rule_id), path).condition

    # Places

    def place_of(self, rule_id: str, path: ConditionPath | None = None) -> Place | None:
        """Where a rule stands, or a condition of it; None when there is none."""
        entry = self._reading.by_key.get(rule_id)
        condition: Condition | None = None
        if entry is None or entry.rule is None:
            return None
        if path is None:
            return entry.rule.place
        condition = entry.rule.conditions
        for step in path:
            if not 0 <= step < len(condition.parts):
                return None
            condition = condition.parts[step]
        return condition.place

    def rule_at(self, offset: int) -> str:
        """Key of the rule whose entry the character is in; empty when in none."""
        for entry in reversed(self._reading.entries):
            if entry.start <= offset:
                return entry.key
        return ""

    def condition_at(self, offset: int) -> tuple[str, ConditionPath] | None:
        """Key of the rule and path of the innermost condition the character is in."""
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

    # How edits are made

    def _read_again(self) -> None:
        self._reading = self._reader.read(self._text)
        self._style = None

    def _entry(self, rule_id: str, *, sound: bool = True) -> Entry:
        entry = self._reading.by_key.get(rule_id)
        if entry is None:
            raise DocumentError(_("There is no rule {id} in this file", id=rule_id), "", _("Choose it again"))
        if sound and (entry.rule is None or entry.node is None):
            raise DocumentError(
                _("The rule {id} cannot be read, so it cannot be changed from here", id=rule_id),
                "",
                _("Mend it in the YAML first"),
            )
        return entry

    def _slot(self, entry: Entry, path: ConditionPath) -> Slot:
        if entry.rule is None or entry.node is None:
            raise UnsafeEditError
        return bind(entry.rule, entry.node, entry.path).at(path)

    def _index(self, key: str | None) -> int:
        if key is None:
            return len(self._reading.entries) - 1
        return self._reading.entries.index(self._entry(key, sound=False))

    def _piece(self, entry: Entry) -> Workpiece:
        if entry.part is not None:
            return Workpiece(entry.part.text, _read_alone, self.style)
        return Workpiece(self._text, _read_whole, self.style)

    def _change(self, entry: Entry, change: Change, name: str, wanted: Condition | None = None) -> None:
        """Let ``change`` work on the entry's text, and take the result when it means what was meant."""
        piece = self._piece(entry)
        change(piece, entry.path)
        if entry.part is None:
            self._commit(by_lines(self._text, piece.text), name, None, wanted)
            return
        plains = self._plains()
        root = piece.root
        plains[self._reading.entries.index(entry)] = plain_of(root)
        self._commit(by_lines(entry.part.text, piece.text, entry.start), name, plains, wanted)

    def _commit_rules(self, text: str, plains: list[Any], name: str) -> None:
        self._commit(by_lines(self._text, text), name, plains)

    def _commit(
        self, edits: Batch, name: str, plains: list[Any] | None, wanted: Condition | None = None
    ) -> None:
        """Make the edits unless the text would then mean something else than was meant."""
        if not edits:
            return
        after = apply_edits(self._text, edits)
        reading = self._reader.read(after)
        rules = [_plain(entry) for entry in reading.entries]
        worse = self._reading.whole and not reading.whole
        if worse or (plains is not None and not same(rules, plains)):
            raise UnsafeEditError
        if wanted is not None and not any(
            one == wanted for rule in reading.file.rules for one in rule.conditions.walk()
        ):
            raise UnsafeEditError(_("It would read as something else"))
        self._edit(edits, name)

    def _plains(self) -> list[Any]:
        return [_plain(entry) for entry in self._reading.entries]


def _read_alone(text: str) -> YamlNode | None:
    source = read_entry(text)
    return source.root if source.is_whole else None


def _read_whole(text: str) -> YamlNode | None:
    source = whole_source(text)
    return source.root if source.is_whole else None


def votes_of(entry: Entry) -> Votes:
    """How an entry that was read alone is written; nothing for another."""
    if entry.part is None:
        return Votes()
    if entry.part.votes is None:
        entry.part.votes = Votes()
        if entry.part.root is not None:
            entry.part.votes.count(entry.part.root, entry.part.text)
    return entry.part.votes


def _plain(entry: Entry) -> Any:
    """What an entry means; its own lines when it cannot be read."""
    if entry.part is not None:
        if entry.part.root is None:
            return lines.without_tail(entry.part.text)
        if entry.part.plain is None:
            entry.part.plain = plain_of(entry.part.root)
        return entry.part.plain
    if entry.node is None:
        return None
    # As the piece it would be were it read alone: a list of one rule, or a rule under its key.
    own = plain_of(entry.node)
    return [own] if entry.path and isinstance(entry.path[-1], int) else {entry.key: own}
