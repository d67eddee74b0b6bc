"""Say where one row counts episodes that different configurations made under the same name."""

from __future__ import annotations

import numpy as np

from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.model.i18n import _


def pooled_notes(table: EpisodeColumns) -> tuple[str, ...]:
    """Sentences on what differs among the selected episodes: configurations of agents, settings, phones."""
    chosen = np.flatnonzero(table.selected & table.ended)
    return (*_agents_pooled(table, chosen), *_settings_pooled(table, chosen), *_phones_pooled(table, chosen))


def _agents_pooled(table: EpisodeColumns, chosen: Ints) -> list[str]:
    agents, digests = (table.column(name)[chosen] for name in ("agent", "agent_digest"))
    pairs = np.unique(np.stack([agents, digests])[:, digests > 0], axis=1)
    names, counts = np.unique(pairs[0], return_counts=True)
    return [
        _(
            "{agent} has {count} configurations among these episodes ({experiments}): its numbers count them "
            "together. Choose an experiment.",
            agent=table.texts[name],
            count=count,
            experiments=_experiments(table, chosen[agents == name]),
        )
        for name, count in zip(names.tolist(), counts.tolist(), strict=True)
        if count > 1
    ]


def _phones_pooled(table: EpisodeColumns, chosen: Ints) -> list[str]:
    """Whether episodes of one task ran on phones that differ in more than their serial."""
    differing = _differing_within_tasks(table, "phone", chosen)
    if not len(differing):
        return []
    codes = np.unique(table.column("phone")[differing]).tolist()
    phones = "; ".join(sorted(table.texts[code] for code in codes))
    return [_("Episodes of one task ran on different phones ({phones}), counted together.", phones=phones)]


def _differing_within_tasks(table: EpisodeColumns, column: str, chosen: Ints) -> Ints:
    """Those of the chosen episodes whose task has several known values in a column."""
    known = chosen[table.column(column)[chosen] > 0]
    tasks = table.column("task")[known]
    pairs = np.unique(np.stack([tasks, table.column(column)[known]]), axis=1)
    names, counts = np.unique(pairs[0], return_counts=True)
    return known[np.isin(tasks, names[counts > 1])]


def _settings_pooled(table: EpisodeColumns, chosen: Ints) -> list[str]:
    """Whether budget, end, reset or semantics differ within one task: between tasks they may."""
    differing = _differing_within_tasks(table, "settings_digest", chosen)
    if not len(differing):
        return []
    experiments = _experiments(table, differing)
    return [
        _(
            "Budget, end or reset differ between episodes of one task ({experiments}): their numbers are "
            "counted together. Choose an experiment.",
            experiments=experiments,
        )
    ]


def _experiments(table: EpisodeColumns, episodes: Ints) -> str:
    codes = np.unique(table.column("experiment")[episodes]).tolist()
    return ", ".join(sorted(filter(None, (table.texts[code] for code in codes))))
