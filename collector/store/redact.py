"""Taking what must not be there out of a stored step, for good: pixels, texts of the tree, typed text.

New files take the place of the old, digests follow, and the journal of edits, all files
that only it refers to and the originals of an import are deleted, for they hold what was taken out.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence
from pathlib import Path

from lxml import etree
from PIL import Image, ImageDraw

from collector.model.action import Answer, Type
from collector.model.geometry import Rect
from collector.model.i18n import _, ngettext
from collector.model.trajectory import Step
from collector.store.errors import Damaged
from collector.store.reader import open_trajectory
from collector.store.writer import TrajectoryWriter

HIDDEN = "•"
_TEXTS = ("text", "content-desc", "hint", "tooltip")
MAX_PIXELS = 50_000_000


def redact(folder: Path, index: int, regions: Sequence[Rect] = (), *, passwords: bool = True) -> Step:
    """Black out ``regions`` (device pixels) of a step's screenshot and hide the words of nodes in them.

    With ``passwords`` fields marked as such are hidden too. Typed text and answers of the step go. Edits
    made before cannot be undone afterwards. A tree that cannot be read strictly is removed whole.
    """
    stored = open_trajectory(folder)
    if not 0 <= index < len(stored.steps):
        raise Damaged(
            _("There is no step {index}", index=index),
            ngettext("it has {count} step, from 0", "it has {count} steps, from 0", len(stored.steps)),
            _("`waymark trajectory show` lists them"),
        )
    step = stored.steps[index]
    tree = stored.tree(step)
    hidden = list(regions)
    if tree is not None:
        tree, fields = _hide_words(tree, hidden, passwords=passwords)
        hidden += fields
    screenshot = stored.screenshot(step)
    if screenshot is not None and hidden:
        screenshot = _blacken(screenshot, hidden)
    with TrajectoryWriter.open(folder) as writer:
        return writer.replace_for_good(index, _without_words(step, dropped=tree is None), screenshot, tree)


def _without_words(step: Step, *, dropped: bool) -> Step:
    action = step.action
    if isinstance(action, Type):
        action = Type("", action.length, redacted=True)
    elif isinstance(action, Answer):
        action = Answer("")
    target = step.target and dataclasses.replace(step.target, selectors=(), attributes={})
    state = step.state
    if dropped and state.tree:
        state = dataclasses.replace(state, problem=_("The tree was removed because it could not be redacted"))
    # What else is noted, as an import does with the source's own action, may say the same words again.
    return dataclasses.replace(
        step, state=state, action=action, target=target, description=_("Redacted"), redacted=True, extra={}
    )


def _hide_words(data: bytes, regions: Sequence[Rect], *, passwords: bool) -> tuple[bytes | None, list[Rect]]:
    """The dump with the words of nodes in ``regions`` hidden, and the boxes of hidden password fields."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None, []
    fields = []
    for node in root.iter():
        box = _box(node.get("bounds"))
        is_field = passwords and node.get("password") == "true"
        if is_field and box:
            fields.append(box)
        if is_field or (box and any(box.intersection(region) for region in regions)):
            for name in _TEXTS:
                if node.get(name):
                    node.set(name, HIDDEN * len(node.get(name)))
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True), fields


def _box(bounds: str | None) -> Rect | None:
    try:
        return Rect.parse(bounds or "")
    except ValueError:
        return None


def _blacken(data: bytes, regions: Sequence[Rect]) -> bytes:
    try:
        with Image.open(io.BytesIO(data)) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                raise Damaged(_("The screenshot has too many pixels to be redacted"))
            clean = picture.convert("RGB")
    except (OSError, ValueError) as error:
        raise Damaged(_("The screenshot cannot be redacted"), str(error)) from None
    draw = ImageDraw.Draw(clean)
    for region in regions:
        draw.rectangle((region.left, region.top, region.right - 1, region.bottom - 1), fill=(0, 0, 0))
    written = io.BytesIO()
    clean.save(written, "PNG")
    return written.getvalue()
