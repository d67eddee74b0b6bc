"""Redact a stored step for good: black out its screenshot, mask its tree, drop what was typed and said.

New files replace the old ones and the digests follow. Other steps that show the same are redacted with it:
those that have the same screenshot or tree, and those whose tree shows a text that is hidden in the step.
The journal of edits, the files that only the journal refers to and the originals of an import are deleted:
they hold what is to be hidden. The hidden texts are masked wherever the trajectory repeats them: in
actions, thoughts, events, judgements, annotations and the outcome.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path

from collector.hierarchy.password_fields import is_placeholder
from collector.model.action import Action, Answer, Invalid, Type
from collector.model.geometry import Rect
from collector.model.i18n import ngettext
from collector.model.message import _
from collector.model.trajectory import Step
from collector.store.catalogue.cache_purge import purge_caches
from collector.store.files import blobs
from collector.store.files.errors import Damaged
from collector.store.redaction.annotation_redaction import redact_annotations
from collector.store.redaction.line_masking import mask_first_app_data, mask_header, masked_line
from collector.store.redaction.screens import TEXT_ATTRIBUTES
from collector.store.redaction.secret_text import SecretTexts, without_texts
from collector.store.redaction.state_redaction import HiddenParts, black_out
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from collector.store.trajectory.step_lines import StepWithFiles
from collector.store.trajectory.writer import TrajectoryWriter


class StepRedaction:
    """Blacks out regions (device pixels) of a step's screenshot and masks the text of nodes in them.

    With ``passwords`` password fields are hidden too. Text that was typed or answered in the step, and what
    an agent said in it, is dropped. Edits made before can no longer be undone. A tree that cannot be masked
    safely, or a screenshot that cannot be decoded, is removed whole.
    """

    def __init__(
        self, folder: Path, index: int, regions: Sequence[Rect] = (), *, passwords: bool = True
    ) -> None:
        """Read the trajectory. Raises Damaged when there is no such step, or a file of it cannot be read."""
        self._stored = open_trajectory(folder)
        self._index = index
        self._step = _step_at(self._stored, index)
        dump = self._stored.tree(self._step)
        self._secrets, typed = (SecretTexts(_texts_of(self._step.action)) for _set in range(2))
        for node in HiddenParts(tuple(regions), passwords).nodes(dump):
            if not node.password:
                self._secrets.add(*(node.get(name) for name in TEXT_ATTRIBUTES), whole=True)
            elif not is_placeholder(node):
                self._secrets.add(node.text)
                typed.add(node.text)
        self._parts = HiddenParts(tuple(regions), passwords, typed.finds)
        self._places = tuple(self._parts.places(dump))
        self._keys = _file_keys(self._stored, self._step)

    @property
    def others(self) -> tuple[int, ...]:
        """The other steps that show what is hidden in the step, and are redacted with it."""
        return tuple(index for index, _new in self._changed_others())

    def apply(self) -> tuple[Step, ...]:
        """Redact the step and the others. Returns all steps of the trajectory as stored.

        The caches of its project forget the trajectory. Raises WriteFailed when everything is redacted and
        another program keeps a cache.
        """
        changed = {self._index: self._redacted_step(), **dict(self._changed_others())}
        folder, secrets = self._stored.folder, self._secrets
        with TrajectoryWriter.open(folder, redacts=True) as writer:
            # The steps come last: killed before, this can be done again, because the secrets are still there.
            redact_annotations(folder, secrets, self._same_screens())
            mask_header(writer, secrets)
            mask_first_app_data(writer, secrets)
            steps = writer.replace_for_good(changed, lambda line: masked_line(line, secrets))
        purge_caches(folder)
        return steps

    def _same_screens(self) -> list[int]:
        """The steps whose screen is this one, by its tree."""
        stored, tree_key = self._stored, self._keys[1]
        others = (step.index for step in stored.steps if tree_key and _file_keys(stored, step)[1] == tree_key)
        return [self._index, *others]

    def _redacted_step(self) -> StepWithFiles:
        step, stored = self._step, self._stored
        dump, screenshot = self._parts.masked(stored.tree(step)), stored.blob(step.state.screenshot)
        if screenshot is not None and self._places:
            screenshot = black_out(screenshot, self._places, step.state.size)
        return StepWithFiles(_without_texts(with_removal(step, screenshot, dump)), screenshot, dump)

    def _changed_others(self) -> Iterator[tuple[int, StepWithFiles]]:
        for index, step in enumerate(self._stored.steps):
            new = self._changed_other(step) if index != self._index else None
            if new is not None:
                yield index, new

    def _changed_other(self, step: Step) -> StepWithFiles | None:
        """A step without what it shows of the hidden; None when it shows nothing of it."""
        stored = self._stored
        dump, screenshot = stored.tree(step), stored.blob(step.state.screenshot)
        picture_key, tree_key = _file_keys(stored, step)
        is_same_picture = bool(picture_key) and picture_key == self._keys[0]
        is_same_tree = bool(tree_key) and tree_key == self._keys[1]
        parts = self._parts if is_same_tree else HiddenParts((), False, self._secrets.finds)
        places = [*parts.places(dump), *(self._places if is_same_picture else ())]
        if not (places or is_same_tree or parts.nodes(dump)):
            return None
        masked = parts.masked(dump)
        if screenshot is not None and places:
            screenshot = black_out(screenshot, places, step.state.size)
        redacted = dataclasses.replace(with_removal(step, screenshot, masked), redacted=True)
        return StepWithFiles(redacted, screenshot, masked)


def _step_at(stored: StoredTrajectory, index: int) -> Step:
    if not 0 <= index < len(stored.steps):
        raise Damaged(
            _("There is no step {index}", index=index + 1),
            ngettext("it has {count} step, from 1", "it has {count} steps, from 1", len(stored.steps)),
            _("`waymark trajectory show` lists them"),
        )
    return stored.steps[index]


def _file_keys(stored: StoredTrajectory, step: Step) -> tuple[str, str]:
    """What is equal for equal screenshots, and for equal trees; empty without one."""
    files = stored.blob(step.state.screenshot), stored.tree(step)
    return tuple(blobs.digest(data) if data else "" for data in files)  # type: ignore[return-value]


def _texts_of(action: Action | None) -> tuple[str, ...]:
    """The texts of an action that a redaction drops."""
    if isinstance(action, Type | Answer):
        return (action.text,)
    return (action.raw, action.reason) if isinstance(action, Invalid) else ()


def _without_texts(step: Step) -> Step:
    action = step.action
    if isinstance(action, Type):
        action = Type(redacted=True)
    elif isinstance(action, Answer):
        action = Answer("")
    elif isinstance(action, Invalid):
        action = Invalid(problem=action.problem)
    target = step.target and dataclasses.replace(step.target, selectors=(), attributes={})
    # Further keys may repeat the text, as an import does with the action of its source.
    return dataclasses.replace(
        step,
        state=dataclasses.replace(step.state, app_data=None),
        action=action,
        target=target,
        description=_("Redacted"),
        redacted=True,
        agent=without_texts(step.agent),
        extra={},
    )


def with_removal(step: Step, screenshot: bytes | None, dump: bytes | None) -> Step:
    """The step, which says what of its state was removed."""
    state = step.state
    without_picture, without_tree = state.screenshot and not screenshot, state.tree and dump is None
    if without_picture and without_tree:
        problem = _("The screenshot and the tree were removed because they could not be redacted")
    elif without_picture:
        problem = _("The screenshot was removed because it could not be redacted")
    elif without_tree:
        problem = _("The tree was removed because it could not be redacted")
    else:
        return step
    return dataclasses.replace(step, state=dataclasses.replace(state, problem=problem))
