"""What a step of an environment shows: the picture, the tree, and whose screen it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from collector.agents.screen_elements import ScreenElement, screen_elements
from collector.environment.screen_copy import RgbImage
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Size
from collector.model.tree import Tree


@dataclass(eq=False)
class StepObservation:
    """The screen after a step. Treat it as read-only."""

    step: int
    """Steps done so far: 0 for the first observation of an episode."""
    size: Size
    """In pixels, as the phone is held now: actions are given in these."""
    rotation: int
    """Quarter turns of the screen, 0 to 3."""
    package: str
    activity: str
    """The activity in front, as in ``com.waymark.shop.MainActivity``."""
    picture: RgbImage | None = field(default=None, repr=False)
    """Height x width x 3 RGB; None when pictures are not observed. Black while the screen is protected."""
    xml: bytes = field(default=b"", repr=False)
    """The tree as uiautomator writes it; empty when trees are not observed."""

    @cached_property
    def tree(self) -> Tree | None:
        """The tree, read from :attr:`xml`; None when trees are not observed."""
        return parse_tree(self.xml) if self.xml else None

    @cached_property
    def elements(self) -> tuple[ScreenElement, ...]:
        """What can be touched or says something, numbered from 0; the numbers that dialects name."""
        return tuple(screen_elements(self.tree, self.size)) if self.tree is not None else ()
