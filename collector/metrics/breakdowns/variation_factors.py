"""Which factors of the phone a variation changes, read when a number is broken down by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from collector.store.project.project import Project
from collector.variations.registry import Variations


class VariationFactors(Mapping[str, tuple[str, ...]]):
    """Name of a variation -> appearance, content, pop_ups and noise, those of them that it changes.

    Of the studio's and of a project's own; one that cannot be used changes none.
    """

    def __init__(self, project: Project) -> None:
        self._project = project

    @cached_property
    def _of_project(self) -> dict[str, tuple[str, ...]]:
        known = Variations(self._project.folder)
        return {name: known.factors(name) for name in known.names}

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return self._of_project[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._of_project)

    def __len__(self) -> int:
        return len(self._of_project)
