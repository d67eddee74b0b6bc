"""Completions at a cursor: words of the grammar, of the screen and of the project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from collector.located_yaml.yaml_patch import yaml_writer
from collector.located_yaml.yaml_patch.style import YamlStyle
from collector.model.action import ACTIONS
from collector.model.i18n import N_, _
from collector.rules.grammar import specs
from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.specs import (
    ACTION_TYPES,
    ANY_OF,
    GROUP_KEYS,
    INJECTION_FIELDS,
    RULE_SPECS,
    FieldSpec,
)
from rule_editor.document.completion.cursor_context import (
    ACTION,
    CONDITION,
    CONDITION_TYPE,
    KEY,
    ROOT,
    RULE,
    VALUE,
    CursorContext,
)

_MOST = 200
_NO_MATCH = 3
_GROUPS = {
    "all": N_("All of its conditions hold"),
    "any": N_("At least one of its conditions holds"),
    "not": N_("None of its conditions holds"),
}
_ON_SCREEN = N_("On this screen")
_IN_PROJECT = N_("In this project")
_BLOCK_KINDS = (specs.CONDITION_LIST, specs.ACTIONS, specs.MAPPING)
_ATTRIBUTES = (
    "text", "resource-id", "content-desc", "class", "package", "checked", "checkable", "clickable", "enabled",
    "focusable", "focused", "scrollable", "long-clickable", "password", "selected",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names to complete from: those on the current screen and those in the project."""

    ids: tuple[str, ...] = ()
    """Resource ids on the screen."""
    texts: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()
    activities: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    anomalies: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    images: tuple[str, ...] = ()


EMPTY_VOCABULARY = Vocabulary()


@dataclass(frozen=True, slots=True)
class Completion:
    """Characters ``start`` to ``end`` of the text become ``text``; ``label`` and ``doc`` are shown."""

    label: str
    doc: str
    text: str
    start: int
    end: int


def complete(
    context: CursorContext, kind: str, vocabulary: Vocabulary, style: YamlStyle
) -> tuple[Completion, ...]:
    """The completions for ``context`` in a file of rules of ``kind``, the best matches first."""
    if context.what == KEY:
        candidates = [
            (name, doc, text) for name, doc, text in _keys(context, kind) if name not in context.siblings
        ]
    elif context.what == VALUE and context.field is not None:
        quote = context.quote or _quote(context.field, style)
        values = dict.fromkeys(_values(context.field, context.within, vocabulary))
        taken = _taken(context)
        candidates = [(value, doc, _written(value, quote)) for value, doc in values if value not in taken]
    else:
        return ()
    return ranked(candidates, context.prefix, context.start, context.end)


def ranked(
    candidates: Sequence[tuple[str, str, str]], prefix: str, start: int, end: int
) -> tuple[Completion, ...]:
    """Those of the candidates (label, description, text) that match ``prefix``, the best matches first."""
    matches = ((_rank(prefix, label), at) for at, (label, _doc, _text) in enumerate(candidates))
    order = sorted(match for match in matches if match[0] < _NO_MATCH)[:_MOST]
    return tuple(Completion(*candidates[at], start, end) for _rank_of, at in order)


def _taken(context: CursorContext) -> tuple[str, ...]:
    """Values that the list at the cursor already has."""
    lists = (specs.TEXTS, specs.STATE_IDS)
    return context.siblings if context.field is not None and context.field.kind in lists else ()


def _rank(prefix: str, label: str) -> int:
    """0 when ``label`` begins with ``prefix``, 1 when a word of it does, 2 when it contains it, else 3."""
    typed, whole = prefix.strip().casefold(), label.casefold()
    if whole.startswith(typed):
        return 0
    if any(f"{sign}{typed}" in whole for sign in " _-./:'"):
        return 1
    return 2 if typed in whole else _NO_MATCH


def _keys(context: CursorContext, kind: str) -> Iterator[tuple[str, str, str]]:
    if context.within == ROOT:
        if root := RULE_SPECS[kind].root:
            yield root, _("The list of rules"), f"{root}:"
    elif context.within == RULE:
        yield from _of_fields(RULE_SPECS[kind].fields)
    elif context.within == ACTION:
        yield from _of_fields(INJECTION_FIELDS)
    elif context.within == CONDITION:
        yield from _condition_keys(context)


def _condition_keys(context: CursorContext) -> Iterator[tuple[str, str, str]]:
    spec = ANY_OF if context.type == ANY_OF.type else condition_specs().get(context.type)
    if spec is not None:
        yield from _of_fields(spec.fields)
        return
    if "type" not in context.siblings and not set(GROUP_KEYS) & set(context.siblings):
        yield "type", _("Kind of the condition"), "type: "
        for key in GROUP_KEYS:
            yield key, _(_GROUPS[key]), f"{key}: [" if context.in_brackets else f"{key}:"
    yield specs.MIN_STEP, _("Holds only from this step on, counted from 1"), f"{specs.MIN_STEP}: "


def _of_fields(specs: Iterable[FieldSpec]) -> Iterator[tuple[str, str, str]]:
    for spec in specs:
        yield spec.name, _(spec.doc), f"{spec.name}:" if spec.kind in _BLOCK_KINDS else f"{spec.name}: "


def _values(spec: FieldSpec, within: str, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    if spec.kind == CONDITION_TYPE:
        for condition in (*condition_specs().values(), ANY_OF):
            yield condition.type, _(condition.doc)
    elif spec.kind == specs.SELECTOR:
        yield from _selectors(vocabulary)
    elif spec.kind == specs.FLAG:
        yield "true", _(spec.doc)
        yield "false", _(spec.doc)
    else:
        yield from ((word, _(spec.doc)) for word in _grammar_words(spec, within))
        yield from ((name, _(doc)) for names, doc in _names(spec, vocabulary) for name in names)


def _grammar_words(spec: FieldSpec, within: str) -> tuple[str, ...]:
    """The words that the grammar allows for a field."""
    if within == ACTION and spec.name == "type":
        return ACTION_TYPES
    return {
        specs.ACTION: tuple(ACTIONS),
        **specs.WORDS,
        specs.ATTRIBUTE: _ATTRIBUTES,
    }.get(spec.kind, ())


def _names(spec: FieldSpec, vocabulary: Vocabulary) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Names of the screen and the project that fit a field, each list with its description."""
    seen = ((vocabulary.texts, _ON_SCREEN), (vocabulary.descriptions, _ON_SCREEN))
    if spec.kind == specs.TEXT:
        return seen if spec.name in ("text", "value") else ()
    by_kind: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
        specs.TEXTS: seen,
        specs.ACTIVITY: ((vocabulary.activities, _ON_SCREEN),),
        specs.PACKAGE: ((vocabulary.packages, _ON_SCREEN),),
        specs.ANOMALY_ID: ((vocabulary.anomalies, _IN_PROJECT),),
        specs.STATE_ID: ((vocabulary.states, _IN_PROJECT),),
        specs.STATE_IDS: ((vocabulary.states, _IN_PROJECT),),
        specs.TASK_ID: ((vocabulary.tasks, _IN_PROJECT),),
        specs.IMAGE: ((vocabulary.images, _IN_PROJECT),),
    }
    return by_kind.get(spec.kind, ())


def _selectors(vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    doc = _(_ON_SCREEN)
    listed = (
        ("resource-id", vocabulary.ids),
        ("text", vocabulary.texts),
        ("content-desc", vocabulary.descriptions),
    )
    for attribute, values in listed:
        for value in values:
            if value and "\n" not in value and not ("'" in value and '"' in value):
                sign = '"' if "'" in value else "'"
                yield f"{attribute}={sign}{value}{sign}", doc


def _quote(spec: FieldSpec, style: YamlStyle) -> str:
    """Quotes for a new value; words of the grammar, numbers, true and false have none."""
    textual = (specs.SELECTOR, specs.TEXT, specs.TEXTS, specs.PATTERN, specs.IMAGE)
    return style.quote(spec.name) if spec.kind in textual and spec.name != "type" else ""


def _written(word: str, quote: str) -> str:
    return word if word in ("true", "false") and not quote else yaml_writer.scalar(word, quote)
