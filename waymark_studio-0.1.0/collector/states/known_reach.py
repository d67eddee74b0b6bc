"""Where a golden trajectory reaches proposed states, judged once: operators decide pair after pair."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from collector.judge.evaluation.state_reach import StateReach
from collector.project_rules.project_rules import ProjectRules
from collector.states.documents.proposal import ProposedState
from collector.states.documents.proposed_rules import reach_in
from collector.states.work_files.digests import states_digest
from collector.store.files.layout import STEPS
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory

_MOST = 16
_Key = tuple[str, int, str, str]
_known: OrderedDict[_Key, Mapping[str, StateReach]] = OrderedDict()
_lock = threading.Lock()


def known_reach(
    project: Project, stored: StoredTrajectory, states: Sequence[ProposedState]
) -> Mapping[str, StateReach]:
    """As :func:`reach_in`, from memory while neither the trajectory nor the states changed. Any thread."""
    steps = stored.folder / STEPS
    key = (str(stored.folder), steps.stat().st_mtime_ns, project.semantics, states_digest(states))
    with _lock:
        if key in _known:
            _known.move_to_end(key)
            return _known[key]
    reach = reach_in(ProjectRules(project), stored, states)
    with _lock:
        _known[key] = reach
        while len(_known) > _MOST:
            _known.popitem(last=False)
    return reach
