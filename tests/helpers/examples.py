"""Which examples the property tests draw: the same few in every run, all and new ones in `make fuzz`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

_PART, _FEWEST = 10, 5
"""A run draws one in ``_PART`` of the examples a test asks for, but no fewer than ``_FEWEST`` of them."""


def choose(config: pytest.Config) -> bool:
    """Draw the same examples in every run, unless a profile was chosen; return whether they are the same."""
    if not config.pluginmanager.hasplugin("hypothesispytest"):
        return False
    from hypothesis import settings
    from hypothesis.internal.conjecture import providers

    # No deadline: on a shared machine a slow example is not an error. The same examples in every run:
    # a change is judged by what it changed. "make fuzz" draws others, and several times as many.
    settings.register_profile("waymark", deadline=None, derandomize=True, max_examples=50)
    settings.register_profile("fuzz", deadline=None, print_blob=True)
    if config.getoption("hypothesis_profile"):
        return False
    settings.load_profile("waymark")
    # Else it reads every loaded module for constants to draw, and each worker has loaded others.
    vars(providers)["_get_local_constants"] = lambda: vars(providers)["_local_constants"]
    return True


def take_few(items: Iterable[pytest.Item]) -> None:
    """Let the property tests among ``items`` draw a part of their examples."""
    from hypothesis import is_hypothesis_test, settings

    tests: set[Any] = {item.obj for item in items if isinstance(item, pytest.Function)}
    for test in filter(is_hypothesis_test, tests):
        own = vars(test)["_hypothesis_internal_use_settings"]
        few = max(min(own.max_examples, _FEWEST), own.max_examples // _PART)
        vars(test)["_hypothesis_internal_use_settings"] = settings(own, max_examples=few)
