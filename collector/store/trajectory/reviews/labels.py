"""Labels of a person on a trajectory: essential states reached or missed, comments, when submitted.

They are kept in that person's annotation file, beside keys of other programs, which stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from collector.model.trajectory import Target
from collector.store.files import layout
from collector.store.files.disk import Disk
from collector.store.files.errors import StoreError
from collector.store.files.readable_path import ReadablePath
from collector.store.trajectory import codec
from collector.store.trajectory.achieved_states import (
    ACHIEVED_STATES,
    MISSED_STATES,
    AchievedState,
    mark_values,
    marks_of,
    move_with_screen,
    screens_of,
    with_state_ids,
)
from collector.store.trajectory.reader import read_annotations as read_all_annotations
from collector.store.trajectory.reader import read_trajectory
from collector.store.trajectory.reviews.annotations import read_annotations, write_annotations

COMMENTS = "comments"
SUBMITTED = "submitted"


@dataclass(frozen=True, slots=True)
class Comment:
    """A remark on a trajectory, on a step of it, or on a node of a step's screen."""

    text: str
    step: int | None = None
    """Counted from 0; None for the whole trajectory, and when its step was deleted."""
    screen: str = ""
    """File of the screen, with which the comment moves when steps before it are inserted or deleted."""
    node: Target | None = None
    """The node, by path and selectors, so that it can be drawn again."""
    time: str = ""
    """ISO 8601, UTC."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What ``who`` says of one trajectory. A state is reached, missed, or not labelled."""

    who: str
    reached: tuple[AchievedState, ...] = ()
    missed: tuple[str, ...] = ()
    """Ids of states that were not reached."""
    comments: tuple[Comment, ...] = ()
    submitted: str = ""
    """When the person said that the labels are complete, ISO 8601, UTC; empty before."""

    @property
    def is_empty(self) -> bool:
        return not (self.reached or self.missed or self.comments or self.submitted)

    @property
    def labelled(self) -> frozenset[str]:
        """The ids of the states that have a label."""
        return frozenset((*(mark.state for mark in self.reached if mark.state), *self.missed))

    def step_of(self, state: str) -> int | None:
        """The step that reaches a state, counted from 0; None when it has no such label."""
        return next((mark.step for mark in self.reached if mark.state == state and mark.has_step), None)

    # -- changes: each returns new labels ------------------------------------------
    def with_reached(self, state: str, step: int, screen: str = "") -> Labels:
        """Say that a state is reached on the screen of a step."""
        plain = self.without(state)
        return replace(plain, reached=(*plain.reached, AchievedState(step, state, screen)))

    def with_missed(self, *states: str) -> Labels:
        """Say that states are not reached."""
        plain = self.without(*states)
        return replace(plain, missed=(*plain.missed, *states))

    def toggled(self, state: str, step: int, screen: str) -> Labels:
        """Say that a state is reached at a step; take that back if it is said already."""
        is_said = self.step_of(state) == step
        return self.without(state) if is_said else self.with_reached(state, step, screen)

    def toggled_missed(self, *states: str) -> Labels:
        """Say that states are not reached; take that back if it is said of all of them already."""
        return self.without(*states) if set(states) <= set(self.missed) else self.with_missed(*states)

    def without(self, *states: str) -> Labels:
        """Take the labels of states back."""
        return replace(
            self,
            reached=tuple(mark for mark in self.reached if mark.state not in states),
            missed=tuple(state for state in self.missed if state not in states),
        )

    def with_comment(self, comment: Comment, place: int | None = None) -> Labels:
        """Add a comment, or replace the one at a place of the list."""
        comments = list(self.comments)
        if place is None:
            comments.append(comment)
        else:
            comments[place] = comment
        return replace(self, comments=tuple(comments))

    def without_comment(self, place: int) -> Labels:
        """Delete a comment."""
        return replace(self, comments=self.comments[:place] + self.comments[place + 1 :])


def labels_of(who: str, annotations: Mapping[str, Any]) -> Labels:
    """The labels in loaded annotations; damaged entries are left out."""
    missed, comments = annotations.get(MISSED_STATES), annotations.get(COMMENTS)
    reached = tuple(mark for mark in marks_of(annotations) if mark.state or mark.sentence)
    known = {mark.state for mark in reached}
    ids = [item for item in (missed if isinstance(missed, list) else ()) if isinstance(item, str) and item]
    read = map(_comment, comments if isinstance(comments, list) else ())
    return Labels(
        who,
        reached,
        tuple(dict.fromkeys(state for state in ids if state not in known)),
        tuple(comment for comment in read if comment is not None),
        str(annotations.get(SUBMITTED) or ""),
    )


def read_labels(folder: Path, who: str) -> Labels:
    """The labels of ``who`` on the trajectory in ``folder``, empty without any. Raises StoreError."""
    return labels_of(who, read_annotations(folder, who) or {})


def read_all_labels(folder: ReadablePath, names: Mapping[str, str] | None = None) -> dict[str, Labels]:
    """The labels of all people on the trajectory in ``folder``; a file that cannot be read is left out.

    Of a trajectory whose steps were edited, marks and comments are where their screens are now. ``names`` are
    those of :func:`.achieved_states.state_names`: old files say the sentence of a state.
    """
    return labels_in(read_all_annotations(folder), folder, names)


def labels_in(
    documents: Mapping[str, Mapping[str, Any]], folder: ReadablePath, names: Mapping[str, str] | None = None
) -> dict[str, Labels]:
    """The labels in annotations that are read already, by the names of their files."""
    found = {}
    for stem, document in documents.items():
        who = str(document.get("who") or stem)
        labels = labels_of(who, document)
        if names:
            labels = replace(labels, reached=with_state_ids(labels.reached, names))
        if not labels.is_empty:
            found[who] = labels
    if found and (folder / layout.EDITS).exists():
        try:
            screens = screens_of(read_trajectory(folder).steps)
        except StoreError:
            return found
        return {who: placed(labels, screens) for who, labels in found.items()}
    return found


def replace_values(folder: Path, who: str, values: Mapping[str, Any], disk: Disk | None = None) -> None:
    """Replace some keys of a person's annotations; an empty value deletes its key, other keys stay."""
    annotations = dict(read_annotations(folder, who) or {})
    kept = {key: value for key, value in annotations.items() if key not in values}
    given = {key: value for key, value in values.items() if value or key == ACHIEVED_STATES}
    write_annotations(folder, who, {**kept, **given}, disk)


def labels_values(labels: Labels) -> dict[str, Any]:
    """The keys of labels in a file of annotations."""
    return {
        ACHIEVED_STATES: [mark_values(mark) for mark in labels.reached],
        MISSED_STATES: list(labels.missed),
        COMMENTS: list(map(_comment_values, labels.comments)),
        SUBMITTED: labels.submitted,
    }


def placed(labels: Labels, screens: Sequence[str]) -> Labels:
    """The labels at the steps whose screens are ``screens``; a mark whose screen is gone has no step."""
    return replace(
        labels,
        reached=tuple(move_with_screen(mark, screens, ()) for mark in labels.reached),
        comments=tuple(_placed(comment, screens) for comment in labels.comments),
    )


def _placed(comment: Comment, screens: Sequence[str]) -> Comment:
    if comment.step is None or not comment.screen:
        return comment
    moved = move_with_screen(AchievedState(comment.step, "", comment.screen), screens, ())
    return replace(comment, step=moved.step if moved.has_step else None)


def _comment(values: object) -> Comment | None:
    if not isinstance(values, dict) or not str(values.get("text") or "").strip():
        return None
    step, node = values.get("step"), values.get("node")
    try:
        target = codec.target_from_dict(node) if node else None
    except (ValueError, TypeError, AttributeError):
        target = None
    is_step = isinstance(step, int) and not isinstance(step, bool) and step >= 0
    texts = [str(values.get(key) or "") for key in ("screen", "time")]
    return Comment(str(values["text"]), step if is_step else None, texts[0], target, texts[1])


def _comment_values(comment: Comment) -> dict[str, Any]:
    values = {
        "text": comment.text,
        "step": comment.step,
        "screen": comment.screen,
        "node": codec.target_to_dict(comment.node) if comment.node is not None else None,
        "time": comment.time,
    }
    return {key: value for key, value in values.items() if value not in (None, "")}
