"""What can be said of a recorded screen, as conditions with a sentence each: texts, nodes, action."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from collector.hierarchy.selectors import quote
from collector.model.action import Answer, LongPress, OpenApp, Tap, Type
from collector.model.i18n import _
from collector.rules.conditions.action_was import ActionWas
from collector.rules.conditions.current_activity_is import CurrentActivityIs
from collector.rules.conditions.element_text import ElementTextContains
from collector.rules.conditions.text_matches import TextMatches
from collector.rules.evaluation.state_view import StateView, full_activity
from collector.rules.grammar.model import Condition
from collector.rules.suggest.facts import Fact, facts_of

_LONGEST_TYPED = 120
_STATES = ("checked", "selected")
_WORD_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+")


_WORTH = {
    "switch": 84, "answer": 78, "text": 72, "contains": 64, "description": 62, "shown": 60, "typed": 58,
    "id": 54, "pattern": 52, "activity": 50, "number": 48, "touched": 40, "opened": 36, "unchecked": 20,
}  # fmt: skip
"""By kind of a trait, how good an essential state it makes, 0 to 100: what is checked or answered before a
text, a text before a node that is merely there, a screen before the touch that led to it."""


@dataclass(frozen=True, slots=True)
class ScreenTrait:
    """A condition that holds on a screen."""

    condition: Condition
    kind: str = field(compare=False)
    """A key of the table of worths."""
    sentence: str = field(compare=False)
    """What is to be seen, for people and models."""
    words: str = field(compare=False)
    """The texts in it, to compare with the instruction."""
    about: str = field(compare=False)
    """Names the node or the action it is about."""

    @property
    def worth(self) -> int:
        """How good an essential state it makes, 0 to 100; a text with a number may be another next time."""
        return _WORTH[self.kind] - 4 * (self.kind in ("text", "shown") and has_numbers(self.words))


def traits_of(view: StateView, instruction: str = "") -> dict[Condition, ScreenTrait]:
    """All that can be said of a screen and of the action that led to it, without what will not last."""
    traits = (*_of_screen(view, instruction), *_of_action(view, instruction))
    return {trait.condition: trait for trait in traits}


def _of_screen(view: StateView, instruction: str) -> Iterator[ScreenTrait]:
    for fact in sorted(facts_of(view)):
        yield from _of_fact(fact, instruction)
    activity = full_activity(view.package, view.activity)
    if activity:
        name = activity.rpartition(".")[2].removesuffix("Activity") or activity
        said = _("The screen {name} is open", name=name)
        yield ScreenTrait(CurrentActivityIs(value=activity), "activity", said, _spaced(name), "activity")


def _of_fact(fact: Fact, instruction: str) -> Iterator[ScreenTrait]:
    is_id = fact.name == "resource-id"
    name = _spaced(fact.value.rpartition("/")[2]) if is_id else fact.value
    about = f"{fact.name} {fact.value}"
    text = fact.wanted if fact.attribute not in _STATES and fact.attribute else name
    if not any(map(str.isalnum, text)) or ((fact.attribute or is_id) and is_volatile(name, instruction)):
        return
    if fact.attribute in _STATES:
        yield _switch(fact, name, about)
    elif is_id and not fact.attribute:
        said = _("The element '{name}' is shown", name=name)
        yield ScreenTrait(fact.condition(), "id", said, name, about)
    else:
        if not is_volatile(text, instruction):
            words = f"{name} {text}" if is_id else text
            said = _says(name, text) if is_id else _("'{text}' is shown", text=text)
            yield ScreenTrait(fact.condition(), _kind_of_text(fact, text), said, words, about)
        yield from _with_other_numbers(fact, name, text, about)


def _switch(fact: Fact, name: str, about: str) -> ScreenTrait:
    if fact.wanted != "true":
        kind, said = "unchecked", _("'{name}' is not checked", name=name)
    elif fact.attribute == "checked":
        kind, said = "switch", _("'{name}' is checked", name=name)
    else:
        kind, said = "switch", _("'{name}' is selected", name=name)
    return ScreenTrait(fact.condition(), kind, said, name, about)


def _with_other_numbers(fact: Fact, name: str, text: str, about: str) -> Iterator[ScreenTrait]:
    """Traits that accept any price, count or time in the text."""
    if fact.attribute == "text" and (part := lasting_part(text)):
        condition = ElementTextContains(selector=f"{fact.name}={quote(fact.value)}", text=part)
        said = _("'{name}' contains '{text}'", name=name, text=part)
        yield ScreenTrait(condition, "contains", said, f"{name} {part}", about)
    elif not fact.attribute and (pattern := lasting_pattern(text)):
        said = _("A text like '{text}' is shown", text=text)
        yield ScreenTrait(TextMatches(pattern=pattern), "pattern", said, text, about)


def _says(name: str, text: str) -> str:
    if name.casefold() == text.casefold():
        return _("'{text}' is shown", text=text)
    return _("'{name}' is '{text}'", name=name, text=text)


def _kind_of_text(fact: Fact, text: str) -> str:
    if not any(map(str.isalpha, text)):
        return "number"
    return {"text": "text", "content-desc": "description"}.get(fact.attribute, "shown")


def _of_action(view: StateView, instruction: str) -> Iterator[ScreenTrait]:
    action = view.action
    if isinstance(action, Answer) and action.text.strip():
        said = _("The answer '{text}' was given", text=action.text)
        yield _action(ActionWas(action="answer", text=action.text), said, "answer", action.text)
    elif isinstance(action, Type) and 0 < len(action.text.strip()) <= _LONGEST_TYPED and not action.redacted:
        said = _("'{text}' was typed", text=action.text)
        yield _action(ActionWas(action="type", text=action.text), said, "typed", action.text)
    elif isinstance(action, OpenApp) and (action.package or action.name):
        name = action.package or action.name
        said = _("The app {name} was opened", name=action.name or action.package)
        yield _action(ActionWas(action="open_app", text=name), said, "opened", action.name)
    elif isinstance(action, (Tap, LongPress)) and view.target is not None:
        given = view.target.attributes
        for name in ("resource-id", "text", "content-desc"):
            value = given.get(name, "")
            is_name = any(map(str.isalnum, value)) and len(value) <= _LONGEST_TYPED
            if is_name and not is_volatile(value, instruction):
                condition = ActionWas(action=action.kind, selector=f"{name}={quote(value)}")
                touched = _spaced(value.rpartition("/")[2]) if name == "resource-id" else value
                said = _("'{name}' was touched", name=touched)
                yield _action(condition, said, "touched", touched)


def _action(condition: ActionWas, said: str, kind: str, words: str) -> ScreenTrait:
    return ScreenTrait(condition, kind, said, words, f"action {condition.action}")


def _spaced(name: str) -> str:
    """``addToCart_button`` as ``add to cart button``."""
    return " ".join(_WORD_BORDER.sub(" ", name).split()).lower()


_DAYS = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*"
_MONTHS = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_VOLATILE = re.compile(
    "|".join(
        (
            r"\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?",
            r"\b\d{4}-\d{1,2}-\d{1,2}\b",
            r"\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b",
            rf"\b{_DAYS},? (?:\d|{_MONTHS})",
            rf"\b{_MONTHS}\.? \d{{1,2}}\b",
            rf"\b\d{{1,2}}\.? {_MONTHS}\b",
            r"\d{1,2}月\d{1,2}日|星期[一二三四五六日天]|周[一二三四五六日]",
            r"\b\d+\s?(?:s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|weeks?)\s+ago\b",
            r"\bjust now\b|\d+\s?(?:秒|分钟|小时|天)前|刚刚",
            r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]*",
            r"\b(?=[a-z]*\d)[0-9a-f]{10,}\b",
            r"\d{6,}",
            r"#\d{3,}",
            r"\b[A-Z]{1,4}-\d{3,}\b",
        )
    ),
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_EDGES = " ,.:;()·-–—#$€¥£%"
_SHORTEST = 3


def is_volatile(text: str, instruction: str = "") -> bool:
    """Whether a part of a text will be another one next time; what the instruction asks for will not."""
    wanted = instruction.casefold()
    return any(match[0].strip().casefold() not in wanted for match in _VOLATILE.finditer(text))


def has_numbers(text: str) -> bool:
    """Whether a text has a number in it, which may be a price or a count."""
    return _NUMBER.search(text) is not None


def lasting_part(text: str) -> str:
    """The longest part of a text between its numbers and clocks; empty when it is short or the whole."""
    pieces = _NUMBER.split(_VOLATILE.sub("0", text))
    best = max((piece.strip(_EDGES) for piece in pieces), key=len, default="")
    return best if _SHORTEST <= len(best) < len(text) and best in text else ""


def lasting_pattern(text: str) -> str:
    """A regular expression for a text with any numbers in it; empty when nothing but numbers is left."""
    if not has_numbers(text) or _VOLATILE.search(text) is not None or not lasting_part(text):
        return ""
    parts = (re.escape(piece).replace("\\ ", " ") for piece in _NUMBER.split(text))
    return "^" + "[0-9][0-9.,]*".join(parts) + "$"
