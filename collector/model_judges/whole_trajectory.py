"""All screens of a trajectory in one question; of a long one a choice that keeps both ends."""

from __future__ import annotations

from collector.model_judges.frames import COMPOSITE, JudgedScreens

MOST_SCREENS = 30


def chosen_screens(count: int, most: int) -> list[int]:
    """At most ``most`` indexes of ``count`` screens: the first, the last, and others evenly between them."""
    if count <= most:
        return list(range(count))
    if most == 1:
        return [count - 1]
    return sorted({round(number * (count - 1) / (most - 1)) for number in range(most)})


def left_out_words(chosen: list[int], count: int) -> str:
    """What a model is told of screens that are not shown; empty when all are."""
    return f"{len(chosen)} of {count} are shown" if len(chosen) < count else ""


def pictures_of(screens: JudgedScreens, chosen: list[int], layout: str) -> tuple[int, int]:
    """How many pictures a question sends, and about how many tokens they take."""
    seen = sum(not screens.hidden(index) for index in chosen)
    pictures = min(seen, 1) if layout == COMPOSITE else seen
    return pictures, screens.tokens(pictures, len(chosen))
