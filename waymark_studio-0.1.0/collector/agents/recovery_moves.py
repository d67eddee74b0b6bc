"""Moves of an agent that left its golden path, each counted: answer, wait, scroll, retry, go back, reopen."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from collector.agents.dialog_policy import DialogPolicy
from collector.agents.golden_path import GoldenPath
from collector.agents.screen_dialogs import ScreenDialog, find_dialog
from collector.judge.evaluation.divergence import Divergence
from collector.model.action import Action, Key, OpenApp, Swipe, Tap, Wait
from collector.model.geometry import Rect
from collector.model.i18n import _
from collector.model.tree import Node, Tree
from collector.recorder.screen_moment import ScreenMoment

MOST_TRIES, MOST_RETRIES, MOST_BACKS, MOST_OPENINGS, MOST_SCROLLS = 4, 2, 3, 2, 4
"""Of one trouble: answers to a dialog, taps on a button that tries again, BACKs, openings, swipes a way."""
MOST_HANGS = 2
"""Of one episode: long waits for apps that may hang."""
ANSWERED, WAITED, SCROLLED, RETRIED, BACK, REOPENED = (
    "answered", "waited", "scrolled", "retried", "back", "reopened",
)  # fmt: skip
_SWIPE_MS = 600
"""Slow enough that a list stops soon after the finger."""
_RETRY = re.compile(
    r"\s*(?:(?:retry|try again|reload|refresh|reconnect)\b|重试|重新加载|刷新|再试一次)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class RecoveryAction:
    """A move towards the path, and what it is in words."""

    move: str
    """ANSWERED, WAITED, SCROLLED, RETRIED, BACK or REOPENED."""
    action: Action
    why: str


@dataclass(slots=True)
class Trouble:
    """The moves since the last golden step. They are bounded: after them there is none left."""

    waits: int = 0
    waited_for_hang: bool = False
    retries: int = 0
    scrolls: int = 0
    """In the present direction."""
    scrolls_up: bool = False
    before_scroll: ScreenMoment | None = None
    """The screen on which the finger swiped last."""
    backs: int = 0
    openings: int = 0
    tries: dict[tuple[str, ...], int] = field(default_factory=dict)
    """By the texts of a dialog, how many answers it was given."""
    before_back: ScreenMoment | None = None
    """The screen on which BACK was pressed last, or the app opened."""
    before_opening: ScreenMoment | None = None


@dataclass(slots=True)
class RecoveryMoves:
    """Chooses the next move of an agent from the screen it sees."""

    policy: DialogPolicy
    waits: int
    wait_ms: int
    hang_ms: int
    """The wait for an app that seems to hang; 0 for none."""
    trouble: Trouble = field(default_factory=Trouble)
    _hang_waits: int = 0
    """In the whole episode."""

    def begin(self) -> None:
        """Begin an episode with all its moves."""
        self._hang_waits = 0
        self.settle()

    def has_waited(self, divergence: Divergence, *, unchanged: bool) -> bool:
        """Whether the screen had time to become the expected one; a hanging app needs more of it."""
        if self.trouble.openings:
            return True
        return not (unchanged and self._may_hang) and self.trouble.waits >= self._most_waits(divergence)

    def settle(self) -> None:
        """The path was found again: the next trouble has all its moves."""
        self.trouble = Trouble()

    def next(
        self, live: ScreenMoment, divergence: Divergence, path: GoldenPath, package: str, *, unchanged: bool
    ) -> RecoveryAction | None:  # fmt: skip
        """The next move; None when none is left. ``package`` is the app of the golden step to come.

        ``unchanged`` says that the screen is the very one on which the last golden step was done.
        """
        tree = live.tree
        if tree is None:
            return self._wait(self.waits, _("The screen cannot be read"))
        dialog = find_dialog(tree)
        answer = self._answer(dialog, tree) if dialog is not None else None
        if answer is not None:
            return answer
        here = live.package in ("", package, path.app)
        if here or dialog is not None:
            why = _("The screen may still change")
            move = self._wait(self._most_waits(divergence), why)
            if unchanged and not self.trouble.openings:
                move = move or self._wait_for_hang()
            move = move or self._retry(tree)
            if move is not None:
                return move
        if not (path.is_home(live.package) and not path.is_home(package)) and (back := self._back(live)):
            return back
        return self._open(live, path, package) or self._wait(self.waits, _("Nothing changes the screen"))

    def _answer(self, dialog: ScreenDialog, tree: Tree) -> RecoveryAction | None:
        choices = self.policy.choices(dialog, tree)
        tried = self.trouble.tries.get(dialog.words, 0)
        if tried >= min(MOST_TRIES, len(choices)):
            return None
        self.trouble.tries[dialog.words] = tried + 1
        name, node = choices[tried]
        why = _("The dialog '{title}' is answered: {answer}", title=dialog.title, answer=name)
        return RecoveryAction(ANSWERED, _tap(node) if node is not None else Key("back"), why)

    def _most_waits(self, divergence: Divergence) -> int:
        """What covers a node for a moment, as a message at the bottom does, is worth more patience."""
        return self.waits if divergence.reason == "covered" else min(1, self.waits)

    def _wait(self, most: int, why: str) -> RecoveryAction | None:
        if self.trouble.waits >= most:
            return None
        self.trouble.waits += 1
        return RecoveryAction(WAITED, Wait(self.wait_ms), why)

    @property
    def _may_hang(self) -> bool:
        """Whether there is patience left for an app that may hang."""
        return self.hang_ms > 0 and not self.trouble.waited_for_hang and self._hang_waits < MOST_HANGS

    def _wait_for_hang(self) -> RecoveryAction | None:
        """Wait until Android asks whether to close an app that does not react."""
        if not self._may_hang:
            return None
        self._hang_waits += 1
        self.trouble.waited_for_hang = True
        why = _("The last action changed nothing: the app may hang")
        return RecoveryAction(WAITED, Wait(self.hang_ms), why)

    def scroll(self, live: ScreenMoment) -> RecoveryAction | None:
        """Look further down, then further up, for what a screen of another size does not show at once."""
        trouble, box = self.trouble, _scrolled(live.tree)
        if box is None:
            return None
        is_at_end = trouble.before_scroll is not None and trouble.before_scroll.is_same(live)
        if is_at_end or trouble.scrolls >= MOST_SCROLLS:
            if trouble.scrolls_up:
                return None
            trouble.scrolls, trouble.scrolls_up = 0, True
        trouble.scrolls += 1
        trouble.before_scroll = live
        # From the edges of the screen a finger swipes the system's bars and gestures.
        edge = live.screen.height * 3 // 20
        near = max(box.top + box.height // 10, edge)
        far = min(box.bottom - box.height // 10, live.screen.height - edge)
        x = box.center.x
        start, end = (near, far) if trouble.scrolls_up else (far, near)
        swipe = Swipe(x, start, x, end, _SWIPE_MS)
        return RecoveryAction(SCROLLED, swipe, _("The screen has another size: the target may be further on"))

    def _retry(self, tree: Tree) -> RecoveryAction | None:
        """Tap a button that tries again, as apps offer it when the network failed."""
        node = next((node for node in tree if node.clickable and _RETRY.match(node.label)), None)
        if node is None or node.bounds is None or self.trouble.retries >= MOST_RETRIES:
            return None
        self.trouble.retries += 1
        return RecoveryAction(RETRIED, _tap(node), _("The app offers to try again"))

    def _back(self, live: ScreenMoment) -> RecoveryAction | None:
        before = self.trouble.before_back
        if self.trouble.backs >= MOST_BACKS or (before is not None and before.is_same(live)):
            return None
        self.trouble.backs += 1
        self.trouble.before_back = live
        return RecoveryAction(BACK, Key("back"), _("{name} is in front", name=live.package or "?"))

    def _open(self, live: ScreenMoment, path: GoldenPath, package: str) -> RecoveryAction | None:
        """Open the app of the step, or go to the home screen when the step is done there."""
        before = self.trouble.before_opening
        if self.trouble.openings >= MOST_OPENINGS or (before is not None and before.is_same(live)):
            return None
        self.trouble.openings += 1
        self.trouble.backs = 0
        self.trouble.before_back = self.trouble.before_opening = live
        if path.is_home(package):
            return RecoveryAction(REOPENED, Key("home"), _("The step is done on the home screen"))
        return RecoveryAction(REOPENED, OpenApp(path.app), _("{name} is opened again", name=path.app))


def _scrolled(tree: Tree | None) -> Rect | None:
    """The largest place of a screen that scrolls."""
    nodes = [node for node in tree or () if node.flag("scrollable") and node.bounds is not None]
    boxes = [node.bounds for node in nodes if node.bounds is not None and not node.bounds.is_empty]
    return max(boxes, key=lambda box: box.width * box.height, default=None)


def _tap(node: Node) -> Tap:
    assert node.bounds is not None
    place = node.bounds.center
    return Tap(place.x, place.y)
