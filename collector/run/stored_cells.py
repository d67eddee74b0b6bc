"""What the trajectories of a project say of the cells of an experiment."""

from __future__ import annotations

from dataclasses import replace

from collector.model.trajectory import RECORDING
from collector.run.progress import FAULT, WAITING, CellProgress, unjudged_status
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.trajectory.fingerprint import UNKNOWN


def stored_cells(catalogue: Catalogue, experiment: str) -> list[CellProgress]:
    """The cells of an experiment that were tried, each as its deciding episode left it.

    The first episode with an outcome decides, as it does when the run is resumed; until there is one the
    newest attempt shows its fault.
    """
    rows = [row for row in catalogue.find("kind:run experiment:any") if row.experiment == experiment]
    cells: dict[str, CellProgress] = {}
    for row in sorted(rows, key=lambda row: (row.started, row.id)):
        cell = _cell(row)
        before = cells.get(cell.id)
        if before is None or not before.is_finished:
            cells[cell.id] = cell
        elif cell.is_finished:
            cells[cell.id] = replace(before, attempt=max(before.attempt, cell.attempt))
    return list(cells.values())


def _cell(row: CatalogueRow) -> CellProgress:
    cell_id = f"{row.cell} / {row.seed} / {row.repeat}"
    if row.stopped:
        status = WAITING
    elif row.infrastructure:
        status = FAULT
    elif row.outcome:
        status = row.outcome
    else:
        status = WAITING if row.status == RECORDING else unjudged_status(cell_id)
    return CellProgress(
        cell_id,
        status,
        row.id,
        row.reason,
        row.early_stop,
        row.infrastructure,
        row.attempt or 0,
        steps=row.steps,
        seconds=row.duration_ms / 1000,
        cost=row.cost or 0.0,
        stale=tuple(part for part in row.stale if part != UNKNOWN),
    )
