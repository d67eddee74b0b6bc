"""Redact a stored step for good: black out its screenshot, mask its tree, drop what was typed.

New files replace the old ones and the digests follow. The journal of edits, the files that only the journal
refers to and the originals of an import are deleted, because they hold what is to be hidden.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.action import Answer, Invalid, Type
from collector.model.geometry import Rect, Size
from collector.model.i18n import ngettext
from collector.model.message import _
from collector.model.trajectory import Step
from collector.store.errors import Damaged
from collector.store.reader import open_trajectory
from collector.store.redaction import blacked_out, mask_dump, password_regions
from collector.store.writer import TrajectoryWriter

MAX_PIXELS = 50_000_000


def redact_step(folder: Path, index: int, regions: Sequence[Rect] = (), *, passwords: bool = True) -> Step:
    """Black out ``regions`` (device pixels) of a step's screenshot and mask the text of nodes in them.

    With ``passwords`` password fields are hidden too. Text that was typed or answered in the step is dropped.
    Edits made before can no longer be undone. A tree that cannot be masked safely is removed whole. Raises
    Damaged when there is no such step or its screenshot cannot be read.
    """
    stored = open_trajectory(folder)
    if not 0 <= index < len(stored.steps):
        raise Damaged(
            _("There is no step {index}", index=index),
            ngettext("it has {count} step, from 0", "it has {count} steps, from 0", len(stored.steps)),
            _("`waymark trajectory show` lists them"),
        )
    step = stored.steps[index]
    dump, screenshot = stored.tree(step), stored.screenshot(step)
    hidden = list(regions)
    if dump is not None:
        if passwords:
            hidden += _password_fields(dump)
        dump = mask_dump(dump, regions, passwords=passwords, strict=True)
    if screenshot is not None and hidden:
        screenshot = _black_out(screenshot, hidden, step.state.size)
    with TrajectoryWriter.open(folder, redacts=True) as writer:
        return writer.replace_for_good(
            index, _without_texts(step, tree_removed=dump is None), screenshot, dump
        )


def _without_texts(step: Step, *, tree_removed: bool) -> Step:
    action = step.action
    if isinstance(action, Type):
        action = Type(redacted=True)
    elif isinstance(action, Answer):
        action = Answer("")
    elif isinstance(action, Invalid):
        action = Invalid(problem=action.problem)
    target = step.target and dataclasses.replace(step.target, selectors=(), attributes={})
    state = step.state
    if tree_removed and state.tree:
        state = dataclasses.replace(state, problem=_("The tree was removed because it could not be redacted"))
    # Further keys may repeat the text, as an import does with the action of its source.
    return dataclasses.replace(
        step,
        state=state,
        action=action,
        target=target,
        description=_("Redacted"),
        redacted=True,
        agent=None,
        extra={},
    )


def _password_fields(dump: bytes) -> list[Rect]:
    try:
        return password_regions(parse_tree(dump))
    except HierarchyError:
        return []


def _black_out(data: bytes, regions: Sequence[Rect], screen: Size) -> bytes:
    """The screenshot as PNG with ``regions``, given in pixels of ``screen``, black."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            if image.width * image.height > MAX_PIXELS:
                raise Damaged(_("The screenshot has too many pixels to be redacted"))
            rgb = np.asarray(image.convert("RGB"))
    except (OSError, ValueError) as error:
        raise Damaged(_("The screenshot cannot be redacted"), str(error)) from None
    scale = Size(rgb.shape[1], rgb.shape[0]) if screen.is_empty else screen
    png = io.BytesIO()
    Image.fromarray(blacked_out(rgb, regions, scale)).save(png, "PNG")
    return png.getvalue()
