"""Suggest states from two golden trajectories: what both went through and other tasks did not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from collector.model.i18n import _, join_sentences, ngettext
from collector.rules.grammar.model import Condition, Group
from collector.states.suggestions.golden_table import GoldenTable, Holds
from collector.states.suggestions.screen_traits import ScreenTrait, traits_of

MOST = 12
_TRIED = 24
"""Traits of one screen that are tried on all golden trajectories, the best first."""
_PAIRED = 10
"""Of those so many are tried in pairs when none is particular to the task by itself."""
_WORDS = re.compile(r"[^\W\d_]{3,}|\d+(?:[.,]\d+)*|[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]+")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_COMMON = frozenset(
    ("the", "and", "for", "with", "that", "this", "into", "from", "your", "you", "all", "one", "not", "are",
     "its", "then", "has", "have", "was", "what", "which", "can", "app", "open", "show", "find", "make")
)  # fmt: skip
_POINTS_A_WORD, _MOST_OF_WORDS = 9, 27
_POINTS_AT_END, _POINTS_PARTICULAR = 8, 5
_SHARE_OF_WORTH = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class GoldenState:
    """Something that the golden trajectories of a task have in common."""

    conditions: Group
    sentence: str
    steps: tuple[int, ...]
    score: int
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    traits: tuple[ScreenTrait, ...]
    steps: tuple[int, ...]
    holds: Holds
    other_tasks: tuple[str, ...]
    words: tuple[str, ...]
    """Words of the instruction that it has, as they are written there."""
    score: int


def states_in_common(
    table: GoldenTable, instruction: str, *, most_other_tasks: int = 0, most: int = MOST
) -> list[GoldenState]:
    """One state for each moment that both golden trajectories of the table have in common, best first.

    A moment is a pair of steps. What more than ``most_other_tasks`` other tasks went through is left out.
    """
    best: dict[tuple[int, ...], _Candidate] = {}
    for traits in _moments(table, instruction):
        for candidate in _candidates(table, traits, instruction, most_other_tasks):
            known = best.get(candidate.steps)
            if known is None or _rank(candidate) < _rank(known):
                best[candidate.steps] = candidate
    ranked = sorted(best.values(), key=_rank)[:most]
    return [_state(candidate, table) for candidate in ranked]


def _moments(table: GoldenTable, instruction: str) -> Iterator[list[ScreenTrait]]:
    """What both have in common and do not begin with, by the steps at which it is first seen."""
    first, second = (_first_seen(table, place, instruction) for place in range(2))
    groups: dict[tuple[int, int], list[ScreenTrait]] = {}
    for condition, (step, trait) in first.items():
        if condition in second and step and second[condition][0]:
            groups.setdefault((step, second[condition][0]), []).append(trait)
    for _steps, traits in sorted(groups.items()):
        yield sorted(traits, key=lambda trait: (-_interest(trait, instruction), _size(trait), _name(trait)))


def _first_seen(table: GoldenTable, place: int, instruction: str) -> dict[Condition, tuple[int, ScreenTrait]]:
    seen: dict[Condition, tuple[int, ScreenTrait]] = {}
    for step, view in enumerate(table.views(place)):
        for condition, trait in traits_of(view, instruction).items():
            seen.setdefault(condition, (step, trait))
    return seen


def _candidates(
    table: GoldenTable, traits: Sequence[ScreenTrait], instruction: str, most_other_tasks: int
) -> Iterator[_Candidate]:
    """The best single traits of a moment; pairs of traits where none is particular by itself."""
    tried = [(trait, table.holds(trait.condition)) for trait in traits[:_TRIED]]
    singles = [
        candidate
        for trait, holds in tried
        if (candidate := _candidate(table, (trait,), holds, instruction)) is not None
    ]
    particular = [candidate for candidate in singles if len(candidate.other_tasks) <= most_other_tasks]
    if particular:
        yield min(particular, key=_rank)
        return
    pairs = [
        _candidate(table, (trait, other), holds & other_holds, instruction)
        for (trait, holds), (other, other_holds) in combinations(tried[:_PAIRED], 2)
        if trait.about != other.about
    ]
    fitting = [pair for pair in pairs if pair is not None and len(pair.other_tasks) <= most_other_tasks]
    if fitting:
        yield min(fitting, key=_rank)


def _candidate(
    table: GoldenTable, traits: tuple[ScreenTrait, ...], holds: Holds, instruction: str
) -> _Candidate | None:
    steps = table.first_steps(holds)
    if steps is None:
        return None
    others = tuple(table.tasks_with(holds))
    said = " ".join(trait.words for trait in traits)
    words = _words(instruction) & _words(said)
    score = _SHARE_OF_WORTH * (min(trait.worth for trait in traits) - 6 * (len(traits) - 1))
    score += min(_MOST_OF_WORDS, _POINTS_A_WORD * len(words))
    score += _POINTS_AT_END * table.lasts(holds)
    score += _POINTS_PARTICULAR * (bool(table.others) and not others)
    score -= 3 * len(others)
    shown = tuple(_shown_words(instruction, words))
    return _Candidate(traits, steps, holds, others, shown, max(0, min(100, round(score))))


def _interest(trait: ScreenTrait, instruction: str) -> float:
    return _SHARE_OF_WORTH * trait.worth + min(
        _MOST_OF_WORDS, _POINTS_A_WORD * len(_words(instruction) & _words(trait.words))
    )


def _rank(candidate: _Candidate) -> tuple[object, ...]:
    """Sorts the better first; never equal for two candidates with different conditions."""
    size = sum(map(_size, candidate.traits))
    return -candidate.score, len(candidate.traits), size, [_name(trait) for trait in candidate.traits]


def _size(trait: ScreenTrait) -> int:
    return len(trait.sentence)


def _name(trait: ScreenTrait) -> str:
    return repr(trait.condition)


def _words(text: str) -> set[str]:
    """The words of a text that say something; of Chinese, Japanese and Korean each two letters in a row."""
    words: set[str] = set()
    for word in _WORDS.findall(text.casefold()):
        if _WIDE.search(word):
            words.update(word[place : place + 2] for place in range(max(1, len(word) - 1)))
        elif word not in _COMMON:
            words.add(word)
    return words


def _shown_words(instruction: str, words: set[str]) -> Iterator[str]:
    """The words in the order of the instruction; pairs of letters that overlap as one word."""
    text = instruction.casefold()
    seen: dict[str, None] = {}
    for run in _WORDS.findall(text):
        if not _WIDE.search(run):
            seen.update({run: None} if run in words else {})
            continue
        start = None
        for place in range(len(run)):
            is_in = run[place : place + 2] in words
            if is_in and start is None:
                start = place
            elif not is_in and start is not None:
                seen[run[start : place + 1]] = None
                start = None
    yield from seen


def _state(candidate: _Candidate, table: GoldenTable) -> GoldenState:
    conditions = Group(conditions=tuple(trait.condition for trait in candidate.traits))
    sentence = join_sentences(*(trait.sentence for trait in candidate.traits))
    return GoldenState(conditions, sentence, candidate.steps, candidate.score, _reason(candidate, table))


def _reason(candidate: _Candidate, table: GoldenTable) -> str:
    first, second = (step + 1 for step in candidate.steps)
    parts = [
        _("Both golden trajectories come to it, at steps {first} and {second}", first=first, second=second)
    ]
    count = len(table.others)
    if candidate.other_tasks:
        parts.append(
            ngettext("One other task does too", "{count} other tasks do too", len(candidate.other_tasks))
        )
    elif count:
        parts.append(ngettext("The one other task does not", "None of {count} other tasks does", count))
    if table.lasts(candidate.holds):
        parts.append(_("It holds at the end, too"))
    if candidate.words:
        parts.append(_("The instruction says {words}", words=", ".join(candidate.words)))
    return join_sentences(*parts)
