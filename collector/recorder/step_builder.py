"""Build a step from a captured action and the screen before it: redact, measure, find the target, caption."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from collector.hierarchy.captions import caption, click_target, focused_field
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.selector_ranking import rank_selectors
from collector.model.action import Action, Type
from collector.model.episode import AgentTurn
from collector.model.geometry import Rect
from collector.model.message import _, joined
from collector.model.trajectory import TOOL, State, Step, Target
from collector.model.tree import Node, Tree
from collector.recorder.passwords.pin_pad import is_character_key
from collector.recorder.png import PngEncoder, encode_png
from collector.recorder.ruled_screen import RuledScreen
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.settle import MAP_SIZE, FrameHistory, share_changed
from collector.store.redaction.screens import (
    Hides,
    blacked_out,
    has_private_text,
    hides_nothing,
    mask_dump,
    password_regions,
    regions_of,
)
from collector.store.redaction.secret_text import SecretTexts
from collector.store.redaction.written_secrets import hides_on_screen

_STALE_SHARE = 0.01
SELECTORS = 5
_TARGET_ATTRIBUTES = ("class", "resource-id", "text", "content-desc", "hint")


@dataclass(frozen=True, slots=True, eq=False)
class CapturedAction:
    """A complete action and the screen before it; its place is the end, ``replaces`` or ``inserts``."""

    moment: ScreenMoment
    action: Action | None
    """None for the final state."""
    text_field: Node | None = None
    """The field text went into, where the recorder knows better than the tree."""
    extra: dict[str, Any] = field(default_factory=dict)
    doubt: str = ""
    """One sentence on what is uncertain about the action."""
    shown_text: str = ""
    """What the field shows of a typed text, for the caption; empty when that is what was sent."""
    agent: AgentTurn | None = None
    """What an agent answered in this step; None for a person."""
    hides_text: bool | None = None
    """Whether the text it types is hidden; None where nobody looked at the field that took it."""
    typed_password: str = field(default="", repr=False)
    """What was typed into a password field; it is known for what comes later, and never written."""
    t_ms: int = 0
    """Its time in the recording; set when it is committed."""
    replaces: int | None = None
    """Index of the step in whose place it goes; None for the end."""
    inserts: int | None = None
    """Index of the step before which it comes; None for the end."""


@dataclass(frozen=True, slots=True, eq=False)
class BuiltStep:
    """A step with the bytes of its state, ready for the writer; its selectors were made on ``tree``."""

    step: Step
    png: bytes | None
    xml: bytes | None
    tree: Tree | None


def build_step(
    captured: CapturedAction, history: FrameHistory, earlier: Sequence[Tree] = (),
    encode: PngEncoder = encode_png, passwords: SecretTexts | None = None,
    rules: RuledScreen | None = None,
) -> BuiltStep:  # fmt: skip
    """Build the step and the files of its state. Takes some 100 ms, so it runs behind the person.

    ``passwords`` are hidden wherever the screen shows them, and what ``rules`` of the project hide.
    """
    moment = captured.moment
    hides = hides_on_screen(moment.xml, passwords) if passwords else hides_nothing
    xml, tree, problems = _tree_of(moment, hides)
    if rules is not None:
        xml, tree = rules.masked_tree(xml, tree, problems)
    regions = [*_hidden_regions(captured, tree), *regions_of(moment.tree, hides)]
    # The encoder releases the GIL: the screenshot is ready at about the same time as the selectors.
    with ThreadPoolExecutor(1, "recorder-picture") as executor:
        png = executor.submit(_screenshot_of, moment, regions, encode, rules)
        step = _step_of(captured, tree, problems, history, earlier, redacted=bool(regions))
    return BuiltStep(step if rules is None else rules.masked_step(step), png.result(), xml, tree)


def hidden_places(moment: ScreenMoment, passwords: SecretTexts | None) -> list[Rect]:
    """Where a screen shows what is private, in device pixels: fields, and ``passwords``."""
    tree = moment.tree
    hides = hides_on_screen(moment.xml, passwords) if passwords else hides_nothing
    fields = password_regions(tree) if tree is not None and moment.hides_passwords else []
    return [*fields, *regions_of(tree, hides)]


def _hidden_regions(captured: CapturedAction, tree: Tree | None) -> list[Rect]:
    """Password fields, and the keyboard while a pressed key may be visible."""
    moment, action = captured.moment, captured.action
    hidden = password_regions(tree) if tree is not None and moment.hides_passwords else []
    if (
        moment.keyboard is not None
        and moment.pressed_key_visible
        and (hidden or (isinstance(action, Type) and action.redacted))
    ):
        hidden.append(moment.keyboard)
    return hidden


def _step_of(
    captured: CapturedAction,
    tree: Tree | None,
    problems: list[str],
    history: FrameHistory,
    earlier: Sequence[Tree],
    *,
    redacted: bool,
) -> Step:
    moment, action = captured.moment, captured.action
    if captured.doubt:
        problems.append(captured.doubt)
    if moment.frame is None:
        problems.append(_("There was no picture of the screen yet"))
    skew = _skew(moment, history)
    if tree is not None and is_stale(moment, skew):
        problems.append(_stale_sentence(moment, skew))
    node = target_node(action, tree, captured.text_field)
    state = State(
        package=moment.package,
        activity=moment.activity,
        size=moment.screen,
        rotation=moment.rotation,
        source=_sources(moment, tree),
        tree_age_ms=moment.snapshot.age_ms(moment.time_ns) if tree is not None and moment.snapshot else None,
        skew=skew if tree is not None else None,
        secure=moment.secure,
        problem=joined(problems),
    )
    return Step(
        index=0,
        t_ms=captured.t_ms,
        wall_time=moment.wall_time.isoformat(timespec="milliseconds"),
        state=state,
        action=action,
        target=target_of(tree, node, earlier) if tree is not None and node is not None else None,
        description=_caption(captured, tree, node),
        redacted=redacted or (isinstance(action, Type) and action.redacted),
        agent=captured.agent,
        extra={**captured.extra, TOOL: moment.tool} if moment.tool else captured.extra,
    )


def _caption(captured: CapturedAction, tree: Tree | None, node: Node | None) -> str:
    action = captured.action
    if isinstance(action, Type) and captured.shown_text and not action.redacted:
        action = Type(captured.shown_text, len(captured.shown_text))
    return caption(action, tree, node) if action is not None else ""


def target_node(action: Action | None, tree: Tree | None, text_field: Node | None = None) -> Node | None:
    """The node an action hit: what was touched, or the field that took the text."""
    if action is None or tree is None:
        return None
    if isinstance(action, Type):
        focused = focused_field(tree)
        # A pressed key of a PIN pad has the focus: as a target it would reveal what was typed.
        return text_field if focused is None or (action.redacted and is_character_key(focused)) else focused
    return click_target(tree, action.point) if action.point is not None else None


def is_stale(moment: ScreenMoment, skew: float | None) -> bool:
    """Whether the tree may show another screen than the picture does."""
    if skew is not None:
        return skew > _STALE_SHARE
    return moment.snapshot is not None and moment.snapshot.started_ns < moment.acted_ns


def _tree_of(moment: ScreenMoment, hides: Hides) -> tuple[bytes | None, Tree | None, list[str]]:
    snapshot = moment.snapshot
    if snapshot is None:
        return None, None, [_("There was no UI tree yet")]
    problems = [snapshot.problem] if snapshot.problem else []
    tree, xml = snapshot.tree, snapshot.xml or None
    passwords = moment.hides_passwords
    if tree is None or xml is None or not has_private_text(tree, passwords=passwords, hides=hides):
        return xml, tree, problems
    masked = mask_dump(xml, passwords=passwords, hides=hides)
    if masked is None:
        problems.append(_("The UI tree was left out: what is private in it could not be masked"))
        return None, None, problems
    return masked, parse_tree(masked, source=tree.source), problems


def _screenshot_of(
    moment: ScreenMoment, regions: list[Rect], encode: PngEncoder, rules: RuledScreen | None = None
) -> bytes | None:
    if moment.frame is None:
        return None
    covers = rules is not None and bool(rules.regions)
    if not regions and not covers and encode is encode_png and moment.frame.encoded:
        return moment.frame.encoded
    pixels = moment.frame.rgb()
    if regions:
        pixels = blacked_out(pixels, regions, moment.screen)
    return encode(rules.covered(pixels) if rules is not None and covers else pixels)


def _skew(moment: ScreenMoment, history: FrameHistory) -> float | None:
    """Share of the screen that changed between the tree's request, or its arrival, and the touch."""
    if moment.skew is not None:
        return moment.skew
    if moment.frame is None or moment.snapshot is None:
        return None
    touched = moment.frame.luma(MAP_SIZE)
    shown = [history.at(when) for when in (moment.snapshot.started_ns, moment.snapshot.finished_ns)]
    shares = [share_changed(luma, touched) for luma in shown if luma is not None]
    return max(shares) if len(shares) == len(shown) else None


def _stale_sentence(moment: ScreenMoment, skew: float | None) -> str:
    age = moment.snapshot.age_ms(moment.time_ns) if moment.snapshot is not None else 0
    if skew is None:
        return _("The UI tree is {age} ms old and may show the screen before the last action", age=age)
    return _(
        "The UI tree is {age} ms old and {percent} % of the screen changed since",
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


def target_of(tree: Tree, node: Node, earlier: Sequence[Tree]) -> Target:
    """Describe a node by selectors of ``tree``, best first; ``earlier`` trees help to rank them."""
    if tree.nodes[node.order : node.order + 1] != (node,):
        return Target(node.path, node.bounds)  # a node of another tree: its selectors would not fit this one
    ranked = rank_selectors(tree, node, earlier)[:SELECTORS]
    attributes = {name: node.attributes[name] for name in _TARGET_ATTRIBUTES if node.attributes.get(name)}
    return Target(node.path, node.bounds, tuple(selector.text for selector in ranked), attributes)
