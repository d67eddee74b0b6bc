"""Let the judge ``simulated`` of the sample project judge its trajectories, by an endpoint that is no model.

Part of ``make sample`` and ``make sample-run``, after the people have worked. The verdicts come by the use
case of ``waymark judge run``; what answers is ``simulated_model.py``, with mistakes at known rates.
"""

from __future__ import annotations

import datetime as dt
import itertools
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Self
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from simulated_model import PORT, SAMPLE, SimulatedModel  # noqa: E402

from collector.endpoint import chat_endpoint  # noqa: E402
from collector.model_judges import model_judge  # noqa: E402
from collector.model_judges.judge_files import named_model_judge  # noqa: E402
from collector.model_judges.judging_run import JudgingControl, judge_by_models  # noqa: E402
from collector.project_rules.project_rules import ProjectRules  # noqa: E402
from collector.store.project.project import Project  # noqa: E402
from collector.store.trajectory.judgements import path_of  # noqa: E402
from collector.store.trajectory.reader import read_header  # noqa: E402
from tests.helpers.chat_server import ChatServer  # noqa: E402

JUDGE = "simulated"
BEGIN = dt.datetime(2025, 3, 12, 9, 0, tzinfo=dt.UTC)
NOT_JUDGED = "variations"
"""The experiment whose episodes it does not judge."""
ANSWER_S = 0.4
"""How long an answer takes by the clock of the recipe."""


class _Judging(dt.datetime):
    """The time while the sample is judged: the same whenever it is judged anew."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> Self:
        return cls.fromtimestamp(BEGIN.timestamp(), tz)


@contextmanager
def _same_times() -> Iterator[None]:
    moments = itertools.count()
    watch = SimpleNamespace(monotonic=lambda: next(moments) * ANSWER_S)
    with (
        mock.patch.object(model_judge, "datetime", _Judging),
        mock.patch.object(chat_endpoint, "time", watch),
    ):
        yield


def judged_folders(project: Project) -> list[Path]:
    """All trajectories, but those of the experiment over variations: it tells screens apart by pictures, and
    those are too small and too much alike for that."""
    return [
        folder
        for folder in project.trajectory_folders()
        if (episode := read_header(folder).episode) is None or episode.experiment != NOT_JUDGED
    ]


def judge(project: Project, folders: list[Path]) -> None:
    """Judge trajectories of the sample anew."""
    rules = ProjectRules(project)
    with ChatServer(SimulatedModel(project), port=PORT), _same_times():
        # One question after the other: the verdicts come in the same order each time.
        simulated = named_model_judge(JUDGE, project, {"workers": 1}, sends=False)
        for folder in folders:
            path_of(folder, JUDGE).unlink(missing_ok=True)
        for result in judge_by_models(rules, folders, simulated, JudgingControl()):
            print(f"{result.trajectory:72} {result.problem or (result.on_task and result.on_task.verdict)}")


def main() -> None:
    """Judge the sample, or the project that is named, with no answer kept from before."""
    project = Project.open(Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE)
    shutil.rmtree(project.paths.cache, ignore_errors=True)
    judge(project, judged_folders(project))
    shutil.rmtree(project.paths.cache, ignore_errors=True)


if __name__ == "__main__":
    main()
