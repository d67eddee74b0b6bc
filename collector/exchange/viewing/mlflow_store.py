"""MLflow's file store: a folder ``mlruns`` with the experiments of the project, a run for each trajectory.

As ``mlflow.store.tracking.file_store`` reads it: ``EXPERIMENT/meta.yaml``, ``EXPERIMENT/RUN/meta.yaml``, a
file for each parameter and tag with its value, a file for each metric with a line ``milliseconds value step``
for each of its values, and ``artifacts``. Addresses of artifacts are relative: MLflow is started in the
folder that holds ``mlruns``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.copied_screens import CopiedScreens
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.exported_trajectories import (
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
from collector.model.i18n import N_, _
from collector.store.trajectory import codec
from collector.store.trajectory.judgement_codec import judgement_to_line

STORE, META, ARTIFACTS = "mlruns", "meta.yaml", "artifacts"
_FINISHED, _FAILED = 3, 4
"""RunStatus of ``mlflow/protos/service.proto``."""
_LOCAL = 4
"""SourceType of the same."""
_LONGEST_PARAMETER, _LONGEST_TAG = 6000, 8000
"""Characters that MLflow takes."""
_NO_NAME = re.compile(r"[^\w.\- ]", re.ASCII)


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    store = path / STORE
    store.mkdir(parents=True, exist_ok=True)
    experiments = _experiments(store)
    for exported in exported_trajectories(part, log):
        name = experiment_of(exported)
        if name not in experiments:
            experiments[name] = str(len(experiments) + 1)
            log.makes(store / experiments[name])
            _write_experiment(store, experiments[name], name)
        _Run(exported, store, experiments[name], log).write()
        report_people(exported, log)


def _experiments(store: Path) -> dict[str, str]:
    """By name the numbers of those that an interrupted export wrote."""
    written = sorted(store.glob(f"*/{META}"), key=lambda path: int(path.parent.name))
    return {yaml.safe_load(path.read_bytes())["name"]: path.parent.name for path in written}


def _write_experiment(store: Path, number: str, name: str) -> None:
    (store / number).mkdir()
    _dump(store / number, {
        "artifact_location": f"{STORE}/{number}", "experiment_id": number, "lifecycle_stage": "active",
        "name": name,
    })  # fmt: skip


class _Run:
    """A trajectory as a run."""

    def __init__(self, exported: ExportedTrajectory, store: Path, experiment: str, log: ExchangeLog) -> None:
        self._exported, self._experiment, self._log = exported, experiment, log
        self._id = run_id(exported)
        self._folder = store / experiment / self._id

    def write(self) -> None:
        self._log.makes(self._folder)
        for name in ("params", "metrics", "tags", ARTIFACTS):
            (self._folder / name).mkdir(parents=True)
        header, outcome = self._exported.header, self._exported.header.outcome
        started = milliseconds(header.started)
        has_fault = outcome is not None and bool(outcome.infrastructure)
        _dump(self._folder, {
            "artifact_uri": f"{STORE}/{self._experiment}/{self._id}/{ARTIFACTS}",
            "end_time": milliseconds(header.finished) or started + header.duration_ms,
            "entry_point_name": "", "experiment_id": self._experiment, "lifecycle_stage": "active",
            "run_id": self._id, "run_name": self._exported.place, "run_uuid": self._id, "source_name": "",
            "source_type": _LOCAL, "source_version": "", "start_time": started,
            "status": _FAILED if has_fault else _FINISHED, "tags": [], "user_id": header.who,
        })  # fmt: skip
        for name, value in parameters(self._exported).items():
            self._put("params", _name(name), str(value), _LONGEST_PARAMETER)
        for name, value in self._tags().items():
            self._put("tags", name, value, _LONGEST_TAG)
        for name, lines in self._metrics(started).items():
            (self._folder / "metrics" / name).write_text("".join(lines), encoding="ascii", newline="\n")
        self._write_artifacts()

    def _put(self, kind: str, name: str, value: str, most: int) -> None:
        if len(value) > most:
            text = _("MLflow takes {count} characters of a value: {name} was cut", count=most, name=name)
            self._log.add("value-cut", text)
        (self._folder / kind / name).write_bytes(value[:most].encode(errors="replace"))

    def _tags(self) -> dict[str, str]:
        header = self._exported.header
        tags = {
            "mlflow.runName": self._exported.place, "mlflow.user": header.who,
            "mlflow.source.type": "LOCAL", "mlflow.note.content": self._exported.instruction,
            "note": header.note,
        }  # fmt: skip
        if header.outcome is not None:
            tags["reason"] = header.outcome.reason
        verdicts = self._exported.task_verdicts.items()
        tags |= {f"verdict.{_name(judge)}": verdict for judge, verdict in verdicts}
        return {name: value for name, value in tags.items() if value}

    def _metrics(self, started: int) -> dict[str, list[str]]:
        """The lines of each metric. Tokens, cost and time stand at each step; the others once."""
        metrics: dict[str, list[str]] = {}

        def put(name: str, value: float | None, step: int, at: int) -> None:
            if value is not None and math.isfinite(value):
                metrics.setdefault(_name(name), []).append(f"{at} {value} {step}\n")

        last = max(len(self._exported.steps) - 1, 0)
        for name, value in sums(self._exported):
            put(name, value, last, started + self._exported.header.duration_ms)
        for index, step in enumerate(self._exported.steps):
            for name, value in used_at(step):
                put(name, value, index, started + step.t_ms)
        return metrics

    def _write_artifacts(self) -> None:
        exported, folder = self._exported, self._folder / ARTIFACTS
        (folder / "trajectory.json").write_bytes(
            codec.dump_document(codec.header_to_document(exported.header))
        )
        screens = CopiedScreens(exported.stored, folder / "states", self._log)
        with (folder / "steps.jsonl").open("wb") as file:
            for index, step in enumerate(exported.steps):
                line = codec.step_to_line(step)
                line["state"] |= {"screenshot": screens.picture(index), "tree": screens.tree(index)}
                file.write(codec.dump_line(line))
        for name, lines in (
            ("judgements.jsonl", map(judgement_to_line, exported.judgements)),
            ("events.jsonl", exported.stored.events()),
        ):
            (folder / name).write_bytes(b"".join(map(codec.dump_line, lines)))


def _dump(folder: Path, values: Mapping[str, Any]) -> None:
    text = yaml.safe_dump(dict(values), default_flow_style=False, allow_unicode=True)
    (folder / META).write_bytes(text.encode(errors="replace"))


def _name(text: str) -> str:
    """A name that MLflow takes, and that is a file on every system."""
    return _NO_NAME.sub("_", text)[:200].strip(". ") or "_"


FORMAT = Format(
    id="mlflow",
    title=N_("MLflow folder"),
    use=FOR_VIEWING,
    holds=(TRAJECTORIES, VERDICTS),
    files=N_("mlruns/ with an experiment for each of the project and a run for each trajectory"),
    write=_write,
    entries=(STORE,),
)
