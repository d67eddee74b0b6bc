"""The screen where the next action of a recording goes, and what differs on the screen of the phone."""

from __future__ import annotations

from collector.comparison.alignment.reading import read_screen
from collector.comparison.state_difference.state_difference import (
    RecordedScreen,
    compare_screenshots,
    compare_trees,
)
from collector.hierarchy.clocks import is_clock
from collector.hierarchy.diff import TreeDiff
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.trajectory import Step
from collector.model.tree import Node
from collector.pictures.errors import PictureError
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.settle import FrameHistory
from collector.recorder.step_builder import CapturedAction, build_step
from collector.rules.evaluation.state_view import full_activity
from collector.store.trajectory.reader import StoredTrajectory
from collector.store.trajectory.undone_steps import undone_step

_SYSTEM = "com.android.systemui"
_SKEWED = 0.01
"""Share of the screen that changed between tree and touch; above it the tree is of another screen."""
_SAME_PICTURE = 0.01
"""Share of the picture that may differ, as a cursor or a fading message does, while the trees agree."""
_MOST_NAMED = 3


def next_screen(
    stored: StoredTrajectory, index: int, seen: ScreenMoment | None = None
) -> RecordedScreen | None:
    """The screen where step ``index`` begins; None where nothing recorded shows it.

    It is the state of that step, or of the one that was undone or deleted there; else ``seen``, the screen
    to which the recorder saw the last step lead.
    """
    step = stored.steps[index] if index < len(stored.steps) else _undone(stored)
    screen = _of_step(stored, step) if step is not None else None
    if screen is None and seen is not None:
        screen = screen_of(seen)
    return screen if screen is not None and (screen.tree or screen.picture) else None


def screen_of(moment: ScreenMoment) -> RecordedScreen:
    """The screen of a phone as its state would be stored: what is private is hidden."""
    built = build_step(CapturedAction(moment, None), FrameHistory())
    state = built.step.state
    return RecordedScreen(state.package, state.activity, built.tree, built.png, state.size)


def differences(expected: RecordedScreen, shown: RecordedScreen) -> tuple[str, ...]:
    """What differs on the screen that is shown, in short sentences; empty for nothing.

    Clocks and the system's bars do not count, nor does the place of a node among its siblings.
    """
    found = _other_window(expected, shown)
    tree = compare_trees(expected, shown)
    if tree is not None:
        found += _other_nodes(tree)
    if not found:  # it takes the longest, and most screens differ in their nodes
        found += _other_picture(expected, shown)
    return tuple(found)


def _other_picture(expected: RecordedScreen, shown: RecordedScreen) -> list[str]:
    """That the pictures differ; nothing where one of them is missing or cannot be read."""
    try:
        picture = compare_screenshots(expected, shown)
    except PictureError:
        return []
    if picture is None or picture.share <= _SAME_PICTURE:
        return []
    return [_("{percent} % of the picture differs", percent=max(1, round(100 * picture.share)))]


def _undone(stored: StoredTrajectory) -> Step | None:
    try:
        return undone_step(stored.folder)
    except (UserError, ValueError):  # the steps themselves can be read
        return None


def _of_step(stored: StoredTrajectory, step: Step) -> RecordedScreen | None:
    """The state of a step; without its tree and window where these are of the screen before."""
    screen = read_screen(stored, step)
    if (step.state.skew or 0.0) <= _SKEWED:
        return screen
    return RecordedScreen(picture=screen.picture, size=screen.size) if screen.picture else None


def _other_window(expected: RecordedScreen, shown: RecordedScreen) -> list[str]:
    if expected.package and expected.package != shown.package:
        return [_("{name} is in front, not {expected}", name=shown.package, expected=expected.package)]
    wanted = full_activity(expected.package, expected.activity)
    actual = full_activity(shown.package, shown.activity)
    if wanted and actual and wanted != actual:
        return [_("{name} is in front, not {expected}", name=actual, expected=wanted)]
    return []


def _other_nodes(diff: TreeDiff) -> list[str]:
    missing = [node for node in diff.removed if counts(node)]
    new = [node for node in diff.added if counts(node)]
    changed = [change for change in diff.changed if counts(change.after) or counts(change.before)]
    moved = [move for move in diff.moved if counts(move.after)]
    found = [_("{name} is missing", name=name) for name in _labels(missing)]
    found += [_("{name} is new", name=name) for name in _labels(new)]
    for change in changed:
        before, after = change.before.label, change.after.label
        if before != after:
            found.append(_("{name} instead of {expected}", name=repr(after), expected=repr(before)))
    found = found[:_MOST_NAMED]
    count = len(missing) + len(new) + len(changed) + len(moved)
    if count and not found:
        found.append(ngettext("{count} node is another", "{count} nodes are others", count))
    return found


def _labels(nodes: list[Node]) -> list[str]:
    return [repr(label) for label in dict.fromkeys(node.label for node in nodes) if label]


def counts(node: Node) -> bool:
    """Whether a node tells screens apart: clocks and the system's bars do not."""
    return node.package != _SYSTEM and not is_clock(node)
