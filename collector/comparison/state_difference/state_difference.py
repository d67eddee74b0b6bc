"""The difference of two recorded states: tree, texts, pixels, and the app in front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from collector.comparison.state_difference.picture_difference import PictureDifference, compare_pictures
from collector.hierarchy.clocks import is_clock
from collector.hierarchy.diff import TreeDiff, diff_trees
from collector.model.geometry import Rect, Size
from collector.model.tree import Tree
from collector.pictures.errors import PictureError

_SYSTEM = "com.android.systemui"


@dataclass(frozen=True, slots=True)
class RecordedScreen:
    """A state with what was read of it; None for what it does not have."""

    package: str = ""
    activity: str = ""
    tree: Tree | None = None
    picture: bytes | None = None
    size: Size | None = None
    """Of the screen, in the pixels of the tree's bounds; None when it is not known."""


@dataclass(frozen=True, eq=False)
class StateDifference:
    """What differs between two states. A part is None when either state lacks what it compares."""

    place: tuple[str, str] | None
    """Activity with its package, of both, when they differ."""
    tree: TreeDiff | None
    added_texts: tuple[str, ...]
    """Texts of the second alone, from top to bottom."""
    removed_texts: tuple[str, ...]
    picture: PictureDifference | None
    picture_problem: str = ""
    """Why pictures that both states have were not compared, in sentences; empty when they were."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing that could be compared differs."""
        same_tree = self.tree is None or self.tree.is_empty
        same_picture = self.picture is None or not self.picture.regions
        return self.place is None and same_tree and same_picture


def state_difference(before: RecordedScreen, after: RecordedScreen) -> StateDifference:
    """Compare two states; status bars are ignored, and places are shares where screens have other sizes."""
    places = tuple(f"{screen.package}/{screen.activity}" for screen in (before, after))
    own, other = _texts(before.tree), _texts(after.tree)
    picture, problem = None, ""
    try:
        picture = compare_screenshots(before, after)
    except PictureError as error:
        problem = str(error)
    return StateDifference(
        (places[0], places[1]) if places[0] != places[1] else None,
        compare_trees(before, after),
        tuple(text for text in other if text not in own),
        tuple(text for text in own if text not in other),
        picture,
        problem,
    )


def compare_trees(before: RecordedScreen, after: RecordedScreen) -> TreeDiff | None:
    """Compare the trees of two states; None without both."""
    if not before.tree or not after.tree:
        return None
    sizes = (before.size, after.size) if before.size and after.size else None
    return diff_trees(before.tree, after.tree, sizes)


def compare_screenshots(
    before: RecordedScreen, after: RecordedScreen, *, ignores_bars: bool = True
) -> PictureDifference | None:
    """Compare the pictures of two states without status bars and clocks, or with them; None without both.

    Raises PictureError when either cannot be decoded.
    """
    if not before.picture or not after.picture:
        return None
    bars, clocks = (status_bars(before.tree), clocks_of(before.tree)) if ignores_bars else ((), ())
    return compare_pictures(before.picture, after.picture, bars, clocks)


def clocks_of(tree: Tree | None) -> Sequence[Rect]:
    """Where an app shows the time of day."""
    return [node.bounds for node in tree or () if node.bounds is not None and is_clock(node)]


def status_bars(tree: Tree | None) -> Sequence[Rect] | None:
    """Where the system draws its bars over the screen; None when the tree does not say."""
    bars = [root.bounds for root in (tree.roots if tree else ()) if root.package == _SYSTEM and root.bounds]
    return bars or None


def _texts(tree: Tree | None) -> dict[str, None]:
    labels = (" ".join(node.label.split()) for node in tree or () if not node.password)
    return dict.fromkeys(label for label in labels if label)
