"""Words to complete from: what is on the screen on show, and what the project names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from collector.rules.grammar import specs
from collector.rules.grammar.model import STATE
from rule_editor.document.completion.completions import Completion, Vocabulary
from studio.views.rules.list_entries import anomalies_of

if TYPE_CHECKING:
    from studio.views.rules.workspace import RulesWorkspace

_LONGEST = 60


def completions(home: RulesWorkspace, offset: int) -> Sequence[Completion]:
    """What may be written at a character of the YAML on show."""
    document = home.document
    if document is None:
        return ()
    return document.completions(offset, words_of(home))


def words_of(home: RulesWorkspace) -> Vocabulary:
    """What there is to name on the screen on show and in the project."""
    state = home.stage.state
    nodes = state.nodes if state is not None else ()
    states = home.book.documents.get(STATE)
    return Vocabulary(
        ids=_distinct(node.resource_id for node in nodes),
        texts=_distinct(node.text for node in nodes),
        descriptions=_distinct(node.content_desc for node in nodes),
        activities=_distinct([state.activity] if state is not None else []),
        packages=_distinct([state.package] if state is not None else []),
        anomalies=tuple(anomaly.id for anomaly in anomalies_of(home.book.offered)),
        states=tuple(rule.id for rule in states.rules) if states is not None else (),
        tasks=tuple(task.id for task in home.shell.library.tasks),
    )


def words_by_kind(home: RulesWorkspace) -> dict[str, list[str]]:
    """The same for the fields of the form, by the kind of value they take."""
    words = words_of(home)
    return {
        specs.SELECTOR: [f"resource-id='{one}'" for one in words.ids]
        + [f"text='{text}'" for text in words.texts],
        specs.TEXT: [*words.texts, *words.descriptions],
        specs.ACTIVITY: list(words.activities),
        specs.PACKAGE: list(words.packages),
        specs.STATE_ID: list(words.states),
    }


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if word and len(word) <= _LONGEST and "'" not in word))
