"""The rules of redaction along one trajectory: what they hide on its screens, and the words found so far."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from collector.hierarchy.captions import focused_field
from collector.model.action import Action, Type
from collector.model.geometry import Rect, Size
from collector.model.trajectory import Step, Target
from collector.model.tree import Tree
from collector.redaction_rules.hidden_screen import Detect, HiddenRegion, HiddenScreen, hidden_on
from collector.redaction_rules.pattern_spans import pattern_words
from collector.redaction_rules.picture_detectors import detected
from collector.redaction_rules.redaction_rule import CAPTIONS, THOUGHTS, TREE, TYPED, RedactionRule
from collector.redaction_rules.rule_file import redaction_of
from collector.redaction_rules.word_masking import HiddenWords, masked_attributes
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.evaluation.state_view import StateView
from collector.store.files.layout import ProjectPaths, project_around
from collector.store.redaction.screens import (
    Hides,
    has_private_text,
    hides_nothing,
    mask_dump,
    regions_of,
    touches,
)
from collector.store.redaction.secret_text import SecretTexts

HIDDEN_REGIONS = "redaction"
"""Key of a step: the places that rules hide of its screen."""
OF_WORDS = ""
"""In place of the name of a rule: a place that shows a word which rules hide on another screen."""
_Stamp = tuple[int, int] | None


class TrajectoryRedaction:
    """The rules that count in one trajectory, read again when their file changes. One thread at a time."""

    def __init__(self, project: Path | None, task_id: str, detect: Detect = detected) -> None:
        """Raises UserError when the rules cannot be read."""
        self._task_id, self._detect = task_id, detect
        self._path = ProjectPaths(project).redaction if project is not None else None
        self._images = ImageFiles(project) if project is not None else None
        self._stamp: _Stamp = None
        self.rules: tuple[RedactionRule, ...] = ()
        self.words = HiddenWords()
        self.read_again()

    @classmethod
    def of(cls, folder: Path, task_id: str) -> TrajectoryRedaction:
        """Of the trajectory in ``folder``, whose project need not be there. Raises UserError."""
        return cls(project_around(folder), task_id)

    @classmethod
    def by(cls, project: Path, task_id: str, rules: Iterable[RedactionRule]) -> TrajectoryRedaction:
        """By other rules than those of the project's file."""
        made = cls(None, task_id)
        made.rules = tuple(rule for rule in rules if rule.is_of(task_id))
        made._images = ImageFiles(project)
        return made

    def __bool__(self) -> bool:
        return bool(self.rules)

    def read_again(self) -> None:
        """Read the rules, unless their file is as it was. Raises UserError."""
        stamp = _stamp_of(self._path)
        if self._path is not None and stamp != self._stamp:
            rules = redaction_of(self._path.parent)
            self.rules = tuple(rule for rule in rules if rule.is_of(self._task_id))
        elif stamp is None:
            self.rules = ()
        self._stamp = stamp

    def look(self, view: StateView, screen: Size) -> HiddenScreen:
        """What is hidden of a screen, in its pixels; nothing is learnt from it."""
        return hidden_on(self.rules, view, screen, self._images, self._detect)

    def learn(self, hidden: HiddenScreen) -> list[str]:
        """Hide the words of a screen in the whole trajectory. Returns those that are new."""
        return self.words.learn(hidden.words)

    def learn_typed(
        self, action: Action | None, tree: Tree | None, hidden: HiddenScreen, *places: Rect | None
    ) -> list[str]:
        """Hide a text that is typed into a hidden field, before any screen shows it. Returns what is new.

        ``places`` are those of fields that may take it, beside the one with the focus.
        """
        if not isinstance(action, Type) or not action.text or not hidden.fields:
            return []
        focused = focused_field(tree) if tree is not None else None
        taking = [*places, focused.bounds if focused is not None else None]
        return self.words.learn(
            (rule, action.text)
            for rule, box in hidden.fields
            if any(touches(place, [box]) for place in taking)
        )

    def learn_from_line(self, line: Mapping[str, Any], hidden: HiddenScreen | None = None) -> list[str]:
        """Hide what patterns find in the line of a step or an event. Returns the words that are new.

        Of a line without a screen those rules count that hold on every screen.
        """
        found = []
        for rule in self.rules:
            if not rule.pattern or not rule.learns_words:
                continue
            if rule.holds_everywhere or (hidden is not None and rule.name in hidden.holding):
                texts = _texts_of(line, rule.parts)
                found += [(rule, word) for text in texts for word in pattern_words(rule.pattern, text)]
        return self.words.learn(found)

    def learn_from_texts(self, *texts: str) -> list[str]:
        """Hide what the patterns find that hold on every screen, in texts that belong to none."""
        return self.learn_from_line({"text": list(texts)})


class ScreenMask:
    """Hides on one screen what its rules hide there, and the words of the trajectory."""

    def __init__(self, hidden: HiddenScreen, words: HiddenWords) -> None:
        self._hidden, self._words = hidden, words
        own = SecretTexts(word for rule, word in hidden.words if TREE in rule.parts)
        self._own = own

    def regions(self, view: StateView) -> list[HiddenRegion]:
        """The places to cover, in pixels of the screen."""
        by_words = _with_words(view, self._words.on_screens)
        known = {region.bounds for region in self._hidden.pixels}
        more = [HiddenRegion(OF_WORDS, box, "fill") for box in by_words if box not in known]
        return [*self._hidden.pixels, *more]

    def dump(self, xml: bytes, view: StateView) -> bytes | None:
        """The dump without what is hidden; as it is where nothing is, None where that cannot be done."""
        hides, places = self._hides(xml), self._hidden.tree
        tree = view.tree
        masked: bytes | None = xml
        if tree is None:
            return xml if not places and hides is hides_nothing else None
        if has_private_text(tree, places, passwords=False, hides=hides):
            masked = mask_dump(xml, places, passwords=False, strict=True, hides=hides)
        for words in (self._own, self._words.in_trees):
            masked = masked_attributes(masked, words) if masked is not None else None
        return masked

    def _hides(self, xml: bytes) -> Hides:
        own, known = self._own, self._words.in_trees
        if not own and not self._words.find_in_dump(xml):
            return hides_nothing
        return lambda text: own.finds(text) or known.finds(text)


def without_hidden_target(step: Step, hidden: HiddenScreen) -> Step:
    """The step whose action does not say the texts of a node that is hidden in the tree."""
    target = step.target
    if target is None or not touches(target.bounds, hidden.tree):
        return step
    return dataclasses.replace(step, target=Target(target.path, target.bounds))


def as_kept(regions: Iterable[HiddenRegion]) -> list[dict[str, object]]:
    """Regions as a step keeps them under :data:`HIDDEN_REGIONS`."""
    return [region.as_dict() for region in regions]


def kept_regions(step: Step) -> list[HiddenRegion]:
    """The regions that a step keeps; what cannot be read is passed over."""
    kept = step.extra.get(HIDDEN_REGIONS)
    found = []
    for item in kept if isinstance(kept, list) else ():
        box = item.get("region") if isinstance(item, dict) else None
        if isinstance(box, list) and len(box) == 4 and all(type(edge) is int for edge in box):
            found.append(HiddenRegion(str(item.get("rule", "")), Rect(*box), str(item.get("style", ""))))
    return found


def _with_words(view: StateView, words: SecretTexts) -> list[Rect]:
    return regions_of(view.tree, words.finds) if words and view.has_nodes else []


_KEYS = {"action": TYPED, "agent": THOUGHTS}


def _texts_of(line: Mapping[str, Any], parts: frozenset[str]) -> Iterator[str]:
    """The texts of those parts of a line in which a rule hides anything."""
    for key, value in line.items():
        if key not in ("state", HIDDEN_REGIONS) and _KEYS.get(key, CAPTIONS) in parts:
            yield from _strings(value)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        for item in value:
            yield from _strings(item)


def _stamp_of(path: Path | None) -> _Stamp:
    try:
        facts = path.stat() if path is not None else None
    except OSError:
        return None
    return (facts.st_mtime_ns, facts.st_size) if facts is not None else None
