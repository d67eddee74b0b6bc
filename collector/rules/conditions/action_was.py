"""``action_was``: the action that led to the state."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from collector.model.action import Action, Answer, AskUser, Impossible, Invalid, Key, OpenApp, Type
from collector.model.i18n import N_, _
from collector.model.trajectory import Target
from collector.model.tree import Node, Tree
from collector.rules.conditions.condition_type import ConditionType
from collector.rules.evaluation.explanation_text import cut, quote, selector_words
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.condition_registry import key
from collector.rules.grammar.model import Condition
from collector.rules.grammar.specs import ACTION, FLAG, SELECTOR, TEXT
from collector.rules.grammar.value_reader import ANY_ACTION, compiled_selector

if TYPE_CHECKING:
    from collector.rules.columns.state_columns import StateColumns
    from collector.rules.columns.verdict_columns import VerdictColumns

_OTHER_TEXT = "other-text"
_OTHER_NODE = "other-node"
_HIDDEN_TEXT = "hidden-text"
_UNKNOWN_NODE = "unknown-node"
"""Notes on an action of the right kind: it typed something else, landed on another node, or nobody knows."""


@dataclass(frozen=True, kw_only=True)
class ActionWas(Condition):
    """The action that led to this state was of this kind, on such a node, with such a text."""

    type: ClassVar[str] = "action_was"
    action: str = field(metadata=key(ACTION, N_("Kind of the action, as in tap or type; * = any")))
    selector: str = field(default="", metadata=key(SELECTOR, N_("What the touched node matches")))
    """Read in the state the node was touched in."""
    text: str = field(
        default="",
        metadata=key(TEXT, N_("What a typed text, an answer, a key or an opened package contains")),
    )
    exact: bool = field(
        default=False, metadata=key(FLAG, N_("The text is the whole text, and not a part of it"))
    )


class ActionWasType(ConditionType[ActionWas]):
    """Never holds in the first state, to which no action led.

    A finger was on a node when it touched that node, or a node around it at a point that lies in both. When
    the touched node has no words, the nearest node around it that has some counts as touched too.
    """

    condition = ActionWas
    doc = N_("The action that led here was of this kind")
    example = "{type: action_was, action: tap, selector: \"text='Buy'\"}"

    def starter(self, view: StateView | None) -> ActionWas:
        return ActionWas(action="tap")

    def prove(self, condition: ActionWas, view: StateView, images: ImageFinder | None) -> Proof:
        action = view.action
        if action is None or condition.action not in (action.kind, ANY_ACTION):
            return Proof(condition, False, actual=action.kind if action else "", deficit=1)
        is_hidden = bool(condition.text) and isinstance(action, Type) and action.redacted
        if condition.text and not is_hidden and not _has_text(condition, text := _text_of(view)):
            return Proof(condition, False, actual=text, note=_OTHER_TEXT, deficit=1, evidence=1)
        touched = _touched(condition.selector, view) if condition.selector else True
        if touched is False:
            return Proof(condition, False, actual=action.kind, note=_OTHER_NODE, deficit=1, evidence=1)
        if is_hidden or touched is None:
            note = _HIDDEN_TEXT if is_hidden else _UNKNOWN_NODE
            return Proof(condition, False, actual=action.kind, note=note, deficit=1, unseen=True)
        return Proof(condition, True, actual=action.kind, evidence=1)

    def columns(self, condition: ActionWas, states: StateColumns) -> VerdictColumns:
        """Only states to which such an action led are looked at."""
        other = Proof(condition, False, deficit=1)

        def verdict(position: int) -> Proof:
            kind = states.corpus.kind_before(position)
            is_asked = bool(kind) and condition.action in (kind, ANY_ACTION)
            return prove(condition, states.corpus.view(position)) if is_asked else other

        return states.prove_positions(verdict)

    def sentence(self, condition: ActionWas) -> str:
        action = "" if condition.action == ANY_ACTION else condition.action.replace("_", " ")
        what = selector_words(condition.selector) if condition.selector else ""
        text = quote(condition.text) if condition.text else ""
        if what and text:
            if not action:
                return _(
                    "The last action was on a node with {what}, with the text {text}", what=what, text=text
                )
            return _(
                "The last action was {action} on a node with {what}, with the text {text}",
                action=action, what=what, text=text,
            )  # fmt: skip
        if what:
            if not action:
                return _("The last action was on a node with {what}", what=what)
            return _("The last action was {action} on a node with {what}", action=action, what=what)
        if text:
            if not action:
                return _("The last action had the text {text}", text=text)
            return _("The last action was {action} with the text {text}", action=action, text=text)
        return _("The last action was {action}", action=action) if action else _("There was an action before")

    def explain(self, proof: Proof, condition: ActionWas, view: StateView) -> str:
        done = proof.actual or _("nothing")
        if proof.holds:
            return _("The action was {action}", action=done)
        if proof.note == _OTHER_NODE:
            return _("The action was {action}, on another node", action=done)
        if proof.note == _UNKNOWN_NODE:
            return _("The action was {action}; the node that it touched is not known", action=done)
        if proof.note == _HIDDEN_TEXT:
            return _("The text that was typed is hidden")
        if proof.note == _OTHER_TEXT:
            text = quote(condition.text)
            return _("The words were {words}, wanted {text}", words=quote(cut(done)), text=text)
        return _("The action was {action}, wanted {wanted}", action=done, wanted=condition.action)


def _has_text(condition: ActionWas, text: str) -> bool:
    return condition.text == text if condition.exact else condition.text in text


def _text_of(view: StateView) -> str:
    action = view.action
    if isinstance(action, (Type, Answer)):
        return action.text
    if isinstance(action, Key):
        return action.key
    if isinstance(action, AskUser):
        return action.question
    if isinstance(action, Impossible):
        return action.reason
    if isinstance(action, Invalid):
        return f"{action.problem} {action.raw}"
    return f"{action.package} {action.name}".strip() if isinstance(action, OpenApp) else ""


def _touched(selector: str, view: StateView) -> bool | None:
    """Whether the node the last action landed on, in the state it was done in, matches.

    None when nothing is known of that node: the recording does not name it, and that state has no tree.
    """
    before, action, target = view.previous, view.action, view.target
    touched, tree = None, before.tree if before is not None else None
    if tree is not None and action is not None:
        touched = tree.at_path(target.path) if target is not None else _node_of(action, tree)
    if before is None or touched is None:
        if target is not None:
            return _target_matches(selector, target)
        is_on_node = action is not None and (isinstance(action, Type) or action.point is not None)
        return None if is_on_node and tree is None else False
    point = action.point if action is not None else None
    named = touched if touched.label else next((node for node in touched.ancestors() if node.label), touched)
    return any(
        node in (touched, named)
        or (point is not None and node.bounds is not None and node.bounds.contains(point)
            and any(around is touched for around in node.ancestors()))
        for node in before.find(selector)
    )  # fmt: skip


def _node_of(action: Action, tree: Tree) -> Node | None:
    """The node that an action was on, of a recording that does not say it: what it touched, or the field."""
    if isinstance(action, Type):
        return next((node for node in tree if node.flag("focused")), None)
    from collector.hierarchy.captions import click_target  # loads numpy

    return click_target(tree, action.point) if action.point is not None else None


def _target_matches(selector: str, target: Target) -> bool:
    """Whether the recorded node itself matches, without the screen it was on."""
    compound = compiled_selector(selector).compound
    if compound is None or compound.relation or compound.position is not None:
        return selector in target.selectors
    bare = Node(0, target.attributes)
    return all(term.matches(bare) for term in compound.terms)
