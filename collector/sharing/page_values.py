"""The data of the page: what it shows, as one JSON document."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from collector.comparison.alignment.aligned import difference_values
from collector.comparison.state_difference.picture_difference import PictureDifference
from collector.comparison.state_difference.state_difference import StateDifference
from collector.comparison.steps.moment_text import (
    event_name,
    event_sentence,
    events_by_step,
    hit_name,
    hit_sentence,
    hits_by_step,
)
from collector.hierarchy.captions import describe_node
from collector.hierarchy.diff import TreeDiff
from collector.model.episode_text import verdict_text
from collector.model.i18n import _, language, ngettext
from collector.model.tree import Node
from collector.sharing.export_progress import ExportProgress
from collector.sharing.page_json import cut, packed
from collector.sharing.page_step_values import PageSteps
from collector.sharing.page_texts import page_texts
from collector.sharing.page_trees import rect_values
from collector.sharing.shared_review import SharedReview, SharedTrajectory
from collector.sharing.shared_verdicts import SharedComment, SharedState, SharedVerdict
from collector.store.trajectory.interruptions import Interruption
from collector.store.trajectory.recorded_moments import RecordedMoments

VERSION = 1
Values = dict[str, Any]


def page_values(review: SharedReview, steps: PageSteps, progress: ExportProgress) -> Values:
    """Everything apart from the data of pictures and trees. Raises ExportCancelled."""
    aligned = review.aligned
    return {
        "version": VERSION,
        "language": language().replace("_", "-"),
        "title": cut(review.instruction),
        "task": cut(review.task_id),
        "words": page_texts(),
        "about": review.about,
        "count": ngettext("{count} difference", "{count} differences", sum(map(len, aligned.differences))),
        "sides": [_side(number, side, steps) for number, side in enumerate(review.sides)],
        "slots": [list(slot) for slot in aligned.slots],
        "alike": list(aligned.alignment.similarity),
        "differences": [
            {"side": side, **difference_values(each), "reason": cut(review.masked(each.reason))}
            for side, differences in enumerate(aligned.differences)
            for each in differences
        ],
        "recoveries": [
            {"side": side, "slot": each.injected, "reason": cut(review.masked(each.reason))}
            for side, recoveries in enumerate(aligned.recoveries)
            for each in recoveries
        ],
        "first": aligned.first_divergence,
        "stops": list(aligned.difference_slots()),
        "screens": packed(_screen_differences(review, progress)),
    }


def _screen_differences(review: SharedReview, progress: ExportProgress) -> Values:
    """By slot and side, as in ``3.1``: the screen of that side beside the reference's, where they differ."""
    slots, found = review.aligned.slots, {}
    known: dict[Hashable, Values] = {}
    """A long run shows the same screens again and again: each pair is compared once."""
    for slot in range(len(slots)):
        progress.at(slot, len(slots))
        for side in range(1, len(review.sides)):
            states = review.compared_states(slot, side)
            if states is not None and states not in known:
                difference = review.state_difference(slot, side)
                differs = difference is not None and not difference.is_empty
                known[states] = difference_of_screens(difference) if difference and differs else {}
            if known.get(states):
                found[f"{slot}.{side}"] = known[states]
    return found


def _side(number: int, side: SharedTrajectory, steps: PageSteps) -> Values:
    return {
        "letter": side.letter,
        "name": side.name,
        "about": cut(side.about),
        "id": cut(side.id),
        "run": side.is_run,
        "outcome": cut(side.outcome),
        "outcomeText": cut(verdict_text(side.outcome)),
        "reason": cut(side.reason),
        "steps": [steps.values(number, step) for step in side.steps],
        "verdicts": [_verdict(verdict) for verdict in side.verdicts.task],
        "states": [_state(state) for state in side.verdicts.states],
        "comments": [_comment(comment) for comment in side.verdicts.comments],
        "tags": list(map(cut, side.verdicts.tags)),
        "review": side.verdicts.status,
        "hidden": side.verdicts.hidden,
        "anomalies": [_anomaly(each, len(side.steps)) for each in side.anomalies],
        **_moments(side.moments, len(side.steps)),
        "problems": list(map(cut, side.problems)),
    }


def _moments(moments: RecordedMoments, steps: int) -> Values:
    """Rule hits and device events: a mark a step, with the kinds of its parts, their names, and a tooltip.

    What happened after the last step is marked at it.
    """
    last = max(0, steps - 1)
    return {
        "hits": [
            _mark(
                min(step, last), [hit.outcome for hit in hits], map(hit_name, hits),
                map(hit_sentence, hits),
            )
            for step, hits in hits_by_step(moments.rule_hits).items()
        ],
        "events": [
            _mark(
                min(step, last), [event.kind for event in events], map(event_name, events),
                map(event_sentence, events),
            )
            for step, events in events_by_step(moments.device_events).items()
        ],
    }  # fmt: skip


def _mark(step: int, kinds: Sequence[str], names: Iterable[str], sentences: Iterable[str]) -> Values:
    return {
        "step": step,
        "kinds": list(kinds),
        "text": cut(" · ".join(filter(None, names))),
        "tip": "\n".join(map(cut, sentences)),
    }


def _verdict(verdict: SharedVerdict) -> Values:
    return {
        "judge": cut(verdict.judge),
        "kind": cut(verdict.kind),
        "verdict": cut(verdict.verdict),
        "text": cut(verdict_text(verdict.verdict)),
        "reason": cut(verdict.reason),
        "confidence": verdict.confidence,
        "settles": verdict.settles,
    }


def _state(state: SharedState) -> Values:
    return {
        "id": cut(state.id),
        "sentence": cut(state.sentence),
        "reached": state.is_reached,
        "step": state.step,
        "judges": [
            {
                "judge": cut(judge),
                "verdict": cut(verdict),
                "text": cut(verdict_text(verdict)),
                "step": state.steps.get(judge),
            }
            for judge, verdict in state.verdicts.items()
        ],
    }


def _comment(comment: SharedComment) -> Values:
    return {
        "who": cut(comment.who),
        "text": cut(comment.text),
        "step": comment.step,
        "node": cut(comment.node),
        "bounds": rect_values(comment.bounds),
    }


def _anomaly(item: Interruption, steps: int) -> Values:
    """One bar of the lane of anomalies, with its parts in the order in which they happened."""
    first = max(0, min(item.slot, steps - 1))
    last = max(first, item.steps[-1] if item.steps else first)
    parts = [("inject", item.anomaly)]
    if item.gone_ms is not None:
        known = item.button or item.answer or item.event
        parts.append(("answer", _("not known how") if item.unclear else known))
    parts += [("follow-up", each.message or each.command or each.problem) for each in item.follow_ups]
    if item.undone_ms is not None:
        parts.append(("undone", ""))
    return {
        "id": cut(item.anomaly),
        "first": first,
        "last": last,
        "parts": [[kind, cut(text)] for kind, text in parts],
        "problems": list(map(cut, item.problems)),
    }


_MOST = 60
"""Nodes and texts of each kind that a page lists; it says how many more there are."""


def difference_of_screens(difference: StateDifference) -> dict[str, Any]:
    """App and activity, texts, nodes and pixels that differ; what could not be compared is left out."""
    values: dict[str, Any] = {
        "added_texts": list(map(cut, difference.added_texts[:_MOST])),
        "removed_texts": list(map(cut, difference.removed_texts[:_MOST])),
    }
    if difference.place is not None:
        values["place"] = list(map(cut, difference.place))
    if difference.tree is not None:
        values["tree"] = _tree(difference.tree)
    if difference.picture is not None:
        values["pixels"] = _pixels(difference.picture)
    return values


def _tree(tree: TreeDiff) -> dict[str, Any]:
    changed = [
        {**_node(change.after), "attributes": [[cut(name), *map(cut, pair)] for name, pair in pairs]}
        for change in tree.changed[:_MOST]
        for pairs in [change.attributes.items()]
    ]
    return {
        "added": _nodes(tree.added),
        "removed": _nodes(tree.removed),
        "changed": changed,
        "moved": len(tree.moved),
        "counts": [len(tree.added), len(tree.removed), len(tree.changed)],
    }


def _pixels(picture: PictureDifference) -> dict[str, Any]:
    return {
        "share": round(picture.share, 4),
        "regions": [rect_values(region) for region in picture.regions],
        "shift": list(picture.shift),
    }


def _nodes(nodes: Sequence[Node]) -> list[dict[str, Any]]:
    return [_node(node) for node in nodes[:_MOST]]


def _node(node: Node) -> dict[str, Any]:
    return {
        "class": cut(node.short_class or node.class_name),
        "id": cut(node.short_id),
        "words": cut(describe_node(node)),
        "bounds": rect_values(node.bounds),
    }
