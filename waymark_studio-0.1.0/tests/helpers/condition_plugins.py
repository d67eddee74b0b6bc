"""Condition types of packages that only a test has installed."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from collector.rules.grammar.condition_registry import ENTRY_POINTS, forget_condition_types

ELEMENT_COUNT = "tests.helpers.element_count:ElementCountType"


@contextmanager
def installed_condition_types(*values: str) -> Iterator[None]:
    """Load the condition types anew, with an entry point for each ``module:Class``."""

    def entry_points(*, group: str) -> list[importlib.metadata.EntryPoint]:
        entries = [importlib.metadata.EntryPoint(value.split(":")[1], value, group) for value in values]
        return entries if group == ENTRY_POINTS else []

    forget_condition_types()
    try:
        with mock.patch("importlib.metadata.entry_points", entry_points):
            yield
    finally:
        forget_condition_types()
