"""A rule of ``redact.yaml``: which places of which screens are hidden, and in what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from collector.located_yaml.diagnostics import NOWHERE, Diagnostic, Place, Severity
from collector.model.geometry import Rect, Size
from collector.rules.grammar.model import Group

PIXELS, TREE, TYPED, CAPTIONS, THOUGHTS = "pixels", "tree", "typed", "captions", "thoughts"
PARTS = (PIXELS, TREE, TYPED, CAPTIONS, THOUGHTS)
"""What a rule hides things in."""
SAID = frozenset((TYPED, CAPTIONS, THOUGHTS))
"""The parts that repeat in words what a screen shows."""
FILL, BLUR = "fill", "blur"
STYLES = (FILL, BLUR)
HIDE, KEEP = "hide", "keep"
DOUBTS = (HIDE, KEEP)
FACES, QR_CODES = "faces", "qr_codes"
DETECTORS = (FACES, QR_CODES)


@dataclass(frozen=True, slots=True)
class ScreenShare:
    """A rectangle of the screen, its sides as shares of the width and the height, 0 to 1."""

    left: float
    top: float
    right: float
    bottom: float

    def on(self, screen: Size) -> Rect:
        """The rectangle in pixels of ``screen``, with every pixel that it touches."""
        width, height = screen.width, screen.height
        return Rect(
            int(self.left * width),
            int(self.top * height),
            -int(-self.right * width // 1),
            -int(-self.bottom * height // 1),
        )


@dataclass(frozen=True, slots=True)
class RedactionRule:
    """One rule. It has a rectangle, a selector, a pattern or a detector, or several of them."""

    name: str
    rectangle: ScreenShare | None = None
    selector: str = ""
    pattern: str = ""
    """A regular expression for texts of nodes, and for what is typed, said and written."""
    detector: str = ""
    when: Group = field(default_factory=Group)
    """Conditions on the screen; without any the rule holds on every screen."""
    apps: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    parts: frozenset[str] = frozenset(PARTS)
    style: str = FILL
    in_doubt: str = HIDE
    """What becomes of a screen of which the rule cannot say: without a tree, or of an unknown app."""
    place: Place = field(default=NOWHERE, compare=False, repr=False)

    def is_of(self, task_id: str) -> bool:
        """Whether it counts in the trajectories of a task."""
        return not self.tasks or task_id in self.tasks

    @property
    def holds_everywhere(self) -> bool:
        """Whether it counts on every screen, and so also in texts that belong to none."""
        return not self.apps and not self.when.conditions

    @property
    def learns_words(self) -> bool:
        """Whether the words that it hides on a screen are hidden in other places too."""
        return bool(self.parts & SAID)


@dataclass(frozen=True, slots=True)
class RedactionFile:
    """The rules of a text and what is wrong with it; rules that could be read are there."""

    rules: tuple[RedactionRule, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def errors(self) -> Sequence[Diagnostic]:
        """What keeps rules from being read."""
        return [item for item in self.diagnostics if item.severity is Severity.ERROR]
