"""The judges of an experiment beside the rules: they judge episodes that have ended, while others run."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from collector.device.errors import CallCancelled
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.verdicts.judgement import TASK
from collector.model_judges.judge_files import named_model_judge
from collector.model_judges.judging_run import JudgingControl, ModelJudging
from collector.project_rules.project_rules import ProjectRules
from collector.store.project.project import Project
from collector.store.trajectory.judgements import read_judgements

_AT_ONCE = 4
"""Episodes that one judge looks at at the same time."""
_log = logging.getLogger(__name__)


class EpisodeJudges:
    """Judges episodes behind a run. Thread-safe; what a judge cannot do ends no run, and is reported."""

    def __init__(self, project: Project, names: Sequence[str]) -> None:
        self._project, self._names = project, tuple(names)
        self._judging: list[tuple[ModelJudging, ThreadPoolExecutor]] = []
        self._control = JudgingControl()
        self._lock = threading.Lock()
        self._problems: dict[str, tuple[str, int]] = {}
        """By judge: its first problem, and at how many episodes it had one."""
        self.judged = 0
        """Verdicts on episodes that are stored."""

    def problem(self) -> str:
        """Why a judge cannot be used, in a sentence; empty when all can. Opens them."""
        rules = ProjectRules(self._project)
        for name in self._names:
            try:
                judging = ModelJudging(rules, named_model_judge(name, self._project), self._control)
            except UserError as error:
                return str(error)
            self._judging.append((judging, ThreadPoolExecutor(_AT_ONCE, f"judge {name}")))
        return ""

    def add(self, folder: Path) -> None:
        """Judge the episode in ``folder`` by every judge that has not judged it as it is now."""
        for judging, pool in self._judging:
            pool.submit(self._judge, judging, folder)

    def end(self, *, cancel: bool) -> list[str]:
        """Wait for the verdicts, or cancel those that are missing; a sentence for each judge that failed."""
        if cancel:
            self._control.cancel.set()
        for judging, pool in self._judging:
            pool.shutdown(wait=True, cancel_futures=cancel)
            judging.close()
        self._judging = []
        return [
            ngettext(
                "{judge} could not judge {count} episode: {why}",
                "{judge} could not judge {count} episodes: {why}",
                count,
                judge=name,
                why=first,
            )
            for name, (first, count) in sorted(self._problems.items())
        ]

    def _judge(self, judging: ModelJudging, folder: Path) -> None:
        name = judging.judge.name
        try:
            if _is_judged(folder, name, judging.judge.version):
                return
            result = judging.result(folder)
        except CallCancelled:
            return
        except UserError as error:
            self._note(name, str(error))
            return
        except Exception:  # noqa: BLE001 - the code of a judge ends no run
            _log.exception("the judge %s failed at %s", name, folder.name)
            self._note(name, _("it failed; see the log"))
            return
        if result is not None and result.problem:
            self._note(name, result.problem)
        elif result is not None:
            with self._lock:
                self.judged += 1

    def _note(self, judge: str, problem: str) -> None:
        with self._lock:
            first, count = self._problems.get(judge, (problem, 0))
            self._problems[judge] = first, count + 1


def _is_judged(folder: Path, judge: str, version: str) -> bool:
    """Whether a judge of this version has judged the task of an episode."""
    newest = read_judgements(folder).newest().items()
    return any(
        who == judge and subject.kind == TASK and item.version == version for (who, subject), item in newest
    )
