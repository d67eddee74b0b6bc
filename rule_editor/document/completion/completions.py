"""What to offer at a cursor: the grammar's words, and those on the screen and in the project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from collector.model.action import ACTIONS
from collector.model.i18n import N_, _
from collector.rules.grammar import specs
from collector.rules.grammar.condition_types import condition_specs
from collector.rules.grammar.specs import (
    ACTION_TYPES,
    ANY_OF,
    GROUP_KEYS,
    INJECTION_FIELDS,
    METHODS,
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
from rule_editor.document.yaml_patch import yaml_writer
from rule_editor.document.yaml_patch.style import YamlStyle

_MOST = 200
_NOT_AT_ALL = 3
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
    """What there is to name: of the screen that is shown, and of the project."""

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
    context: CursorContext, kind: str, words: Vocabulary, style: YamlStyle
) -> tuple[Completion, ...]:
    """What fits ``context`` in a file of rules of ``kind``, what begins like the word at the cursor first."""
    if context.what == KEY:
        found = [
            (name, doc, text) for name, doc, text in _keys(context, kind) if name not in context.siblings
        ]
    elif context.what == VALUE and context.field is not None:
        quote = context.quote or _quote(context.field, style)
        offered = dict.fromkeys(_values(context.field, context.within, words))
        found = [(one, doc, _written(one, quote)) for one, doc in offered if one not in _taken(context)]
    else:
        return ()
    ranked = ((_rank(context.prefix, label), at) for at, (label, _doc, _text) in enumerate(found))
    order = sorted(one for one in ranked if one[0] < _NOT_AT_ALL)[:_MOST]
    return tuple(Completion(*found[at], context.start, context.end) for _rank_of, at in order)


def _taken(context: CursorContext) -> tuple[str, ...]:
    lists = (specs.TEXTS, specs.STATE_IDS)
    return context.siblings if context.field is not None and context.field.kind in lists else ()


def _rank(prefix: str, label: str) -> int:
    """0 for the beginning of the label, 1 for that of a word in it, 2 for within, 3 for not at all."""
    typed, whole = prefix.strip().casefold(), label.casefold()
    if whole.startswith(typed):
        return 0
    if any(f"{sign}{typed}" in whole for sign in " _-./:'"):
        return 1
    return 2 if typed in whole else _NOT_AT_ALL


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


def _values(spec: FieldSpec, within: str, words: Vocabulary) -> Iterator[tuple[str, str]]:
    if spec.kind == CONDITION_TYPE:
        for one in (*condition_specs().values(), ANY_OF):
            yield one.type, _(one.doc)
    elif spec.kind == specs.SELECTOR:
        yield from _selectors(words)
    elif spec.kind == specs.FLAG:
        yield "true", _(spec.doc)
        yield "false", _(spec.doc)
    else:
        known = _known(spec, within)
        yield from ((one, _(spec.doc)) for one in known)
        yield from ((one, _(doc)) for listed, doc in _named(spec, words) for one in listed)


def _known(spec: FieldSpec, within: str) -> tuple[str, ...]:
    """Words the grammar itself has for a field."""
    if within == ACTION and spec.name == "type":
        return ACTION_TYPES
    return {
        specs.ACTION: tuple(ACTIONS),
        specs.METHOD: METHODS,
        specs.ATTRIBUTE: _ATTRIBUTES,
    }.get(spec.kind, ())


def _named(spec: FieldSpec, words: Vocabulary) -> tuple[tuple[tuple[str, ...], str], ...]:
    """Words of the screen and the project for a field."""
    seen = ((words.texts, _ON_SCREEN), (words.descriptions, _ON_SCREEN))
    if spec.kind == specs.TEXT:
        return seen if spec.name in ("text", "value") else ()
    by_kind: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
        specs.TEXTS: seen,
        specs.ACTIVITY: ((words.activities, _ON_SCREEN),),
        specs.PACKAGE: ((words.packages, _ON_SCREEN),),
        specs.ANOMALY_ID: ((words.anomalies, _IN_PROJECT),),
        specs.STATE_ID: ((words.states, _IN_PROJECT),),
        specs.STATE_IDS: ((words.states, _IN_PROJECT),),
        specs.TASK_ID: ((words.tasks, _IN_PROJECT),),
        specs.IMAGE: ((words.images, _IN_PROJECT),),
    }
    return by_kind.get(spec.kind, ())


def _selectors(words: Vocabulary) -> Iterator[tuple[str, str]]:
    doc = _(_ON_SCREEN)
    listed = (("resource-id", words.ids), ("text", words.texts), ("content-desc", words.descriptions))
    for attribute, values in listed:
        for value in values:
            if value and "\n" not in value and not ("'" in value and '"' in value):
                sign = '"' if "'" in value else "'"
                yield f"{attribute}={sign}{value}{sign}", doc


def _quote(spec: FieldSpec, style: YamlStyle) -> str:
    """Quotes for a new value; what is a word of the grammar, a number or true and false stands without."""
    textual = (specs.SELECTOR, specs.TEXT, specs.TEXTS, specs.PATTERN, specs.IMAGE)
    return style.quote(spec.name) if spec.kind in textual and spec.name != "type" else ""


def _written(word: str, quote: str) -> str:
    return word if word in ("true", "false") and not quote else yaml_writer.scalar(word, quote)
