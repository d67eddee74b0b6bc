"""Proofs in words: one sentence a clause, and what the nearest miss was."""

from __future__ import annotations

from collector.model.tree import Node
from collector.model.words import N_, _, ngettext
from collector.rules import dgara
from collector.rules.model import (
    ActionWas,
    Condition,
    CurrentActivityIs,
    CurrentPackageIs,
    ElementNotExists,
    ElementProperty,
    ElementTextEquals,
    Group,
    ImageMatches,
    MinStep,
    SemanticElementExists,
    StateReached,
    Unknown,
)
from collector.rules.nearest import nearest
from collector.rules.proof import CRASHES, Proof
from collector.rules.strict import TOO_EARLY, UNREADABLE
from collector.rules.view import StateView

_NOTES = {
    UNREADABLE: N_("It cannot be evaluated as it is written"),
    CRASHES: N_("D-GARA's engine would stop here with an error"),
    dgara.IGNORED: N_("D-GARA takes no notice of it"),
    dgara.BAD_SELECTOR: N_("D-GARA cannot read the selector, so it finds nothing"),
    dgara.UNKNOWN_TYPE: N_("D-GARA does not know it, so it is false"),
    dgara.NO_TREE: N_("D-GARA sees no nodes in this dump"),
}
_LONGEST = 60
_LONGEST_LABEL = 200


def title(condition: Condition) -> str:
    """A condition in one line: ``resource-id='app:id/cart' exists``."""
    if isinstance(condition, Group):
        return {"all": _("all of"), "any": _("any of"), "not": _("none of")}[condition.kind]
    if isinstance(condition, Unknown):
        return condition.written or _("a condition without a type")
    plain = {key: value for key, value in vars(condition).items() if key not in ("place", "raw", "min_step")}
    shown = [
        ", ".join(value) if isinstance(value, tuple) else str(value) for value in plain.values() if value
    ]
    return " ".join((condition.type, *(_cut(one) for one in shown)))


def reason(proof: Proof, view: StateView) -> str:
    """Why this clause holds or does not, in one sentence with what stands on the screen."""
    if proof.note in _NOTES:
        return _(_NOTES[proof.note])
    if proof.note == TOO_EARLY:
        step = proof.condition.min_step
        return _("Step {step} comes before step {first}", step=view.step, first=step)
    return _reason(proof, view)


def _reason(proof: Proof, view: StateView) -> str:
    condition = proof.condition
    if isinstance(condition, SemanticElementExists):
        return _keywords(proof, condition, view)
    if isinstance(condition, (CurrentActivityIs, CurrentPackageIs)):
        here = proof.found or _("not known")
        return _("It is {name}", name=condition.value) if proof.holds else _("It is {name} here", name=here)
    if isinstance(condition, MinStep):
        return _("This is step {step}", step=view.step)
    if isinstance(condition, ElementNotExists):
        return _("No node matches") if proof.holds else _matching(proof.have)
    if isinstance(condition, (ElementProperty, ElementTextEquals)):
        return _on_nodes(proof, condition)
    if isinstance(condition, Group):
        count = sum(part.holds for part in proof.parts)
        return _("{count} of {total} hold", count=count, total=len(proof.parts))
    return _other(proof, condition)


def _other(proof: Proof, condition: Condition) -> str:
    if isinstance(condition, ActionWas):
        done = proof.found or _("nothing")
        return _("The action was {action}", action=done)
    if isinstance(condition, StateReached):
        return _("It was reached") if proof.holds else _("It was not reached yet")
    if isinstance(condition, ImageMatches):
        if proof.score is None:
            return _("There is no picture to look at")
        return _(
            "Best match {score}, needs {threshold}", score=f"{proof.score:.2f}", threshold=condition.threshold
        )
    return _matching(proof.have) if proof.holds else _("No node matches")


def _matching(count: int) -> str:
    return ngettext("One node matches", "{count} nodes match", count)


def _keywords(proof: Proof, condition: SemanticElementExists, view: StateView) -> str:
    count = len(condition.keywords)
    if proof.holds:
        return _("{have} of {count} keywords, needs {need}", have=proof.have, count=count, need=proof.need)
    said = _("{have} of {count} keywords, needs {need}", have=proof.have, count=count, need=proof.need)
    for word in proof.missing:
        if label := nearest_label(word, view):
            return _(
                "{said}; nearest miss: {word} (the screen has {label})", said=said, word=_quote(word),
                label=_quote(label),
            )  # fmt: skip
    return _(
        "{said}; not seen: {words}", said=said, words=", ".join(_quote(one) for one in proof.missing[:4])
    )


def _on_nodes(proof: Proof, condition: ElementProperty | ElementTextEquals) -> str:
    name = condition.attribute if isinstance(condition, ElementProperty) else "text"
    wanted = condition.value if isinstance(condition, ElementProperty) else condition.text
    if proof.holds:
        return _("{name} is {value}", name=name, value=_quote(wanted))
    if not proof.near:
        return _("No node matches {selector}", selector=_cut(condition.selector))
    have = _quote(proof.found) if proof.found else _("nothing")
    return _("{name} is {have} here, wanted {value}", name=name, have=have, value=_quote(wanted))


def nearest_label(word: str, view: StateView) -> str:
    """The text on the screen most like ``word``, empty when none is like it."""
    node = nearest_node(word, view)
    return node.label if node is not None else ""


def nearest_node(word: str, view: StateView) -> Node | None:
    """The node whose text is most like ``word``, by spelling, also inside a longer text."""
    by_word: dict[str, Node] = {}
    for node in view.nodes:
        label = node.label[:_LONGEST_LABEL]
        for piece in (label, *label.split()):
            by_word.setdefault(piece.lower(), node)
    best = nearest(word.lower(), by_word)
    return by_word.get(best)


def nodes_of(proof: Proof, view: StateView) -> list[Node]:
    """The nodes that satisfy a clause, to be lit on the screen; for keywords, every node that has one."""
    if isinstance(proof.condition, SemanticElementExists):
        hits = [word for word in proof.condition.keywords if word not in proof.missing]
        found = {node.order: node for word in hits for node in view.nodes_with(word)}
        return [found[order] for order in sorted(found)]
    return [view.nodes[order] for order in proof.nodes if order < len(view.nodes)]


def near_nodes_of(proof: Proof, view: StateView) -> list[tuple[Node, str]]:
    """Nodes that nearly satisfy a missed clause, each with what was wanted of it and what it is."""
    condition = proof.condition
    if proof.holds:
        return []
    if isinstance(condition, SemanticElementExists):
        pairs = [(nearest_node(word, view), word) for word in proof.missing]
        return [
            (node, f"{_quote(word)} ~ {_quote(_cut(node.label, 24))}")
            for node, word in pairs
            if node is not None
        ]
    if isinstance(condition, (ElementProperty, ElementTextEquals)):
        wanted = condition.value if isinstance(condition, ElementProperty) else condition.text
        tag = f"{_quote(_cut(wanted, 24))} ~ {_quote(_cut(proof.found, 24))}"
        return [(view.nodes[order], tag) for order in proof.near if order < len(view.nodes)]
    if isinstance(condition, ElementNotExists):
        return [
            (view.nodes[order], _("should not be here")) for order in proof.nodes if order < len(view.nodes)
        ]
    return []


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else text[: longest - 3] + "..."


def _quote(text: str) -> str:
    return f"'{text}'"
