"""Which trajectories of a project are exported, by the query language of the trajectory list."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

from collector.exchange.errors import ExchangeError
from collector.model.i18n import _
from collector.store.catalogue.catalogue import Catalogue

_REVIEWED = "-review:none -review:draft"
"""A review that is submitted, approved or rejected."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What is chosen; of several values of one kind any fits, and all kinds must fit. Empty chooses all."""

    tasks: tuple[str, ...] = ()
    """Ids."""
    agents: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    """golden, run or unfinished."""
    verdicts: tuple[str, ...] = ()
    """Of any judge, or of one, as in ``failure=rules``."""
    reviewed: bool = False
    """Only with a submitted review."""
    where: str = ""
    """A query of :mod:`collector.store.catalogue.query`."""
    trajectories: tuple[str, ...] = ()
    """Folders, relative to the project."""

    @property
    def is_empty(self) -> bool:
        return self == Selection()

    @property
    def names_only_tasks(self) -> bool:
        """Whether it says something of tasks alone, so that a task without trajectories fits."""
        return self == Selection(tasks=self.tasks)

    def of_kind(self, kind: str) -> Selection:
        """What is chosen of one kind of trajectories; all of it without a kind."""
        return replace(self, where=f"{self.where} {_term('kind', kind, '=')}".strip()) if kind else self

    def folders(self, catalogue: Catalogue) -> list[str]:
        """Folders of the chosen trajectories, relative to the project, by task and name."""
        queries = list(self._queries())
        found = catalogue.folders(queries[0]) if len(queries) == 1 else []
        if len(queries) > 1:
            several = {folder for query in queries for folder in catalogue.folders(query)}
            found = sorted(several, key=lambda name: name.split("/"))
        return [name for name in found if name in self.trajectories] if self.trajectories else found

    def _queries(self) -> Iterator[str]:
        common = " ".join(filter(None, (self.where, _REVIEWED if self.reviewed else "")))
        choices = (
            [_term("task", task, "=") for task in self.tasks],
            [_term("agent", agent, "=") for agent in self.agents],
            [_term("kind", kind, "=") for kind in self.kinds],
            [_term("verdict", verdict) for verdict in self.verdicts],
        )
        for terms in itertools.product(*filter(None, choices)):
            yield " ".join(filter(None, (common, *terms)))


def _term(key: str, value: str, mode: str = "") -> str:
    if '"' in value:
        raise ExchangeError(
            _("{value} cannot be searched for", value=value),
            _("a search knows no quotation mark in a value"),
            _("Search for its beginning: {query}", query=f"--where {key}:{value.partition(chr(34))[0]}"),
        )
    return f'{key}:"{mode}{value}"'
