"""What a list says of a run: which agent made it, under which anomalies, and how it ended."""

from __future__ import annotations

from collector.model.episode import Episode
from collector.model.episode_text import agent_text, condition_name, verdict_text
from collector.model.i18n import _
from collector.model.trajectory import GOLDEN
from collector.store.catalogue.catalogue_row import CatalogueRow


def is_run(row: CatalogueRow) -> bool:
    """Whether an agent made the trajectory. A damaged one has no kind."""
    return row.kind not in (GOLDEN, "")


def agent_of(row: CatalogueRow) -> str:
    """The agent and model of a run; empty for a golden."""
    if not is_run(row):
        return ""
    return agent_text(Episode(agent=row.agent, model=row.model)) or _("unknown agent")


def condition_text(row: CatalogueRow) -> str:
    """The anomalies of a run, or what its condition is called."""
    return ", ".join(row.anomalies) or row.condition


def condition_or_baseline(row: CatalogueRow) -> str:
    """The anomalies of a run, or that it met none; empty for a golden."""
    return condition_name(condition_text(row)) if is_run(row) else ""


def status_of(row: CatalogueRow) -> str:
    """The outcome of a run, else the verdict that all judges agree on; empty when there is neither."""
    verdicts = {verdict for verdict, _judge in row.verdicts}
    return row.outcome or (verdicts.pop() if len(verdicts) == 1 else "")


def outcome_text(row: CatalogueRow) -> str:
    """The outcome of a run with its marks; empty for a golden."""
    if not is_run(row):
        return ""
    fault = _("stopped") if row.stopped else _("fault of the machine")
    marks = [_("early stop")] * row.early_stop + [fault] * bool(row.infrastructure)
    return ", ".join((verdict_text(status_of(row)), *marks))
