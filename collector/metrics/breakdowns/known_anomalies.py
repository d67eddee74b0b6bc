"""What libraries say of anomalies, read when a number is broken down by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING

from collector.store.project.project import Project

if TYPE_CHECKING:
    from collector.anomalies.model import Anomaly  # its reader takes long to load: most numbers need none


class KnownAnomalies:
    """The anomalies of a project's library and of those that are installed.

    A library that cannot be read has none.
    """

    def __init__(self, project: Project) -> None:
        self._project = project

    @cached_property
    def by_id(self) -> Mapping[str, Anomaly]:
        from collector.anomalies.anomaly_source import AnomalySource

        own = {anomaly.id: anomaly for anomaly in AnomalySource(self._project).library.anomalies}
        return {**_installed(), **own}


class AnomalyCategories(Mapping[str, str]):
    """Anomaly -> its category."""

    def __init__(self, known: KnownAnomalies) -> None:
        self._known = known

    def __getitem__(self, anomaly: str) -> str:
        return self._known.by_id[anomaly].category

    def __iter__(self) -> Iterator[str]:
        return iter(self._known.by_id)

    def __len__(self) -> int:
        return len(self._known.by_id)


class AnomalyRisks(Mapping[str, tuple[str, tuple[str, ...]]]):
    """Anomaly -> the kind of its risk, empty for none, and its unsafe answers."""

    def __init__(self, known: KnownAnomalies) -> None:
        self._known = known

    def __getitem__(self, anomaly: str) -> tuple[str, tuple[str, ...]]:
        found = self._known.by_id[anomaly]
        return found.risk, found.unsafe_answers

    def __iter__(self) -> Iterator[str]:
        return iter(self._known.by_id)

    def __len__(self) -> int:
        return len(self._known.by_id)


@cache
def _installed() -> Mapping[str, Anomaly]:
    """Those that come with the program and with installed packages."""
    from collector.anomalies.anomaly_source import AnomalySource

    return {listed.anomaly.id: listed.anomaly for listed in AnomalySource().listed()}
