"""``waymark trajectory align``: two to four trajectories side by side, and where they differ."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.review.blind_output import without_hidden
from collector.cli.shared_options import as_person, in_project, renamed_option
from collector.cli.step_numbers import FROM_0
from collector.cli.trajectory.reference import find_or_zip
from collector.cli.verb_groups import trajectory
from collector.comparison.alignment.aligned import LETTERS, AlignedTrajectories, align_stored
from collector.comparison.alignment.differences import describe_step
from collector.comparison.alignment.trajectory_alignment import MOST
from collector.comparison.steps.step_query import StepQuery
from collector.comparison.steps.trajectory_index import TrajectoryIndex, index_of
from collector.model.i18n import _, ngettext
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from collector.store.trajectory.reviews.label_judgements import judgements_that_count


@trajectory.command()
@click.argument("references", nargs=-1, required=True)
@renamed_option("--where", "query", formerly="--filter", default="", metavar="QUERY",
                help="Only the slots that fit.")  # fmt: skip
@as_person
@in_project
@json_option
def align(references: tuple[str, ...], query: str, who: str, folder: Path, as_json: bool) -> None:
    """Align two to four trajectories, each an id, task/id, folder or zip file, and say where they differ.

    The first is the reference. Steps are counterparts by their screens and actions. A QUERY is of words and
    key:value, such as `action:type`, `state:missed`, `difference:loop` or `-app:launcher`; a wrong key
    names all of them.
    """
    if not 2 <= len(references) <= MOST:
        raise click.UsageError(_("Give two to {most} trajectories", most=MOST))
    asked = StepQuery(query)
    places = [find_or_zip(reference, folder, who) for reference in references]
    aligned = align_stored(list(map(open_trajectory, places)))
    indexes = [] if asked.is_empty else [_visible_index(stored, who) for stored in aligned.stored]
    matching = None if asked.is_empty else asked.slots(aligned, indexes)
    if as_json:
        listed = {} if matching is None else {"matching": sorted(matching)}
        print_json({**_document(aligned), **listed})
        return
    _print_slots(aligned, matching)
    for side in range(1, len(aligned.stored)):
        say("")
        _print_differences(aligned, side)


def _visible_index(stored: StoredTrajectory, who: str) -> TrajectoryIndex:
    """The index with the verdicts that ``who`` may see."""
    judged = stored.judgements()
    _header, visible, hidden = without_hidden(stored.folder, who, stored.header, judged)
    if not hidden:
        return index_of(stored)
    return index_of(stored, tuple(judgements_that_count(visible).values()))


def _document(aligned: AlignedTrajectories) -> dict[str, object]:
    return {
        **FROM_0,
        "trajectories": [
            {"id": each.header.id, "folder": str(each.folder), "steps": len(each.steps)}
            for each in aligned.stored
        ],
        "slots": [
            {"steps": list(slot), "likeness": similarity}
            for slot, similarity in zip(aligned.slots, aligned.alignment.similarity, strict=True)
        ],
        "comparisons": [aligned.comparison_values(side) for side in range(1, len(aligned.stored))],
    }


def _print_slots(aligned: AlignedTrajectories, matching: Collection[int] | None) -> None:
    head = ["SLOT", *LETTERS[: len(aligned.stored)], "ALIKE"]
    rows: list[list[object]] = []
    for number, (slot, similarity) in enumerate(
        zip(aligned.slots, aligned.alignment.similarity, strict=True)
    ):
        if matching is not None and number not in matching:
            continue
        steps = [
            "" if step is None else f"{step + 1} {describe_step(each.steps[step])}"
            for step, each in zip(slot, aligned.stored, strict=True)
        ]
        rows.append([number + 1, *steps, "" if similarity is None else f"{100 * similarity:.0f} %"])
    print_table(head, rows)


def _print_differences(aligned: AlignedTrajectories, side: int) -> None:
    name = f"{LETTERS[side]} {aligned.stored[side].header.id}"
    differences = aligned.differences[side]
    if not differences:
        say(_("{name} does what the reference does", name=name))
        return
    say(
        ngettext(
            "{name}: {count} difference; it diverges at slot {slot}",
            "{name}: {count} differences; it first diverges at slot {slot}",
            len(differences), name=name, slot=differences[0].first + 1,
        )
    )  # fmt: skip
    for difference in differences:
        say(f"  {difference.first + 1}: {difference.reason}")
    for recovery in aligned.recoveries[side]:
        say(f"  {recovery.anomaly}: {recovery.reason}")
