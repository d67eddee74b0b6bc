"""Say where one row counts episodes that different configurations made under the same name."""

from __future__ import annotations

import numpy as np

from collector.metrics.episode_columns import EpisodeColumns, Ints
from collector.model.i18n import _


def pooled_notes(table: EpisodeColumns) -> tuple[str, ...]:
    """A sentence for each agent with several configurations among the selected episodes, and for settings."""
    chosen = np.flatnonzero(table.selected & table.ended)
    return (*_agents_pooled(table, chosen), *_settings_pooled(table, chosen))


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


def _settings_pooled(table: EpisodeColumns, chosen: Ints) -> list[str]:
    """Whether budget, end, reset or semantics differ within one task: between tasks they may."""
    digests = table.column("settings_digest")[chosen]
    known = chosen[digests > 0]
    pairs = np.unique(np.stack([table.column("task")[known], digests[digests > 0]]), axis=1)
    tasks, counts = np.unique(pairs[0], return_counts=True)
    differing = np.isin(table.column("task")[known], tasks[counts > 1])
    if not differing.any():
        return []
    experiments = _experiments(table, known[differing])
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
