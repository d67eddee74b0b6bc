"""The categories of anomalies, read when a number is broken down by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, cached_property

from collector.store.project.project import Project


class AnomalyCategories(Mapping[str, str]):
    """Anomaly -> its category, of a project's library and those that are installed.

    A library that cannot be read has none.
    """

    def __init__(self, project: Project) -> None:
        self._project = project

    @cached_property
    def _of_project(self) -> dict[str, str]:
        # Here and not above: most numbers need no library, and its reader takes long to load.
        from collector.anomalies.anomaly_source import AnomalySource

        own = {anomaly.id: anomaly.category for anomaly in AnomalySource(self._project).library.anomalies}
        return {**_installed(), **own}

    def __getitem__(self, anomaly: str) -> str:
        return self._of_project[anomaly]

    def __iter__(self) -> Iterator[str]:
        return iter(self._of_project)

    def __len__(self) -> int:
        return len(self._of_project)


@cache
def _installed() -> Mapping[str, str]:
    """Those that come with the program and with installed packages."""
    from collector.anomalies.anomaly_source import AnomalySource

    return {listed.anomaly.id: listed.anomaly.category for listed in AnomalySource().listed()}
