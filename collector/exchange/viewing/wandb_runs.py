"""Weights & Biases' offline folders: ``wandb/offline-run-TIME-ID`` for each trajectory, for ``wandb sync``.

Written by ``wandb`` itself, because its file is described nowhere. Nothing is sent, and nothing of this
computer is in it: no name of it or of its user, no packages, no logs of the SDK.
"""

from __future__ import annotations

import datetime as dt
import math
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.copied_screens import CopiedScreens
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.exported_trajectories import (
    OUTCOME,
    ExportedTrajectory,
    exported_trajectories,
    report_people,
)
from collector.exchange.format import FOR_VIEWING, TRAJECTORIES, VERDICTS, Format
from collector.exchange.viewing.run_values import (
    experiment_of,
    milliseconds,
    parameters,
    run_id,
    sums,
    used_at,
)
from collector.hierarchy.captions import caption
from collector.host import file_moves
from collector.model.i18n import N_, _
from collector.model.trajectory import Step

FOLDER = "wandb"
_WRITING = "writing"
"""The folder in which the SDK writes a run, beside those that are written."""
_LEFT_OUT = ("logs", "tmp")
"""What the SDK says of itself, with paths of this computer."""
_FORMATS = ("PNG", "JPEG")
_ANSWERS_NOT = "WANDB_ERROR_REPORTING"


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    os.environ.setdefault(_ANSWERS_NOT, "false")  # the SDK would report its own faults over the network
    import wandb

    (path / FOLDER).mkdir(parents=True, exist_ok=True)
    log.add("trees-lost", _("Weights & Biases has no place for dumps of the screens"))
    try:
        for exported in exported_trajectories(part, log):
            _Run(wandb, exported, path / FOLDER, log).write()
            report_people(exported, log)
    finally:
        wandb.teardown()  # ends the process that writes the files


class _Run:
    """A trajectory as a run."""

    def __init__(self, wandb: Any, exported: ExportedTrajectory, folder: Path, log: ExchangeLog) -> None:
        self._wandb, self._exported, self._log = wandb, exported, log
        self._started = milliseconds(exported.header.started)
        moment = dt.datetime.fromtimestamp(self._started / 1000, dt.UTC)
        self._target = folder / f"offline-run-{moment:%Y%m%d_%H%M%S}-{run_id(exported)}"
        self._writing = folder / _WRITING
        self._screens = CopiedScreens(exported.stored, self._writing / "screens", log, _FORMATS)

    def write(self) -> None:
        self._log.makes(self._writing)
        self._log.makes(self._target)
        shutil.rmtree(self._writing, ignore_errors=True)
        self._writing.mkdir()
        header = self._exported.header
        run = self._wandb.init(
            project=experiment_of(self._exported), id=run_id(self._exported), name=self._exported.place,
            group=header.task_id, job_type=header.shown_kind, notes=self._exported.instruction,
            tags=[header.kind], config=self._config(), reinit="create_new", settings=self._settings(),
        )  # fmt: skip
        for index, step in enumerate(self._exported.steps):
            run.log(self._values(index, step), step=index)
        known = {name: value for name, value in sums(self._exported) if value is not None}
        run.summary.update({**known, **self._verdicts()})
        outcome = header.outcome
        run.finish(exit_code=int(outcome is not None and bool(outcome.infrastructure)))
        (written,) = (self._writing / FOLDER).glob("offline-run-*")
        for name in _LEFT_OUT:
            shutil.rmtree(written / name, ignore_errors=True)
        file_moves.rename(written, self._target)
        shutil.rmtree(self._writing)

    def _settings(self) -> Any:
        """Offline, without anything of this computer."""
        return self._wandb.Settings(
            mode="offline", root_dir=str(self._writing), console="off", silent=True, symlink=False,
            disable_git=True, disable_code=True, save_code=False, x_disable_stats=True, x_disable_meta=True,
            x_disable_machine_info=True, x_save_requirements=False, host="", username="", email="",
            program="",
        )  # fmt: skip

    def _config(self) -> dict[str, Any]:
        header = self._exported.header
        known = {"started": header.started, "note": header.note}
        return {**parameters(self._exported), **{name: value for name, value in known.items() if value}}

    def _verdicts(self) -> Mapping[str, str]:
        verdicts = self._exported.task_verdicts
        named = {
            "verdict" if judge == OUTCOME else f"verdict.{judge}": said for judge, said in verdicts.items()
        }
        outcome = self._exported.header.outcome
        return named | ({"reason": outcome.reason} if outcome is not None and outcome.reason else {})

    def _values(self, index: int, step: Step) -> dict[str, Any]:
        """The row of a step: its screen, what was done, thought and used."""
        said = step.description or (caption(step.action) if step.action is not None else "")
        values: dict[str, Any] = {
            name: value for name, value in used_at(step) if value is not None and math.isfinite(value)
        }
        values |= {"action": str(said), "_timestamp": (self._started + step.t_ms) / 1000}
        if step.agent is not None and step.agent.thought:
            values["thought"] = step.agent.thought
        if name := self._screens.picture(index):
            place = self._writing / "screens" / name
            values["screen"] = self._wandb.Image(str(place), caption=str(said) or None)
        return values


FORMAT = Format(
    id="wandb",
    title=N_("Weights & Biases offline runs"),
    use=FOR_VIEWING,
    holds=(TRAJECTORIES, VERDICTS),
    files=N_("wandb/ with an offline run for each trajectory, which wandb sync uploads"),
    write=_write,
    entries=(FOLDER,),
    package="wandb",
    extra="wandb",
)
