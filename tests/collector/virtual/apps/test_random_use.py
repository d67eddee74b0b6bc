"""Whatever a person does in an app, it shows a screen whose parts have names, and its state is plain data."""

from __future__ import annotations

import pytest

from collector.virtual.apps import make_apps
from tests.helpers.app_walk import AppWalk

APPS = {app.name: app for app in make_apps()}
FEW_STEPS, STEPS = 40, 240


@pytest.mark.hypothesis
@pytest.mark.parametrize(
    "name", ["calendar", "code", "maps", "start_page", "clock", "calculator", "contacts", "dialer"]
)
@pytest.mark.parametrize(("seed", "locale"), [(1, "en-US"), (7, "zh-CN"), (23, "de-DE")])
def test_random_use_raises_nothing_and_leaves_nothing_unnamed(
    name: str, seed: int, locale: str, is_fuzzing: bool
) -> None:
    walk = AppWalk(APPS[name], seed, locale, landscape=seed == 7)
    for number in range(STEPS if is_fuzzing else FEW_STEPS):
        walk.step()
        assert walk.screen is not None
        if number % 4 == 0:
            assert walk.unnamed() == [], f"after {number + 1} steps"
            assert walk.restored(), f"after {number + 1} steps"
