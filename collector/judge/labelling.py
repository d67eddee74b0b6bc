"""Label a trajectory as a person: essential states, comments and submission; each edit can be undone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.selector_ranking import rank_selectors
from collector.hierarchy.selectors import parse_selector
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.judgement import Judgement
from collector.model.task import Task
from collector.model.trajectory import Step, Target
from collector.model.tree import Node, Tree
from collector.store.achieved_states import screens_of
from collector.store.judgements import add_judgements, remove_judgement
from collector.store.labels import Comment, Labels, read_labels, write_labels
from collector.store.reader import StoredTrajectory
from collector.store.review_lock import review_lock

LabelChange = Callable[[Labels], Labels]
_SELECTORS = 5
_ATTRIBUTES = ("class", "resource-id", "text", "content-desc")


@dataclass(frozen=True, slots=True)
class LabelEdit:
    """An edit of a person's labels that was made."""

    folder: Path
    before: Labels
    after: Labels

    def redo(self) -> None:
        """Make the edit again. Raises StoreError."""
        _write_merged(self.folder, self.before, self.after)

    def undo(self) -> None:
        """Take the edit back; what was labelled since stays. Raises StoreError."""
        _write_merged(self.folder, self.after, self.before)


@dataclass(frozen=True, slots=True)
class VerdictEdit:
    """A verdict that was given."""

    folder: Path
    judgement: Judgement

    def redo(self) -> None:
        """Give the verdict again. Raises StoreError."""
        add_judgements(self.folder, [self.judgement])

    def undo(self) -> None:
        """Take the verdict back; the one before it counts again. Raises StoreError."""
        remove_judgement(self.folder, self.judgement)


def edit_labels(folder: Path, who: str, change: LabelChange) -> LabelEdit | None:
    """Change the labels of ``who`` on a trajectory; None when nothing changed. Raises UserError."""
    if not who.strip():
        raise UserError(_("Labels need a name"), _("they are kept under the name of who gave them"))
    with review_lock(folder):
        before = read_labels(folder, who.strip())
        after = change(before)
        if after == before:
            return None
        write_labels(folder, after)
    return LabelEdit(folder, before, after)


def merged(current: Labels, before: Labels, after: Labels) -> Labels:
    """``current`` with the edit from ``before`` to ``after``; labels that the edit left alone stay."""
    states = {*before.labelled, *after.labelled}
    labels = current
    for state in sorted(states):
        if _label(before, state) != _label(after, state):
            labels = labels.without(state)
            mark = next((mark for mark in after.reached if mark.state == state), None)
            if mark is not None:
                labels = replace(labels, reached=(*labels.reached, mark))
            elif state in after.missed:
                labels = labels.with_missed(state)
    if before.comments != after.comments:
        labels = replace(labels, comments=_merged_comments(labels.comments, before.comments, after.comments))
    return replace(labels, submitted=after.submitted) if before.submitted != after.submitted else labels


def toggled(labels: Labels, state: str, step: int, screen: str) -> Labels:
    """Say that a state is reached at a step; the same again takes it back."""
    if labels.step_of(state) == step:
        return labels.without(state)
    return labels.with_reached(state, step, screen)


def toggled_missed(labels: Labels, *states: str) -> Labels:
    """Say that states are not reached; the same of all of them again takes it back."""
    if set(states) <= set(labels.missed):
        return labels.without(*states)
    return labels.with_missed(*states)


def submitted(labels: Labels) -> Labels:
    """The labels as complete from now on."""
    return replace(labels, submitted=now())


def now() -> str:
    """The time as files say it: ISO 8601, UTC."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")


def state_of_task(task: Task | None, wanted: str) -> str:
    """The id of an essential state of a task, given by id or by its number from 1. Raises UserError."""
    states = task.essential_states if task is not None else ()
    if wanted in states:
        return wanted
    if wanted.isdecimal() and 1 <= int(wanted) <= len(states):
        return states[int(wanted) - 1]
    raise UserError(
        _("The task has no essential state {id}", id=wanted),
        "",
        _("Name one of: {known}", known=", ".join(states) or "-"),
    )


def screen_of_step(steps: Sequence[Step], step: int) -> str:
    """The file of the screen of a step. Raises UserError for a step that is not there."""
    if not 0 <= step < len(steps):
        raise UserError(
            _("There is no step {step}", step=step),
            "",
            _("The trajectory has steps from 0 to {last}", last=len(steps) - 1),
        )
    return screens_of(steps)[step]


def pinned_node(tree: Tree, node: Node) -> Target:
    """A node to pin a comment to, with the selectors that find it again."""
    ranked = [selector.text for selector in rank_selectors(tree, node)]
    selectors = [text for text in ranked if not text.startswith("/hierarchy")]  # the path says the same
    attributes = {name: node.attributes[name] for name in _ATTRIBUTES if node.attributes.get(name)}
    return Target(node.path, node.bounds, tuple(selectors[:_SELECTORS]), attributes)


def find_pinned(tree: Tree, target: Target) -> Node | None:
    """The node of a comment in a tree: by its path if that is still the same node, else by its selectors."""
    at_path = tree.at_path(target.path)
    if at_path is not None and all(
        at_path.attributes.get(name) == value for name, value in target.attributes.items()
    ):
        return at_path
    for text in target.selectors[:_SELECTORS]:
        try:
            matches = parse_selector(text).find(tree)
        except SelectorError:
            continue
        if len(matches) == 1:
            return matches[0]
    return at_path if not target.attributes else None


def new_comment(stored: StoredTrajectory, text: str, step: int | None = None, selector: str = "") -> Comment:
    """A comment on a trajectory, a step, or the node of a step that a selector names. Raises UserError."""
    if not text.strip():
        raise UserError(_("The comment is empty"))
    if step is None:
        if selector:
            raise UserError(_("A comment on a node needs the step that shows it"))
        return Comment(text.strip(), time=now())
    screen = screen_of_step(stored.steps, step)
    node = _node(stored, stored.steps[step], selector) if selector else None
    return Comment(text.strip(), step, screen, node, now())


def _node(stored: StoredTrajectory, step: Step, selector: str) -> Target:
    data = stored.tree(step)
    if not data:
        raise UserError(_("Step {step} has no tree to find a node in", step=step.index))
    tree = parse_tree(data)
    matches = parse_selector(selector).find(tree)
    if not matches:
        raise UserError(_("No node of step {step} matches {selector}", step=step.index, selector=selector))
    return pinned_node(tree, matches[0])


def _write_merged(folder: Path, before: Labels, after: Labels) -> None:
    with review_lock(folder):
        write_labels(folder, merged(read_labels(folder, after.who), before, after))


def _label(labels: Labels, state: str) -> object:
    mark = next((mark for mark in labels.reached if mark.state == state), None)
    return mark if mark is not None else state in labels.missed


def _merged_comments(
    current: tuple[Comment, ...], before: tuple[Comment, ...], after: tuple[Comment, ...]
) -> tuple[Comment, ...]:
    removed = [comment for comment in before if comment not in after]
    added = [comment for comment in after if comment not in before]
    comments = list(current)
    for gone in removed:
        if gone not in comments:
            continue
        place = comments.index(gone)
        comments[place : place + 1] = [added.pop(0)] if len(removed) == 1 and len(added) == 1 else []
    if len(after) > len(before) and added:  # a deleted comment comes back where it was
        place = min(after.index(added[0]), len(comments))
        return (*comments[:place], *added, *comments[place:])
    return (*comments, *added)
