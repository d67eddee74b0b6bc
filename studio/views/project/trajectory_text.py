"""What a card or a list says of a trajectory: who or which agent made it, under which condition, the outcome.

No Qt.
"""

from __future__ import annotations

from collector.model.episode import Episode
from collector.model.episode_text import episode_facts, fault_text, verdict_text
from collector.model.i18n import N_, _
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.trajectory import FINISHED, GOLDEN, IMPORTED, RECORDING, RECOVERED
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.catalogue.catalogue_text import agent_of, condition_text, is_run, outcome_text, status_of
from studio.widgets.captions.task_text import author_text
from studio.widgets.captions.verdict_text import verdict_icon, verdict_tone

_STATUSES = {
    RECORDING: N_("recording"), FINISHED: N_("finished"), RECOVERED: N_("recovered"),
    IMPORTED: N_("imported"), "damaged": N_("damaged"),
}  # fmt: skip
_STATES = {"finished": "ok", "imported": "ok", "damaged": "err", "recording": "unc"}


def state_icon(row: CatalogueRow) -> str:
    """The state icon of a trajectory: the outcome of a run; how a golden ended, or a warning."""
    state = _STATES.get(row.status, "todo")
    if is_run(row) and state == "ok":
        return "state-warn" if row.infrastructure else verdict_icon(status_of(row))
    return f"state-{'warn' if row.problems and state == 'ok' else state}"


def kind_text(row: CatalogueRow) -> str:
    """golden, run, or unfinished; empty for one that is damaged."""
    if is_run(row):
        return _("run")
    if row.kind == GOLDEN and row.status not in (FINISHED, IMPORTED):
        return _("unfinished")
    return _("golden") if row.kind else ""


def status_text(row: CatalogueRow) -> str:
    """How far the recording of a trajectory is; a status of a later version as it is stored."""
    return _(_STATUSES.get(row.status, row.status))


def maker_text(row: CatalogueRow) -> str:
    """The agent and model of a run, or the person who recorded a golden."""
    if not is_run(row):
        return author_text(row.who)
    return agent_of(row)


def outcome_tone(row: CatalogueRow) -> str:
    """The tone of the outcome's badge."""
    return "warn" if row.infrastructure else verdict_tone(status_of(row))


def about_text(row: CatalogueRow) -> str:
    """Everything a tooltip says of a trajectory, one fact a line."""
    lines = [row.id, f"{kind_text(row)} · {maker_text(row)}"]
    if is_run(row):
        episode = Episode(
            experiment=row.experiment, cell=row.cell, prompt=row.prompt, condition=condition_text(row),
            modality=row.modality, buttons=row.buttons, variation=row.variation, language=row.language,
            goal_style=row.goal_style, start=row.start, offline=row.offline,
            seed=row.seed, repeat=row.repeat, attempt=row.attempt,
        )  # fmt: skip
        lines += [f"{name}: {value}" for name, value in episode_facts(episode)]
        lines.append(f"{_('Outcome')}: {outcome_text(row)}")
        lines += [shown_reason(row.reason), fault_text(row.infrastructure)]
        lines += [f"{judge}: {verdict_text(verdict)}" for verdict, judge in row.verdicts]
    return "\n".join(filter(None, (*lines, row.problem)))
