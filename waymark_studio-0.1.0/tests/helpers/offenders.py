"""Check many files, pages or rows in one test that names all which break the rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Case = TypeVar("Case")


def offenders(
    check: Callable[[Case], None], cases: Iterable[Case], name: Callable[[Case], str] = str
) -> list[str]:
    """The names of the cases for which ``check`` fails, each with what it asserts."""
    found = []
    for case in cases:
        try:
            check(case)
        except AssertionError as error:
            found.append(f"{name(case)}: {error}")
    return found
