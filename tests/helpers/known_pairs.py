"""Trajectories changed in a known way, so that their alignment with the original is known.

The sample's golden trajectories are changed as files: their dumps, their pictures, their actions.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from collector.comparison.alignment.picture_hash import picture_hash
from collector.comparison.alignment.reading import ScreenCache, with_pictures
from collector.comparison.alignment.step_signature import StepSignature
from collector.comparison.alignment.trajectory_alignment import align_trajectories
from collector.model.action import Action, Type
from collector.model.geometry import Rect, Size
from collector.model.trajectory import Step, Target
from collector.store.trajectory.reader import open_trajectory

SAMPLE = Path(__file__).resolve().parents[2] / "assets/sample/trajectories"
GOLDENS = (
    "shop-14/shop-14-lin", "shop-13/shop-13-sara", "todo-04/todo-04-lin", "settings-03/settings-03-sara",
    "messenger-02/messenger-02-lin", "shop-19/shop-19-sara", "todo-01/todo-01-sara", "home-01/home-01-sara",
    "todo-05/todo-05-lin", "shop-18/shop-18-sara",
)  # fmt: skip
_POPUPS = ("todo-04", "settings-03", "messenger-05")
_VALUE = re.compile(rb'(text|content-desc)="([^"]+)"')
_BOUNDS = re.compile(rb'bounds="\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]"')
_KEYBOARD = b"".join(
    b'<node text="" resource-id="" class="android.inputmethodservice.Key" package="ime" content-desc="%c" '
    b'bounds="[%d,800][%d,840]" />' % (letter, at * 40, at * 40 + 40)
    for at, letter in enumerate(b"qwertyuiopasdfghjklzxcvbnm")
)
_SCREENS = ScreenCache()
Truth = list[int | None]
"""Of each changed step the step it comes from; None for one that was inserted."""


@dataclass(frozen=True, slots=True)
class KnownStep:
    """A step with its files; None for a file that is missing."""

    step: Step
    tree: bytes | None
    picture: bytes | None


Steps = Sequence[KnownStep]
Change = Callable[[Steps, random.Random], tuple[Steps, Truth]]


@cache
def known_steps(folder: Path) -> tuple[KnownStep, ...]:
    """The steps of a trajectory with their files."""
    stored = open_trajectory(folder)
    return tuple(KnownStep(step, stored.tree(step), stored.screenshot(step)) for step in stored.steps)


@cache
def popups() -> tuple[KnownStep, ...]:
    """Steps of the sample's runs that were taken under a dialog."""
    folders = [path for task in _POPUPS for path in (SAMPLE / task).glob("quick__careful__*battery-low*")]
    return tuple(
        known_steps(folder)[number]
        for folder in sorted(folders)
        for item in open_trajectory(folder).interruptions()
        for number in item.steps
    )


def signatures(steps: Steps) -> list[StepSignature]:
    """The steps as they are compared, without their pictures."""
    return [_SCREENS.signature(known.step, known.tree) for known in steps]


def alignment_errors(original: Steps, changed: Steps, truth: Truth) -> list[int]:
    """Of each changed step how many steps off its counterpart is; 1 for a gap that should be none, or is."""
    sides = [signatures(steps) for steps in (original, changed)]
    pictures = [[known.picture for known in steps] for steps in (original, changed)]
    read = with_pictures(sides, lambda side, step: _hash(pictures[side][step]))
    alignment = align_trajectories(read)
    counterparts = {slot[1]: slot[0] for slot in alignment.slots if slot[1] is not None}
    pairs = ((counterparts[step], truth[step]) for step in range(len(changed)))
    return [
        abs(mine - wanted) if mine is not None and wanted is not None else int(mine is not wanted)
        for mine, wanted in pairs
    ]


@cache
def _hash(picture: bytes | None) -> int | None:
    return picture_hash(picture) if picture else None


# -- steps inserted, repeated and left out -------------------------------------------------------
def with_popup(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """One to three steps under a dialog of the system."""
    at, count = dice.randrange(1, len(steps)), dice.randint(1, 3)
    met = [dice.choice(popups()) for _popup in range(count)]
    return [*steps[:at], *met, *steps[at:]], [*range(at), *[None] * count, *range(at, len(steps))]


def looped(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """Up to four steps are done again."""
    at = dice.randrange(1, len(steps) - 1)
    back = dice.randint(1, min(4, at))
    again = list(steps[at - back : at])
    return [*steps[:at], *again, *steps[at:]], [*range(at), *[None] * back, *range(at, len(steps))]


def stuck(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """One step is done five times."""
    at = dice.randrange(1, len(steps) - 1)
    return [*steps[: at + 1], *[steps[at]] * 4, *steps[at + 1 :]], [
        *range(at + 1), *[None] * 4, *range(at + 1, len(steps)),
    ]  # fmt: skip


def left_out(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """One step is missing."""
    at = dice.randrange(len(steps) - 1)
    return [*steps[:at], *steps[at + 1 :]], [*range(at), *range(at + 1, len(steps))]


# -- screens changed -----------------------------------------------------------------------------
def with_other_content(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """Half of the texts are others: of another day, another user."""
    share = random.Random(dice.random())

    def other(match: re.Match[bytes]) -> bytes:
        return match[0] if share.random() < 0.5 else b'%s="%d"' % (match[1], share.randrange(10**6))

    return [_with_tree(known, lambda tree: _VALUE.sub(other, tree)) for known in steps], _same(steps)


def shuffled(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """Texts of a screen stand at each other's places, and the target with its own."""

    def shuffle(known: KnownStep) -> KnownStep:
        if known.tree is None:
            return known
        values = [match[0] for match in _VALUE.finditer(known.tree)]
        order = iter(dice.sample(values, len(values)))
        tree = _VALUE.sub(lambda _match: next(order), known.tree)
        away = dice.randint(-200, 200)
        return _moved(replace(known, tree=tree), lambda x, y: (x, min(1000, max(100, y + away))))

    return [shuffle(known) for known in steps], _same(steps)


def scrolled(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """Lists stand elsewhere: a third of the rows are others, and what is touched is higher or lower."""

    def scroll(known: KnownStep) -> KnownStep:
        def other(match: re.Match[bytes]) -> bytes:
            return match[0] if dice.random() < 0.67 else b'%s="row %d"' % (match[1], dice.randrange(999))

        away = dice.randint(-150, 150)
        moved = _moved(known, lambda x, y: (x, min(1000, max(100, y + away))))
        return _with_tree(moved, lambda tree: _VALUE.sub(other, tree))

    return [scroll(known) for known in steps], _same(steps)


def with_keyboard(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """The keyboard is open on half of the screens."""

    def opened(known: KnownStep) -> KnownStep:
        if dice.random() < 0.5:
            return known
        return _with_tree(known, lambda tree: tree.replace(b"</hierarchy>", _KEYBOARD + b"</hierarchy>"))

    return [opened(known) for known in steps], _same(steps)


def of_other_size(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """A larger phone of another shape."""
    wide, high = dice.uniform(1.2, 3), dice.uniform(1.2, 3)

    def bounds(match: re.Match[bytes]) -> bytes:
        left, top, right, bottom = (int(match[number]) for number in range(1, 5))
        edges = (round(left * wide), round(top * high), round(right * wide), round(bottom * high))
        return b'bounds="[%d,%d][%d,%d]"' % edges

    def larger(known: KnownStep) -> KnownStep:
        moved = _moved(known, lambda x, y: (round(x * wide), round(y * high)))
        size = known.step.state.size
        state = replace(moved.step.state, size=Size(round(size.width * wide), round(size.height * high)))
        moved = replace(
            moved, step=replace(moved.step, state=state), picture=_resized(known.picture, wide, high)
        )
        return _with_tree(moved, lambda tree: _BOUNDS.sub(bounds, tree))

    return [larger(known) for known in steps], _same(steps)


def translated(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """In another language, with a dialog in it."""
    changed, truth = with_popup(steps, dice)
    return [_translated(known) for known in changed], truth


def in_other_words(steps: Steps) -> Steps:
    """In another language, in which the same is typed."""
    translated = map(_translated, steps)
    return [
        replace(other, step=replace(other.step, action=known.step.action))
        for known, other in zip(steps, translated, strict=True)
    ]


# -- files missing -------------------------------------------------------------------------------
def without_trees(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """No trees, as of a run that saw screenshots alone, with a dialog in it."""
    changed, truth = with_popup(steps, dice)
    return [replace(known, tree=None) for known in changed], truth


def with_some_trees(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """Half of the trees are missing: the dump took too long."""
    changed, truth = with_popup(steps, dice)
    return [replace(known, tree=known.tree if dice.random() < 0.5 else None) for known in changed], truth


def without_pictures(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """No pictures, with a dialog in it."""
    changed, truth = with_popup(steps, dice)
    return [replace(known, picture=None) for known in changed], truth


def secure(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """A third of the screens are secure: neither tree nor picture."""
    changed, truth = with_popup(steps, dice)
    return [
        replace(known, tree=None, picture=None) if dice.random() < 0.33 else known for known in changed
    ], truth


# -- harder, and together ------------------------------------------------------------------------
def of_other_build(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """Another build of the app, whose ids are shortened, with a dialog in it."""
    changed, truth = with_popup(steps, dice)

    def build(known: KnownStep) -> KnownStep:
        step = known.step
        if step.target is not None:
            attributes = {**step.target.attributes, "resource-id": ""}
            step = replace(step, target=replace(step.target, attributes=attributes))
        without = _with_tree(known, lambda tree: re.sub(rb'resource-id="[^"]*"', b'resource-id=""', tree))
        return replace(without, step=step)

    return [build(known) for known in changed], truth


def without_targets(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """Touches without targets and up to a finger's width beside, as of an agent, with a dialog in it."""
    changed, truth = with_popup(steps, dice)

    def touched(known: KnownStep) -> KnownStep:
        moved = _moved(known, lambda x, y: (x + dice.randint(-20, 20), y + dice.randint(-20, 20)))
        return replace(moved, step=replace(moved.step, target=None))

    return [touched(known) for known in changed], truth


def with_overlay(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """A dialog over the app whose nodes are dumped with the app's, answered in one or two steps."""
    at, count = dice.randrange(1, len(steps)), dice.randint(1, 2)
    popup = dice.choice([known for known in popups() if known.tree and known.step.target])

    def over(below: KnownStep) -> KnownStep:
        nodes = re.sub(rb"^.*?<hierarchy[^>]*>", b"", popup.tree or b"", flags=re.DOTALL)
        mixed = _with_tree(below, lambda tree: tree.replace(b"</hierarchy>", nodes))
        return replace(mixed, step=replace(popup.step, state=below.step.state))

    met = [over(steps[at]) for _step in range(count)]
    return [*steps[:at], *met, *steps[at:]], [*range(at), *[None] * count, *range(at, len(steps))]


def changed_often(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """Dialogs at two places, and a step left out elsewhere."""
    first, truth = with_popup(steps, dice)
    second, of_first = with_popup(first, dice)
    third, of_second = left_out(second, dice)
    inner = [None if step is None else of_first[step] for step in of_second]
    return third, [None if step is None else truth[step] for step in inner]


def in_the_dark(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """The dark theme, without trees, and a dialog in it."""
    changed, truth = without_trees(steps, dice)
    return [replace(known, picture=_inverted(known.picture)) for known in changed], truth


def everything(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
    """Another language on another phone, other content, the keyboard open, and a dialog."""
    changed, truth = translated(steps, dice)
    for change in (scrolled, with_keyboard, of_other_size):
        changed, _same_steps = change(changed, dice)
    return changed, truth


def pictures_alone(known: KnownStep) -> KnownStep:
    """A step as D-GARA and AITK record it: a picture and an action, no tree, no app, no target."""
    state = replace(known.step.state, package="", activity="")
    return replace(known, tree=None, step=replace(known.step, state=state, target=None))


PLAIN: dict[str, Change] = {
    "dialog inserted": with_popup,
    "step left out": left_out,
    "stuck": stuck,
    "other content": with_other_content,
    "list shuffled": shuffled,
    "list scrolled": scrolled,
    "keyboard open": with_keyboard,
    "other screen size": of_other_size,
    "other language, dialog": translated,
    "pictures missing, dialog": without_pictures,
}
"""Kinds of change that leave no doubt: the alignment is exact."""
HARD: dict[str, Change] = {
    "steps looped": looped,
    "trees missing, dialog": without_trees,
    "some trees missing, dialog": with_some_trees,
    "secure windows, dialog": secure,
    "other build, dialog": of_other_build,
    "no targets, dialog": without_targets,
    "dialog over the app": with_overlay,
    "several changes": changed_often,
    "dark theme without trees, dialog": in_the_dark,
    "everything, dialog": everything,
}
"""Kinds of change that may leave a doubt: the alignment is at most one step off."""


def as_pictures(change: Change) -> Change:
    """Change a trajectory that has pictures and actions alone."""

    def changed(steps: Steps, dice: random.Random) -> tuple[Steps, Truth]:
        altered, truth = change(steps, dice)
        return [pictures_alone(known) for known in altered], truth

    return changed


PICTURES: dict[str, Change] = {
    f"pictures alone: {kind}": as_pictures(change)
    for kind, change in {
        "dialog": with_popup, "looped": looped, "stuck": stuck, "other size": of_other_size,
        "dark theme": in_the_dark, "no targets": without_targets, "several changes": changed_often,
    }.items()
}  # fmt: skip
"""Changes of records that have pictures and actions alone, as D-GARA's and AITK's; at most one step off."""


def errors_of_kind(kind: str, goldens: Sequence[str], seeds: int) -> list[int]:
    """The errors of all steps of trajectories changed in one way, each with so many seeds."""
    errors: list[int] = []
    change = {**PLAIN, **HARD, **PICTURES}[kind]
    for golden in goldens:
        steps: Steps = known_steps(SAMPLE / golden)
        original = [pictures_alone(known) for known in steps] if kind in PICTURES else steps
        for seed in range(seeds):
            errors += alignment_errors(original, *change(steps, random.Random(seed)))
    return errors


def _same(steps: Steps) -> Truth:
    return list(range(len(steps)))


def _with_tree(known: KnownStep, change: Callable[[bytes], bytes]) -> KnownStep:
    return known if known.tree is None else replace(known, tree=change(known.tree))


def _moved(known: KnownStep, move: Callable[[int, int], tuple[int, int]]) -> KnownStep:
    """The step with its touch and its target elsewhere."""
    step = known.step
    names = [pair for pair in (("x", "y"), ("x1", "y1"), ("x2", "y2")) if hasattr(step.action, pair[0])]
    action, target = step.action, step.target
    if action is not None:
        for x, y in names:
            across, down = move(getattr(action, x), getattr(action, y))
            action = replace(action, **{x: across, y: down})
    if target is not None and target.bounds is not None:
        (left, top), (right, bottom) = (
            move(*corner)
            for corner in (
                (target.bounds.left, target.bounds.top),
                (target.bounds.right, target.bounds.bottom),
            )
        )
        target = replace(target, bounds=Rect(left, top, right, bottom))
    return replace(known, step=replace(step, action=action, target=target))


def _inverted(picture: bytes | None) -> bytes | None:
    if picture is None:
        return None
    pixels = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert pixels is not None
    return cv2.imencode(".png", 255 - pixels)[1].tobytes()


def _resized(picture: bytes | None, wide: float, high: float) -> bytes | None:
    if picture is None:
        return None
    pixels = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert pixels is not None
    return cv2.imencode(".png", cv2.resize(pixels, None, fx=wide, fy=high))[1].tobytes()


def _word(text: str) -> str:
    return f"x{sum(map(ord, text)) * 7919 % 99_991}"


def _translated(known: KnownStep) -> KnownStep:
    def other(match: re.Match[bytes]) -> bytes:
        return b'%s="%s"' % (match[1], _word(match[2].decode()).encode())

    step = known.step
    action: Action | None = step.action
    if isinstance(action, Type):
        action = replace(action, text=_word(action.text))
    target = _translated_target(step.target) if step.target is not None else None
    moved = replace(known, step=replace(step, action=action, target=target))
    return _with_tree(moved, lambda tree: _VALUE.sub(other, tree))


def _translated_target(target: Target) -> Target:
    return replace(
        target,
        attributes={
            name: _word(value) if name in ("text", "content-desc") and value else value
            for name, value in target.attributes.items()
        },
    )
