"""What was touched in a trajectory, and what became other behind it: facts by which runs and goldens compare.

Read from the lines of its steps while the catalogue reads them anyway, for goldens and runs alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import pairwise
from typing import Any

from collector.model.action import NOT_ON_PHONE
from collector.model.episode import is_by_agent

_NOT_ON_PHONE = frozenset(action.kind for action in NOT_ON_PHONE)
_AIMED = frozenset(("tap", "double_tap", "long_press", "type"))
"""Kinds of actions that are aimed at a node."""
_FOLLOWED = "followed"
"""Key of an agent's turn: the recording that its action repeats."""
_LONGEST_ANSWER, _LONGEST_NAME, _MOST = 500, 80, 200
_INPUT = "EditText"
BETWEEN = "\t"
"""Between role, label and id of a node."""


@dataclass(frozen=True, slots=True)
class Touches:
    """What the catalogue keeps of one trajectory: of its own steps, not of copies or of a person's help."""

    nodes: tuple[str, ...] = ()
    """The nodes that were touched or typed into, each once; see :func:`node_text`."""
    unseen: int = 0
    """Touches on screens without a tree: nobody knows which nodes they met."""
    packages: tuple[str, ...] = ()
    """The apps in which something was done."""
    answer: str = ""
    """The last answer, or why it was said to be impossible; shortened."""
    followed: str = ""
    """Id of the recording that was repeated; empty for none."""
    appeared: tuple[str, ...] = ()
    """Ids of the anomalies that really appeared."""
    behind: tuple[str, ...] = ()
    """Collections of app data that changed while another app was in front, or nothing was done on the phone,
    as ``collection@step``, steps from 0."""

    @property
    def text(self) -> str:
        """As the catalogue keeps it."""
        return json.dumps(astuple(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> Touches:
        """Read :attr:`text`."""
        nodes, unseen, packages, answer, followed, appeared, behind = json.loads(text)
        return cls(tuple(nodes), unseen, tuple(packages), answer, followed, tuple(appeared), tuple(behind))


def node_text(attributes: Mapping[str, str]) -> str:
    """What makes two nodes the same: role, label and id, with tabs between them.

    Of a field, whose text changes, and of a node without a label the id is its label too.
    """
    role = str(attributes.get("class") or "").rpartition(".")[2]
    label = str(attributes.get("content-desc") or attributes.get("text") or "").strip()
    own_id = str(attributes.get("resource-id") or "")
    name = own_id or label if role.endswith(_INPUT) else label or own_id
    return BETWEEN.join((role, " ".join(name.split())[:_LONGEST_NAME], own_id))


def touches_of(lines: Iterable[Mapping[str, Any]]) -> Touches:
    """The touches of the steps of a trajectory, given as the lines that a file has; no anomaly is known."""
    steps = list(lines)
    nodes, packages = dict[str, None](), dict[str, None]()
    unseen, answer, followed = 0, "", ""
    for line in steps:
        action = line.get("action")
        if not action or not is_by_agent(line):
            continue
        kind, turn = action.get("kind"), line.get("agent") or {}
        followed = str(turn.get(_FOLLOWED) or followed)
        if kind in ("answer", "impossible"):
            answer = str(action.get("text") or action.get("reason") or "")
        if kind in _NOT_ON_PHONE:
            continue
        packages.setdefault(str(line["state"].get("package") or ""))
        target = line.get("target")
        if target and (attributes := target.get("attributes")):
            nodes.setdefault(node_text(attributes))
        elif kind in _AIMED and not line["state"].get("tree"):
            unseen += 1
    return Touches(
        tuple(nodes)[:_MOST], unseen, tuple(filter(None, packages))[:_MOST], answer[:_LONGEST_ANSWER],
        followed, behind=tuple(_changes_behind(steps))[:_MOST],
    )  # fmt: skip


def _changes_behind(steps: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    """Collections that differ from one state to the next though no action in their app can have done it."""
    for before, after in pairwise(steps):
        known, now = before["state"].get("app_data"), after["state"].get("app_data")
        if not isinstance(known, Mapping) or not isinstance(now, Mapping) or known == now:
            continue
        kind = (before.get("action") or {}).get("kind")
        front = set() if kind is None or kind in _NOT_ON_PHONE else {_app(before), _app(after)}
        for name in sorted({*known, *now}):
            if known.get(name) != now.get(name) and name.partition(".")[0] not in front:
                yield f"{name}@{before.get('index', 0)}"


def _app(line: Mapping[str, Any]) -> str:
    """Short name of the app in front, as collections have it."""
    return str(line["state"].get("package") or "").rpartition(".")[2]
