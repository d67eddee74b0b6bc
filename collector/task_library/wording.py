"""The instruction of a longer task: those of its parts in English sentences that belong together."""

from __future__ import annotations

from collections.abc import Sequence

from collector.model.task import Task

_OPENINGS = (
    "", "", "", "Before I leave, ", "When you have a minute, ", "While I am on the train, ",
    "Before the weekend, ",
)  # fmt: skip
_NEXT = ("Then {part}", "After that, {part}", "Next, {part}", "When that is done, {part}", "Also {part}")
_NEXT_THERE = ("In the same app, {part}", "While you are there, {part}", "Still in that app, {part}")
_LAST = ("Finally, {part}", "Last of all, {part}", "To finish, {part}", "And in the end, {part}")
_PAIRS = (
    "{first}, and {second}",
    "{first}, and then {second}",
    "{first}. Then {second}",
    "{first}. After that, {second}",
)
_PAIRS_THERE = ("{first}, and while you are there, {second}", "{first}. In the same app, {second}")
_LISTS = (
    "There are {count} things to do on my phone: {parts}",
    "Please work through this list: {parts}",
    "I need {count} things done: {parts}",
)
_ONE_LIST_IN = 3
"""Of so many tasks with three parts and more, one is a list and the others tell one part after the other."""
_COUNTS = {3: "three", 4: "four", 5: "five"}


def instruction_of(parts: Sequence[Task], choice: int) -> str:
    """One text that asks for all parts, in their order; ``choice`` decides among the ways to say it."""
    chosen = _Choice(choice)
    clauses = [clause(part) for part in parts]
    if len(parts) == 2:
        return _sentence(_pair(parts, clauses, chosen))
    if not chosen.below(_ONE_LIST_IN):
        listed = "; ".join((*clauses[:-1], f"and {clauses[-1]}"))
        count = _COUNTS.get(len(parts), str(len(parts)))
        return chosen.of(_LISTS).format(count=count, parts=listed)
    return _story(parts, clauses, chosen)


def clause(task: Task) -> str:
    """The instruction of a part as it stands inside of a sentence."""
    text = task.instruction.strip().rstrip(".")
    return text[:1].lower() + text[1:]


def _pair(parts: Sequence[Task], clauses: Sequence[str], chosen: _Choice) -> str:
    first = chosen.of(_OPENINGS) + clauses[0]
    there = parts[0].package == parts[1].package
    return chosen.of(_PAIRS_THERE if there else _PAIRS).format(first=first, second=clauses[1])


def _story(parts: Sequence[Task], clauses: Sequence[str], chosen: _Choice) -> str:
    """A sentence for each part."""
    opening = chosen.of(("First, ", "To begin with, ", *_OPENINGS))
    sentences = [_sentence(opening + clauses[0])]
    said: set[str] = set()
    for number in range(1, len(parts)):
        there = parts[number].package == parts[number - 1].package
        last = number == len(parts) - 1
        ways: tuple[str, ...] = _NEXT_THERE if there else _LAST if last else _NEXT
        ways = tuple(way for way in ways if way not in said) or ways
        way = chosen.of(ways)
        said.add(way)
        sentences.append(way.format(part=clauses[number]))
    return ". ".join(sentences)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


class _Choice:
    """Makes choices, one after the other, from the digits of a number."""

    def __init__(self, number: int) -> None:
        self._left = number

    def below(self, count: int) -> int:
        self._left, number = divmod(self._left, count)
        return number

    def of(self, ways: Sequence[str]) -> str:
        return ways[self.below(len(ways))]
