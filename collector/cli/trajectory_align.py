"""``waymark trajectory align``: two to four trajectories side by side, and where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.trajectory import in_project
from collector.cli.verb_groups import trajectory
from collector.model.i18n import _, ngettext
from collector.replay.alignment.alignment import MOST, TrajectoryAlignment, align_trajectories
from collector.replay.alignment.differences import (
    AnomalyRecovery,
    ReviewedTrajectory,
    TrajectoryComparison,
    TrajectoryDifference,
    describe_step,
)
from collector.replay.alignment.reading import reviewed
from collector.store.reader import StoredTrajectory, open_trajectory
from collector.store.trajectory_lookup import find_trajectory

_NAMES = "ABCD"


@trajectory.command()
@click.argument("references", nargs=-1, required=True)
@in_project
@json_option
def align(references: tuple[str, ...], folder: Path, as_json: bool) -> None:
    """Align two to four trajectories, each given by id, task/id or folder, and say where they differ.

    The first is the reference: a golden trajectory, or the baseline of a run. Steps are counterparts by their
    screens and actions; a step without one stands beside a gap. Each difference has its reason.
    """
    if not 2 <= len(references) <= MOST:
        raise click.UsageError(_("Give two to {most} trajectories", most=MOST))
    stored = [open_trajectory(find_trajectory(folder, reference)) for reference in references]
    read = [reviewed(each) for each in stored]
    alignment = align_trajectories([each.signatures for each in read])
    comparisons = [TrajectoryComparison(alignment, read, side) for side in range(1, len(read))]
    found = [comparison.differences() for comparison in comparisons]
    recovered = [comparison.recoveries() for comparison in comparisons]
    if as_json:
        print_json(_document(stored, alignment, found, recovered))
        return
    _print_slots(read, alignment)
    for side, (differences, recoveries) in enumerate(zip(found, recovered, strict=True), start=1):
        say("")
        _print_differences(side, stored[side], differences, recoveries)


def _document(
    stored: Sequence[StoredTrajectory], alignment: TrajectoryAlignment,
    found: Sequence[Sequence[TrajectoryDifference]],
    recovered: Sequence[Sequence[AnomalyRecovery]],
) -> dict[str, object]:  # fmt: skip
    return {
        "trajectories": [
            {"id": each.header.id, "folder": str(each.folder), "steps": len(each.steps)} for each in stored
        ],
        "slots": [
            {"steps": list(slot), "likeness": likeness}
            for slot, likeness in zip(alignment.slots, alignment.likeness, strict=True)
        ],
        "comparisons": [
            {
                "trajectory": side,
                "reference": 0,
                "first_divergence": differences[0].first if differences else None,
                "differences": [_difference(each) for each in differences],
                "recoveries": [
                    {
                        "anomaly": each.anomaly, "injected": each.injected, "back": each.back,
                        "steps": each.steps, "reason": each.reason,
                    }
                    for each in recoveries
                ],
            }
            for side, (differences, recoveries) in enumerate(zip(found, recovered, strict=True), start=1)
        ],
    }  # fmt: skip


def _difference(difference: TrajectoryDifference) -> dict[str, object]:
    return {
        "kind": difference.kind.value,
        "first": difference.first,
        "last": difference.last,
        "reason": difference.reason,
    }


def _print_slots(read: Sequence[ReviewedTrajectory], alignment: TrajectoryAlignment) -> None:
    head = ["SLOT", *_NAMES[: len(read)], "ALIKE"]
    rows: list[list[object]] = []
    for number, (slot, likeness) in enumerate(zip(alignment.slots, alignment.likeness, strict=True)):
        steps = [
            "" if step is None else f"{step} {describe_step(each.steps[step])}"
            for step, each in zip(slot, read, strict=True)
        ]
        rows.append([number, *steps, "" if likeness is None else f"{100 * likeness:.0f} %"])
    print_table(head, rows)


def _print_differences(
    side: int, stored: StoredTrajectory, differences: Sequence[TrajectoryDifference],
    recoveries: Sequence[AnomalyRecovery],
) -> None:  # fmt: skip
    name = f"{_NAMES[side]} {stored.header.id}"
    if not differences:
        say(_("{name} does what the reference does", name=name))
        return
    say(
        ngettext(
            "{name}: {count} difference; it diverges at slot {slot}",
            "{name}: {count} differences; it first diverges at slot {slot}",
            len(differences), name=name, slot=differences[0].first,
        )
    )  # fmt: skip
    for difference in differences:
        say(f"  {difference.first}: {difference.reason}")
    for recovery in recoveries:
        say(f"  {recovery.anomaly}: {recovery.reason}")
