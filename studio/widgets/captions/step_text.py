"""Texts, icons and badges of steps. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from collector.hierarchy.captions import caption as action_caption
from collector.hierarchy.captions import swipe_direction
from collector.model import action as actions
from collector.model.action import Action
from collector.model.episode import BEFORE_START
from collector.model.i18n import N_, _, ngettext
from collector.model.message import in_language
from collector.model.predictions import invalid_of, was_changed
from collector.model.trajectory import Step

STALE_TREE_MS = 1000
"""A tree older than this at touch-down is marked."""
_THOUGHT = 400
"""Characters of a thought in one line."""
SAME_SHARE = 0.005
"""Share of the screen that may change, as by a clock, before an old tree counts as stale."""
SKEWED_SHARE = 0.02
"""A step is marked when more of the screen than this changed between tree and touch."""

_ICONS = {
    "tap": "tap",
    "double_tap": "tap",
    "long_press": "hand",
    "pinch": "fit",
    "type": "type",
    "key": "keyb",
    "open_app": "phone",
    "wait": "clock",
    "answer": "thought",
    "complete": "done",
    "impossible": "x",
    "ask_user": "help",
    "invalid": "state-err",
}
_DIRECTION_ICONS = {"up": "swipe", "down": "swipe-down", "left": "swipe-left", "right": "swipe-right"}
_KEY_ICONS = {
    "enter": "enter",
    "back": "back",
    "home": "home",
    "recents": "recents",
    "power": "power",
    "volume_up": "vol",
    "volume_down": "vol",
}
_INVALID = {
    actions.MALFORMED: N_("invalid, cannot be read as an action"),
    actions.HALLUCINATED: N_("invalid, asks for what is not there"),
}


@dataclass(frozen=True, slots=True)
class StepBadge:
    """A mark on a step: ``tone`` is warn, info, err or empty (neutral), ``icon`` a name of the theme."""

    text: str
    icon: str
    tone: str = ""
    state_icon: str = ""
    """Icon for the corner of a thumbnail."""


def action_icon(action: Action | None) -> str:
    """Name of the icon for a kind of action; a flag for the final state."""
    if isinstance(action, actions.Key):
        return _KEY_ICONS.get(action.key, "keyb")
    if isinstance(action, actions.Swipe | actions.Drag):
        return _DIRECTION_ICONS[swipe_direction(action)]
    if isinstance(action, actions.Scroll):
        return _DIRECTION_ICONS.get(action.direction, _DIRECTION_ICONS["down"])
    return _ICONS[action.kind] if action is not None else "flag"


def step_caption(step: Step) -> str:
    """The recorded caption, or one made from the action."""
    if step.description:
        return in_language(step.description)
    return action_caption(step.action, None) if step.action is not None else _("Final state")


def action_detail(action: Action | None) -> str:
    """The action with its parameters: ``tap 780, 1713``."""
    match action:
        case None:
            return _("no action")
        case actions.Type(redacted=True):
            return _("type, hidden")
        case actions.Type(length=length, text=text):
            count = length or len(text)
            return ngettext("type, {count} character", "type, {count} characters", count)
        case actions.Key(key=key):
            return _("key {name}", name=key)
        case actions.Swipe() | actions.Drag():
            verb = _("swipe") if action.kind == "swipe" else _("drag")
            return f"{verb} {action.x1}, {action.y1} → {action.x2}, {action.y2}"
        case actions.OpenApp(package=package, name=name):
            return _("open {package}", package=package or name)
        case actions.Wait(duration_ms=duration):
            return _("wait {seconds} s", seconds=f"{duration / 1000:.1f}")
        case actions.Answer(text=text):
            return _("answer '{text}'", text=text)
        case actions.AskUser(question=question) if question:
            return _("ask the user '{text}'", text=question)
        case actions.Invalid(problem=problem):
            return _(_INVALID.get(problem, _INVALID[actions.MALFORMED]))
        case _:
            return _point_detail(action)


def _point_detail(action: Action) -> str:
    verbs = {
        "tap": _("tap"),
        "double_tap": _("double tap"),
        "long_press": _("long press"),
        "scroll": _("scroll"),
        "pinch": _("pinch"),
        "complete": _("complete"),
        "impossible": _("impossible"),
        "ask_user": _("ask the user"),
    }
    point = action.point
    verb = verbs[action.kind]
    return f"{verb} {point.x}, {point.y}" if point is not None else verb


def short_caption(step: Step) -> str:
    """The caption without its verb, for the timeline's narrow slots: ``Sign in``."""
    match step.action:
        case actions.Type(redacted=True):
            return "••••••••"
        case actions.Type(text=text):
            return text
        case actions.Key(key=key):
            return key.replace("_", " ").capitalize()
        case actions.OpenApp(name=name, package=package):
            return name or package.rpartition(".")[2]
        case actions.Wait(duration_ms=duration):
            return _("{seconds} s", seconds=f"{duration / 1000:.1f}")
        case _:
            caption = step_caption(step)
            point = step.action.point if step.action is not None else None
            if point is not None and step.action is not None and caption == action_caption(step.action, None):
                return f"{point.x}, {point.y}"  # without a tree nothing names what was touched
            return _quoted(caption)


def _quoted(text: str) -> str:
    """The text between the outermost quotes of a caption, or the whole caption."""
    for opening, closing in (("'", "'"), ("“", "”"), ('"', '"')):
        first, last = text.find(opening), text.rfind(closing)
        if 0 <= first < last - 1:
            return text[first + 1 : last]
    return text


def is_stale(tree_age_ms: float | None, skew: float | None) -> bool:
    """Whether a tree is old and the screen changed since; on a still screen an old tree is valid."""
    if tree_age_ms is None or tree_age_ms <= STALE_TREE_MS:
        return False
    return skew is None or skew > SAME_SHARE


def step_badges(step: Step) -> list[StepBadge]:
    """The badges of a step, worst first."""
    state = step.state
    badges: list[StepBadge] = []
    if invalid_of(step) is not None:
        badges.append(StepBadge(_("invalid action"), "state-err", "err", "state-err"))
    elif was_changed(step):
        badges.append(StepBadge(_("not as predicted"), "split", "info", "state-info"))
    if state.problem:
        badges.append(StepBadge(_("problem"), "state-warn", "warn", "state-warn"))
    if state.tree_age_ms is not None and is_stale(state.tree_age_ms, state.skew):
        age = f"{state.tree_age_ms / 1000:.1f}"
        badges.append(StepBadge(_("stale tree {seconds} s", seconds=age), "clock", "warn", "state-warn"))
    if state.skew is not None and state.skew > SKEWED_SHARE:
        share = round(state.skew * 100)
        badges.append(StepBadge(_("skew {percent} %", percent=share), "layers", "warn", "state-warn"))
    anomaly = step.extra.get("anomaly")
    if isinstance(anomaly, Mapping):
        words = _("under {id}", id=anomaly.get("anomaly", ""))
        badges.append(StepBadge(words, "zap", "warn", "zap"))
    if step.extra.get(BEFORE_START):
        badges.append(StepBadge(_("before the start"), "copy", "", "copy"))
    if state.secure:
        badges.append(StepBadge(_("secure"), "lock", "info", "state-info"))
    if state.source.get("input"):
        badges.append(StepBadge(_("on the phone"), "hand", "", "hand"))
    if step.redacted:
        badges.append(StepBadge(_("redacted"), "redact", "", "redact"))
    if step.note:
        badges.append(StepBadge(_("note"), "note", "", "note"))
    return badges


def thought_line(step: Step) -> str:
    """The beginning of what an agent thought, on one line; a list never needs more of it."""
    return " ".join(step.agent.thought[:_THOUGHT].split()) if step.agent is not None else ""


def seconds_after(step: Step, before: Step | None) -> str:
    """The time since the step before, as in ``+2.4 s``."""
    gap = step.t_ms - (before.t_ms if before is not None else step.t_ms)
    return _("+{seconds} s", seconds=f"{gap / 1000:.1f}")


def format_time(t_ms: int) -> str:
    """Format a time of a trajectory, as in ``01:02.4``."""
    tenths = max(0, t_ms) // 100
    minutes, rest = divmod(tenths, 600)
    return f"{minutes:02d}:{rest / 10:04.1f}"
