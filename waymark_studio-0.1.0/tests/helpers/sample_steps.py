"""A recording made up for tests: ten steps of a shop, with every badge there is."""

from __future__ import annotations

from collector.model import action as actions
from collector.model.geometry import Size
from collector.model.trajectory import State, Step

_SIZE = Size(1080, 2400)


def _step(index: int, t_ms: int, action: actions.Action | None, text: str, **more: object) -> Step:
    redacted = bool(more.pop("redacted", False))
    state = State(screenshot=f"states/{index:04}.png", size=_SIZE, tree_age_ms=200, **more)  # type: ignore[arg-type]
    return Step(index, t_ms, "", state, action, None, text, redacted=redacted)


def sample_steps(*, final: bool = False) -> list[Step]:
    """Ten steps; with ``final``, the state after the last action too."""
    hidden = actions.Type(length=8, redacted=True)
    steps = [
        _step(0, 0, actions.Tap(780, 1713), "Tap 'Shop'"),
        _step(1, 2400, actions.Tap(945, 2298), "Tap 'Sign in'"),
        _step(2, 8500, hidden, "Type '••••••••' into 'Password'", redacted=True),
        _step(3, 9700, actions.Tap(540, 756), "Tap 'Continue'"),
        _step(4, 17500, actions.Type(length=6, redacted=True), "Type 6 keys, hidden", secure=True),
        _step(5, 20500, actions.Tap(540, 348), "Tap 'Search products'"),
        _step(6, 22700, actions.Type("poster", 6), "Type 'poster'"),
        Step(
            7,
            23300,
            "",
            State("states/0007.png", size=_SIZE, tree_age_ms=1400),
            actions.Key("enter"),
            None,
            "Press Enter",
        ),
        _step(8, 26600, actions.Tap(204, 348), "Tap 'Sort'"),
        _step(9, 27700, actions.Tap(540, 1878), "Tap 'Price: low to high'", skew=0.03),
    ]
    return [*steps, _step(10, 29000, None, "")] if final else steps


def many_steps(count: int) -> list[Step]:
    """A long recording of taps."""
    return [
        _step(index, index * 700, actions.Tap(index % 1080, index % 2400), f"Tap 'Item {index}'")
        for index in range(count)
    ]
