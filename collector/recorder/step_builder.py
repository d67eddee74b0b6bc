"""The screen as it was when a person touched it, and the step that is made of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.describe import caption, click_target, focused_field
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.ranking import rank_selectors
from collector.model.action import Action, Type
from collector.model.geometry import Rect, Size
from collector.model.i18n import _
from collector.model.trajectory import State, Step, Target
from collector.model.tree import Node, Tree
from collector.recorder.pin_pad import is_character_key
from collector.recorder.png import encode_png
from collector.recorder.settle import MAP_SIZE, FrameHistory, share_changed
from collector.store.redaction import blacked_out, has_private_text, mask_dump, password_regions

_STALE_SHARE = 0.01
_SELECTORS = 5
_KEPT = ("class", "resource-id", "text", "content-desc", "hint")


@dataclass(frozen=True, slots=True, eq=False)
class ScreenMoment:
    """References to what was at hand at ``time_ns``; making one costs nothing."""

    time_ns: int
    wall_time: dt.datetime
    frame: Frame | None
    snapshot: TreeSnapshot | None
    package: str
    activity: str
    screen: Size
    rotation: int
    frame_source: str
    acted_ns: int = 0
    """When the action before this one ended."""
    regions: tuple[Rect, ...] = ()
    """Places a person marked as private, in device pixels."""
    hides_passwords: bool = True
    secure: bool = False
    """The window in front forbids pictures."""
    keyboard: Rect | None = None
    """Where the phone's own keyboard lay."""
    keys_show: bool = False
    """A key of it may be seen pressed: that would tell a letter of a password."""
    input_source: str = ""
    """What told of the action: ``getevent`` for hands on the phone itself, empty for the mirror."""

    @property
    def tree(self) -> Tree | None:
        return self.snapshot.tree if self.snapshot is not None else None


@dataclass(frozen=True, slots=True, eq=False)
class Captured:
    """An action that is whole, and the moment before it."""

    moment: ScreenMoment
    action: Action
    into: Node | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    doubt: str = ""
    shown: str = ""
    """What the field shows of a typed text, where it is not what was sent."""


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A step about to be written: its moment, its action, and where it goes."""

    moment: ScreenMoment
    action: Action | None
    t_ms: int
    into: Node | None = None
    """The node text went into, as far as the recorder knows better than the tree."""
    extra: dict[str, Any] = field(default_factory=dict)
    replaces: int | None = None
    inserts: int | None = None
    doubt: str = ""
    """One sentence on what is not certain of the action."""
    shown: str = ""
    """What the field shows of a typed text, for the caption."""


@dataclass(frozen=True, slots=True, eq=False)
class BuiltStep:
    """A step with the bytes of its state, ready for the writer; ``tree`` is what selectors were made on."""

    step: Step
    png: bytes | None
    xml: bytes | None
    tree: Tree | None


def build_step(taken: Taken, history: FrameHistory, earlier: Sequence[Tree] = ()) -> BuiltStep:
    """Make the step of a moment: encode, redact, measure, name the target, caption. Takes its time."""
    moment = taken.moment
    xml, tree, problems = _tree_of(moment)
    regions = [*moment.regions, *_hidden_regions(taken, tree)]
    # The encoder lets other threads run: the picture is ready about when the selectors are.
    with ThreadPoolExecutor(1, "recorder-picture") as beside:
        picture = beside.submit(_picture_of, moment, regions)
        step = _step_of(taken, tree, problems, history, earlier, redacted=bool(regions))
    return BuiltStep(step, picture.result(), xml, tree)


def _hidden_regions(taken: Taken, tree: Tree | None) -> list[Rect]:
    """Password fields, and the keyboard they are typed on while a pressed key may be seen."""
    moment, action = taken.moment, taken.action
    hidden = password_regions(tree) if tree is not None and moment.hides_passwords else []
    if (
        moment.keyboard is not None
        and moment.keys_show
        and (hidden or (isinstance(action, Type) and action.redacted))
    ):
        hidden.append(moment.keyboard)
    return hidden


def _step_of(
    taken: Taken,
    tree: Tree | None,
    problems: list[str],
    history: FrameHistory,
    earlier: Sequence[Tree],
    *,
    redacted: bool,
) -> Step:
    moment, action = taken.moment, taken.action
    if taken.doubt:
        problems.append(taken.doubt)
    if moment.frame is None:
        problems.append(_("There was no picture of the screen yet"))
    skew = _skew(moment, history)
    if tree is not None and is_stale(moment, skew):
        problems.append(_stale_sentence(moment, skew))
    node = target_node(action, tree, taken.into)
    state = State(
        package=moment.package,
        activity=moment.activity,
        size=moment.screen,
        rotation=moment.rotation,
        source=_sources(moment, tree),
        tree_age_ms=moment.snapshot.age_ms(moment.time_ns) if tree is not None and moment.snapshot else None,
        skew=skew if tree is not None else None,
        secure=moment.secure,
        problem="; ".join(problems),
    )
    return Step(
        index=0,
        t_ms=taken.t_ms,
        wall_time=moment.wall_time.isoformat(timespec="milliseconds"),
        state=state,
        action=action,
        target=_target(tree, node, earlier) if tree is not None and node is not None else None,
        description=_caption(taken, tree, node),
        redacted=redacted or (isinstance(action, Type) and action.redacted),
        extra=taken.extra,
    )


def _caption(taken: Taken, tree: Tree | None, node: Node | None) -> str:
    action = taken.action
    if isinstance(action, Type) and taken.shown and not action.redacted:
        action = Type(taken.shown, len(taken.shown))
    return caption(action, tree, node) if action is not None else ""


def target_node(action: Action | None, tree: Tree | None, given: Node | None = None) -> Node | None:
    """The node an action landed on: what was touched, or the field that took the text."""
    if action is None or tree is None:
        return None
    if isinstance(action, Type):
        field = focused_field(tree)
        # The key of a pad has the focus when it was pressed: it says what was typed.
        return given if field is None or (action.redacted and is_character_key(field)) else field
    return click_target(tree, action.point) if action.point is not None else None


def is_stale(moment: ScreenMoment, skew: float | None) -> bool:
    """Whether the tree may show another screen than the picture does."""
    if skew is not None:
        return skew > _STALE_SHARE
    return moment.snapshot is not None and moment.snapshot.started_ns < moment.acted_ns


def _tree_of(moment: ScreenMoment) -> tuple[bytes | None, Tree | None, list[str]]:
    snapshot = moment.snapshot
    if snapshot is None:
        return None, None, [_("There was no hierarchy yet")]
    problems = [snapshot.problem] if snapshot.problem else []
    tree, xml = snapshot.tree, snapshot.xml or None
    if (
        tree is None
        or xml is None
        or not has_private_text(tree, moment.regions, passwords=moment.hides_passwords)
    ):
        return xml, tree, problems
    masked = mask_dump(xml, moment.regions, passwords=moment.hides_passwords)
    if masked is None:
        problems.append(_("The hierarchy was left out: what is private in it could not be masked"))
        return None, None, problems
    return masked, parse_tree(masked, source=tree.source), problems


def _picture_of(moment: ScreenMoment, regions: list[Rect]) -> bytes | None:
    if moment.frame is None:
        return None
    pixels = moment.frame.rgb()
    return encode_png(blacked_out(pixels, regions, moment.screen) if regions else pixels)


def _skew(moment: ScreenMoment, history: FrameHistory) -> float | None:
    """Share of the screen that changed between the asking for the tree, or its coming, and the touch."""
    if moment.frame is None or moment.snapshot is None:
        return None
    touched = moment.frame.luma(MAP_SIZE)
    shown = [history.at(when) for when in (moment.snapshot.started_ns, moment.snapshot.finished_ns)]
    shares = [share_changed(one, touched) for one in shown if one is not None]
    return max(shares) if len(shares) == len(shown) else None


def _stale_sentence(moment: ScreenMoment, skew: float | None) -> str:
    age = moment.snapshot.age_ms(moment.time_ns) if moment.snapshot is not None else 0
    if skew is None:
        return _("The hierarchy is {age} ms old and may show the screen before the last action", age=age)
    return _(
        "The hierarchy is {age} ms old and {percent} % of the screen changed since",
        age=age,
        percent=f"{skew * 100:.0f}",
    )


def _sources(moment: ScreenMoment, tree: Tree | None) -> dict[str, str]:
    sources = {}
    if moment.frame is not None:
        sources["frame"] = moment.frame_source
    if tree is not None and moment.snapshot is not None:
        sources["tree"] = moment.snapshot.source
    if moment.input_source:
        sources["input"] = moment.input_source
    return sources


def _target(tree: Tree, node: Node, earlier: Sequence[Tree]) -> Target:
    if tree.nodes[node.order : node.order + 1] != (node,):
        return Target(node.path, node.bounds)  # known from another tree: its selectors are not this one's
    ranked = rank_selectors(tree, node, earlier)[:_SELECTORS]
    kept = {name: node.attributes[name] for name in _KEPT if node.attributes.get(name)}
    return Target(node.path, node.bounds, tuple(one.text for one in ranked), kept)
