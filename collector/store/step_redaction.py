"""Redact a stored step for good: black out its screenshot, mask its tree, drop what was typed and said.

New files replace the old ones and the digests follow. The journal of edits, the files that only the journal
refers to and the originals of an import are deleted, because they hold what is to be hidden. The texts that
are hidden in the step are masked wherever the trajectory repeats them: in thoughts, events, judgements,
annotations and the outcome.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.action import Action, Answer, Invalid, Type, action_to_dict
from collector.model.geometry import Rect, Size
from collector.model.i18n import ngettext
from collector.model.message import _
from collector.model.trajectory import State, Step
from collector.model.tree import Node
from collector.pictures.decoding import rgb_pixels
from collector.pictures.errors import PictureError
from collector.store.codec import Line
from collector.store.errors import Damaged
from collector.store.reader import open_trajectory
from collector.store.redaction import TEXT_ATTRIBUTES, blacked_out, mask_dump, touches
from collector.store.secret_text import SecretTexts, without_texts
from collector.store.words_redaction import redact_words
from collector.store.writer import TrajectoryWriter

_NO_WORDS = (
    "state", "action", "target", "wall_time", "kind", "transition", "injection", "anomaly", "native",
)  # fmt: skip
"""Keys of step and event lines that hold names and places, and no words about a step."""


def redact_step(folder: Path, index: int, regions: Sequence[Rect] = (), *, passwords: bool = True) -> Step:
    """Black out ``regions`` (device pixels) of a step's screenshot and mask the text of nodes in them.

    With ``passwords`` password fields are hidden too. Text that was typed or answered in the step, and what
    an agent said in it, is dropped. Edits made before can no longer be undone. A tree that cannot be masked
    safely, or a screenshot that cannot be decoded, is removed whole. Raises Damaged when there is no such
    step or a file of it is missing.
    """
    stored = open_trajectory(folder)
    if not 0 <= index < len(stored.steps):
        raise Damaged(
            _("There is no step {index}", index=index),
            ngettext("it has {count} step, from 0", "it has {count} steps, from 0", len(stored.steps)),
            _("`waymark trajectory show` lists them"),
        )
    step = stored.steps[index]
    dump, screenshot = stored.tree(step), stored.blob(step.state.screenshot)
    hidden, secrets = list(regions), SecretTexts(_texts_of(step.action))
    if dump is not None:
        private = _private_nodes(dump, regions, passwords=passwords)
        hidden += [node.bounds for node in private if node.password and node.bounds is not None]
        for node in private:
            secrets.add(*(node.get(name) for name in TEXT_ATTRIBUTES), whole=not node.password)
        dump = mask_dump(dump, regions, passwords=passwords, strict=True)
    if screenshot is not None and hidden:
        screenshot = _black_out(screenshot, hidden, step.state.size)
    with TrajectoryWriter.open(folder, redacts=True) as writer:
        # The step comes last: killed before, this can be done again, because the secrets are still there.
        redact_words(folder, index, secrets)
        _mask_header(writer, secrets)
        redacted = _without_texts(step, _removal(step.state, screenshot, dump))
        return writer.replace_for_good(
            index, redacted, screenshot, dump, lambda line: _masked_line(line, secrets)
        )


def _masked_line(line: Line, secrets: SecretTexts) -> Line:
    """The line of a step or an event with secrets masked in what was said and written about it."""
    masked = {key: value if key in _NO_WORDS else secrets.masked(value) for key, value in line.items()}
    turn = line.get("agent")
    predicted = turn.get("predicted") if isinstance(turn, dict) else None
    if isinstance(predicted, dict) and predicted.get("kind") == Type.kind and masked["agent"] != turn:
        masked["agent"]["predicted"] = action_to_dict(Type(redacted=True))
    return masked


def _mask_header(writer: TrajectoryWriter, secrets: SecretTexts) -> None:
    """Mask secrets in the outcome and the notes of the header."""
    header = writer.header
    outcome = secrets.masked_outcome(header.outcome) if header.outcome is not None else None
    note, extra = secrets.masked(header.note), secrets.masked(header.extra)
    if (outcome, note, extra) != (header.outcome, header.note, header.extra):
        writer.update_header(outcome=outcome, note=note, extra=extra)


def _texts_of(action: Action | None) -> tuple[str, ...]:
    """The texts of an action that a redaction drops."""
    if isinstance(action, Type | Answer):
        return (action.text,)
    return (action.raw, action.reason) if isinstance(action, Invalid) else ()


def _removal(state: State, screenshot: bytes | None, dump: bytes | None) -> str:
    """What of a state was removed, in a sentence; empty when nothing was."""
    without_picture, without_tree = state.screenshot and not screenshot, state.tree and dump is None
    if without_picture and without_tree:
        return _("The screenshot and the tree were removed because they could not be redacted")
    if without_picture:
        return _("The screenshot was removed because it could not be redacted")
    return _("The tree was removed because it could not be redacted") if without_tree else ""


def _without_texts(step: Step, problem: str) -> Step:
    action = step.action
    if isinstance(action, Type):
        action = Type(redacted=True)
    elif isinstance(action, Answer):
        action = Answer("")
    elif isinstance(action, Invalid):
        action = Invalid(problem=action.problem)
    target = step.target and dataclasses.replace(step.target, selectors=(), attributes={})
    state = dataclasses.replace(step.state, problem=problem or step.state.problem)
    # Further keys may repeat the text, as an import does with the action of its source.
    return dataclasses.replace(
        step,
        state=state,
        action=action,
        target=target,
        description=_("Redacted"),
        redacted=True,
        agent=without_texts(step.agent),
        extra={},
    )


def _private_nodes(dump: bytes, regions: Sequence[Rect], *, passwords: bool) -> list[Node]:
    """The nodes whose texts are hidden: in ``regions``, and with ``passwords`` password fields."""
    try:
        tree = parse_tree(dump)
    except HierarchyError:
        return []
    return [node for node in tree if (passwords and node.password) or touches(node.bounds, regions)]


def _black_out(data: bytes, regions: Sequence[Rect], screen: Size) -> bytes | None:
    """The screenshot as PNG with ``regions``, in pixels of ``screen``, black; None when none can be made."""
    try:
        rgb = rgb_pixels(data)
    except PictureError:
        return None
    scale = Size(rgb.shape[1], rgb.shape[0]) if screen.is_empty else screen
    png = io.BytesIO()
    Image.fromarray(blacked_out(rgb, regions, scale)).save(png, "PNG")
    return png.getvalue()
