"""The vocabulary for completions: what the state on the screen shows, and what the project names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Slot

from collector.rules.grammar import specs
from collector.rules.grammar.model import STATE
from rule_editor.document.completion.completions import Completion, Vocabulary
from studio.views.rules.rule_pane import RulePane
from studio.views.rules.session import RulesSession

_LONGEST = 60


class CompletionProvider(QObject):
    """Offers completions in the YAML, and in the fields of the form."""

    def __init__(self, session: RulesSession, pane: RulePane, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._pane = session, pane
        pane.yaml.provider = self.completions
        session.selected.connect(self._offer)
        session.rule_changed.connect(self._offer)
        session.state_changed.connect(self._offer)
        session.corpus_changed.connect(self._offer)

    def completions(self, offset: int) -> Sequence[Completion]:
        """Return what may be written at a character of the YAML."""
        document = self._session.document
        if document is None:
            return ()
        return document.completions(offset, vocabulary(self._session))

    @Slot()
    def _offer(self) -> None:
        if not self._session.shows_anomaly:
            self._pane.form.offer(field_values(self._session))


def vocabulary(session: RulesSession) -> Vocabulary:
    """Return the names on the screen and in the project."""
    state = session.state
    nodes = state.nodes if state is not None else ()
    return Vocabulary(
        ids=_distinct(node.resource_id for node in nodes),
        texts=_distinct(node.text for node in nodes),
        descriptions=_distinct(node.content_desc for node in nodes),
        activities=_distinct([state.activity] if state is not None else []),
        packages=_distinct([state.package] if state is not None else []),
        anomalies=tuple(anomaly.id for anomaly in session.documents.offered.anomalies if anomaly.id),
        states=_distinct(rule.id for rule in session.documents.rules_of(STATE)),
        tasks=session.task_ids,
    )


def field_values(session: RulesSession) -> dict[str, list[str]]:
    """Return the same vocabulary for the fields of the form, by the kind of value they take."""
    words = vocabulary(session)
    return {
        specs.SELECTOR: [f"resource-id='{resource_id}'" for resource_id in words.ids]
        + [f"text='{text}'" for text in words.texts],
        specs.TEXT: [*words.texts, *words.descriptions],
        specs.ACTIVITY: list(words.activities),
        specs.PACKAGE: list(words.packages),
        specs.STATE_ID: list(words.states),
    }


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if word and len(word) <= _LONGEST and "'" not in word))
