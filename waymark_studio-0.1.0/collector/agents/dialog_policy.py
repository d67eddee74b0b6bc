"""The declared policy of an agent: how it answers the dialogs it meets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NoReturn

from collector.agents.screen_dialogs import (
    ACCEPT,
    CRASH,
    DIALOG_KINDS,
    FROZEN,
    PERMISSION,
    REFUSE,
    ScreenDialog,
)
from collector.anomalies.anomaly_source import AnomalySource
from collector.anomalies.dialogs.answer_button import answer_node
from collector.anomalies.model import Anomaly
from collector.located_yaml.nearest_word import nearest
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.tree import Node, Tree
from collector.store.project.project import Project

DISMISS, DENY, ALLOW, FIRST, LAST, EXPECTED = "dismiss", "deny", "allow", "first", "last", "expected"
ANSWERS = (DISMISS, DENY, ALLOW, FIRST, LAST, EXPECTED)
BUTTON, DEFAULT = "button", "default"
_USUAL: Mapping[str, Any] = {DEFAULT: DISMISS, PERMISSION: ALLOW, CRASH: ALLOW, FROZEN: ALLOW}
"""The policy where an agent declares none. A permission of the phone itself is what the task needs; an app
that stopped or hangs is closed, and opened again."""


class DialogPolicy:
    """Answers by the anomaly's id or family, then by the kind of dialog, then ``default``.

    An answer is one of ANSWERS, ``{button: WORDS}``, or a list of these: the first that the dialog offers.
    """

    def __init__(self, given: Mapping[Any, Any], project: Project | None) -> None:
        """Take a policy as an experiment writes it. Raises UserError for a word that means nothing."""
        self._project = project
        self._given = {**_USUAL, **given}
        for name, answer in given.items():
            self._check_name(str(name))
            _check_answer(str(name), answer)

    def choices(self, dialog: ScreenDialog, tree: Tree) -> list[tuple[str, Node | None]]:
        """What to try on a dialog, the best first: the name of an answer, and its node or None for BACK.

        After the declared answer come BACK and the other buttons, for a dialog that stays; of an app that
        stopped the buttons come before BACK.
        """
        anomaly = self._anomaly_of(dialog)
        answers = self._answers_for(dialog, anomaly)
        wanted = [choice for answer in answers if (choice := self._choice(answer, dialog, anomaly, tree))]
        rest: list[tuple[str, Node | None]] = [(button.label, button.node) for button in dialog.buttons]
        rest.insert(0 if dialog.kind not in (CRASH, FROZEN) else len(rest), (DISMISS, None))
        choices: list[tuple[str, Node | None]] = []
        for name, node in (*wanted[:1], *rest):
            if all(node is not other for _name, other in choices):
                choices.append((name, node))
        return choices

    # -- helpers -------------------------------------------------------------
    def _answers_for(self, dialog: ScreenDialog, anomaly: Anomaly | None) -> Sequence[Any]:
        names = (anomaly.id, anomaly.family) if anomaly is not None else ()
        key = next((name for name in (*names, dialog.kind) if name and name in self._given), DEFAULT)
        answer = self._given[key]
        return answer if isinstance(answer, (list, tuple)) else (answer,)

    def _choice(
        self, answer: Any, dialog: ScreenDialog, anomaly: Anomaly | None, tree: Tree
    ) -> tuple[str, Node | None] | None:  # fmt: skip
        """The node for an answer, None with its name for BACK; None when the dialog does not offer it."""
        if isinstance(answer, Mapping):
            words = str(answer[BUTTON])
            node = next((button.node for button in dialog.buttons if button.label == words), None)
            return (words, node) if node is not None else None
        if answer == EXPECTED:
            declared = anomaly.declared_answer if anomaly is not None else None
            if anomaly is None or declared is None:
                return self._choice(DISMISS, dialog, None, tree)
            return (declared.name, answer_node(tree, anomaly, declared.name))
        buttons = [button.node for button in dialog.buttons]
        refusing = [button.node for button in dialog.buttons_with(REFUSE)]
        accepting = [button.node for button in dialog.buttons_with(ACCEPT)]
        nodes = {
            DISMISS: refusing[:1],
            DENY: refusing[:1] or buttons[-1:],
            ALLOW: accepting[:1] or buttons[:1],
            FIRST: buttons[:1],
            LAST: buttons[-1:],
        }[answer]
        return (answer, nodes[0] if nodes else None)

    @cached_property
    def _anomalies(self) -> tuple[Anomaly, ...]:
        return tuple(listed.anomaly for listed in AnomalySource(self._project).listed())

    def _anomaly_of(self, dialog: ScreenDialog) -> Anomaly | None:
        """The anomaly of the library whose texts are on a dialog; None when no policy asks for it."""
        if not any(name not in (*DIALOG_KINDS, DEFAULT) for name in self._given) and not self._expects:
            return None
        words = frozenset(dialog.words)
        rated = [(len(_texts_of(anomaly) & words), anomaly) for anomaly in self._anomalies]
        best = max(rated, key=lambda entry: entry[0], default=None)
        return best[1] if best is not None and best[0] > 1 else None

    @property
    def _expects(self) -> bool:
        """Whether any answer is the one the library expects."""
        return any(
            EXPECTED in (answer if isinstance(answer, (list, tuple)) else (answer,))
            for answer in self._given.values()
        )

    def _check_name(self, name: str) -> None:
        if name in (*DIALOG_KINDS, DEFAULT):
            return
        families = {anomaly.family for anomaly in self._anomalies} - {""}
        known = {*families, *(anomaly.id for anomaly in self._anomalies)}
        if name in known:
            return
        near = nearest(name, [*DIALOG_KINDS, DEFAULT, *sorted(families)])
        kinds = ", ".join((DEFAULT, *DIALOG_KINDS))
        raise UserError(
            _("The policy names {name}, which is no kind of dialog and no anomaly", name=name),
            "",
            _("Write {word}", word=near)
            if near
            else _("Use {known}, or the family of an anomaly", known=kinds),
        )


def _texts_of(anomaly: Anomaly) -> frozenset[str]:
    """The texts that its dialog shows."""
    texts = (str(parameter.value) for parameter in anomaly.parameters if isinstance(parameter.value, str))
    labels = (answer.button for answer in anomaly.answers)
    return frozenset(" ".join(text.split()) for text in (*texts, *labels) if text.strip())


def _check_answer(name: str, answer: Any) -> None:
    """Raise UserError unless ``answer`` is one."""
    if isinstance(answer, (list, tuple)) and answer:
        for entry in answer:
            if isinstance(entry, (list, tuple)):
                _refuse_answer(name, entry)
            _check_answer(name, entry)
        return
    if isinstance(answer, Mapping) and set(answer) == {BUTTON} and isinstance(answer[BUTTON], str):
        return
    if isinstance(answer, str) and answer in ANSWERS:
        return
    _refuse_answer(name, answer)


def _refuse_answer(name: str, answer: Any) -> NoReturn:
    near = nearest(str(answer), ANSWERS)
    raise UserError(
        _("{answer} is no answer of the policy for {name}", answer=repr(answer), name=name),
        "",
        _("Write {word}", word=near)
        if near
        else _("Use {known}, or {example}", known=", ".join(ANSWERS), example="{button: WORDS}"),
    )
