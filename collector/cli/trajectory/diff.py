"""``waymark trajectory diff``: what differs between two trajectories, state by state."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import click

from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import as_person, in_project
from collector.cli.step_numbers import FROM_0, StepNumber
from collector.cli.trajectory.reference import find_or_zip
from collector.cli.verb_groups import trajectory
from collector.comparison.alignment.aligned import AlignedTrajectories, align_stored
from collector.comparison.state_difference.picture_difference import PictureDifference
from collector.comparison.state_difference.state_difference import StateDifference
from collector.hierarchy.captions import describe_node
from collector.hierarchy.diff import TreeDiff
from collector.model.i18n import _
from collector.model.tree import Node
from collector.store.trajectory.reader import open_trajectory

T = TypeVar("T")


@trajectory.command()
@click.argument("first")
@click.argument("second")
@click.option("--slot", type=StepNumber(), help="Only the states of this slot of the alignment, from 1.")
@as_person
@in_project
@json_option
def diff(first: str, second: str, slot: int | None, who: str, folder: Path, as_json: bool) -> None:
    """Show what differs between two trajectories, each given by id, task/id, folder or zip file.

    They are aligned as by `align`; at each slot with a step of both, the states are compared: app and
    activity, tree, texts and pixels. Status bars are ignored. Exit status: 0 nothing differs, 1 something
    does.
    """
    places = [find_or_zip(name, folder, who) for name in (first, second)]
    aligned = align_stored(list(map(open_trajectory, places)))
    count = len(aligned.slots)
    if slot is not None and slot >= count:
        raise click.UsageError(
            _("There is no slot {slot}: the alignment has {count}", slot=slot + 1, count=count)
        )
    chosen = range(count) if slot is None else (slot,)
    if as_json:
        values = _compared_states(aligned, chosen, _state)
        print_json(_document(aligned, values))
        same = all(found.is_empty for found in values.values())
    else:
        lines = _compared_states(aligned, chosen, _lines)
        _print(aligned, lines)
        same = all(found.is_empty for found in lines.values())
    if aligned.differences[1] or not same:
        raise click.exceptions.Exit(1)


@dataclass(frozen=True, slots=True)
class _ComparedStates(Generic[T]):
    """What is kept of the difference of two states: it has masks of pixels and whole trees."""

    is_empty: bool
    has_problem: bool
    shown: T


def _compared_states(
    aligned: AlignedTrajectories, slots: Iterable[int], show: Callable[[StateDifference], T]
) -> dict[int, _ComparedStates[T]]:
    """By slot what is shown of the states of both. Of states with the same files one pair is compared."""
    known: dict[Hashable, _ComparedStates[T]] = {}
    found: dict[int, _ComparedStates[T]] = {}
    for slot in slots:
        states = aligned.compared_states(slot, 1)
        if states not in known:
            difference = aligned.state_difference(slot, 1)
            if difference is None:
                continue
            problem = bool(difference.picture_problem)
            known[states] = _ComparedStates(difference.is_empty, problem, show(difference))
        found[slot] = known[states]
    return found


def _document(
    aligned: AlignedTrajectories, states: Mapping[int, _ComparedStates[dict[str, object]]]
) -> dict[str, object]:
    compared = aligned.comparison_values(1)
    return {
        **FROM_0,
        "trajectories": [{"id": each.header.id, "folder": str(each.folder)} for each in aligned.stored],
        "first_divergence": compared["first_divergence"],
        "differences": compared["differences"],
        "states": [
            {"slot": number, "steps": list(aligned.slots[number]), **found.shown}
            for number, found in states.items()
        ],
    }


def _state(found: StateDifference) -> dict[str, object]:
    return {
        "place": list(found.place) if found.place else None,
        "tree": _tree(found.tree) if found.tree else None,
        "texts": {"added": list(found.added_texts), "removed": list(found.removed_texts)},
        "pixels": _pixels(found.picture) if found.picture else None,
        "picture_problem": found.picture_problem,
    }


def _tree(tree: TreeDiff) -> dict[str, object]:
    return {
        "added": [_node(node) for node in tree.added],
        "removed": [_node(node) for node in tree.removed],
        "moved": [
            {**_node(move.after), "by": list(move.by), "other_parent": move.has_other_parent}
            for move in tree.moved
        ],
        "changed": [
            {**_node(change.after), "attributes": {k: list(v) for k, v in change.attributes.items()}}
            for change in tree.changed
        ],
    }


def _node(node: Node) -> dict[str, object]:
    return {
        "class": node.class_name,
        "resource_id": node.resource_id,
        "label": node.label,
        "bounds": str(node.bounds) if node.bounds else None,
    }


def _pixels(picture: PictureDifference) -> dict[str, object]:
    return {
        "share": round(picture.share, 4),
        "shift": list(picture.shift),
        "brightness": round(picture.brightness, 3),
        "regions": [str(region) for region in picture.regions],
    }


def _print(aligned: AlignedTrajectories, states: Mapping[int, _ComparedStates[list[str]]]) -> None:
    if not aligned.differences[1]:
        say(_("Both do the same"))
    for difference in aligned.differences[1]:
        say(f"{difference.first + 1}: {difference.reason}")
    for number, found in states.items():
        if not found.is_empty or found.has_problem:
            mine, other = aligned.slots[number]
            say("")
            values = {"slot": number + 1, "mine": _number(mine), "other": _number(other)}
            say(_("Slot {slot}: step {mine} and step {other}", **values))
            for line in found.shown:
                say(f"  {line}")


def _number(step: int | None) -> str:
    return "-" if step is None else str(step + 1)


def _lines(found: StateDifference) -> list[str]:
    lines = []
    if found.place:
        lines.append(f"~ {found.place[0]} -> {found.place[1]}")
    if found.tree:
        lines += [f"+ {describe_node(node)}" for node in found.tree.added]
        lines += [f"- {describe_node(node)}" for node in found.tree.removed]
        for change in found.tree.changed:
            values = ", ".join(f"{name} {old!r} -> {new!r}" for name, (old, new) in change.attributes.items())
            lines.append(f"~ {describe_node(change.after)}: {values}")
        if found.tree.moved:
            lines.append(_("{count} nodes moved", count=len(found.tree.moved)))
    if found.picture and found.picture.share:
        lines.append(
            _(
                "{percent} % of the pixels differ, in {count} regions",
                percent=f"{100 * found.picture.share:.1f}", count=len(found.picture.regions),
            )
        )  # fmt: skip
    if found.picture_problem:
        lines.append(_("The pictures were not compared. {why}", why=found.picture_problem))
    return lines
