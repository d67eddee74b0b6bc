"""Inspect's logs: an ``.eval`` file for each agent and model, with its trajectories as samples.

As ``inspect_ai.log`` reads them: a zip file with ``header.json`` (an EvalLog of version 2 without its
samples), ``summaries.json``, ``_journal/start.json``, and ``samples/ID_epoch_N.json`` for each sample. A
sample's id is that of its task; the further trajectories of a task are its further epochs.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import tempfile
import zipfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from collector import __version__
from collector.exchange.copied_screens import CopiedScreens
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exported_part import ExportedPart
from collector.exchange.exported_trajectories import (
    ExportedTrajectory,
    exported_trajectories,
    report_people,
)
from collector.exchange.format import TRAJECTORIES, VERDICTS, Format
from collector.exchange.format_sample import FormatSample
from collector.exchange.viewing.inspect_samples import (
    CORRECT,
    FORMATS,
    UNKNOWN_MOMENT,
    sample_of,
    shown_sample,
)
from collector.model.i18n import N_, _
from collector.store.files.names import folder_name
from collector.store.trajectory import codec

LOGS, _ENDING = "logs", ".eval"
_VERSION = 2
"""LOG_SCHEMA_VERSION of inspect_ai."""
_NO_MODEL = "none/none"
"""Inspect's own name for an evaluation without a model."""
_SUMMARY = (
    "id", "epoch", "input", "target", "scores", "model_usage", "started_at", "completed_at", "total_time",
    "uuid",
)  # fmt: skip
_SUMMED_UP = ("trajectory", "kind", "episode", "verdicts")
"""Metadata of a sample that its summary has, too."""


def _write(part: ExportedPart, path: Path, log: ExchangeLog) -> None:
    (path / LOGS).mkdir(parents=True)
    logs: dict[tuple[str, str], _EvalLog] = {}
    with contextlib.ExitStack() as stack:
        for exported in exported_trajectories(
            part, log, goes_on=False
        ):  # a zip file is whole when it is closed
            key = _who(exported)
            if key not in logs:
                logs[key] = stack.enter_context(_EvalLog(path / LOGS, part.project.name, *key))
            logs[key].add(exported, log)
            if any(step.state.tree for step in exported.steps):
                log.add("trees-lost", _("Inspect has no place for dumps of the screens"))
            report_people(exported, log)


def _who(exported: ExportedTrajectory) -> tuple[str, str]:
    """The agent and the model of a trajectory."""
    episode = exported.header.episode
    if episode is None:
        return ("agent" if exported.header.is_run else "person"), ""
    return episode.agent or "agent", episode.model


class _EvalLog(contextlib.AbstractContextManager["_EvalLog"]):
    """One file, written sample by sample; the sums of them stand in its header, which is written last."""

    def __init__(self, folder: Path, project: str, agent: str, model: str) -> None:
        self._project, self._agent, self._model = project, agent, model
        name = folder_name(f"{agent}-{model}" if model else agent)
        self._zip = zipfile.ZipFile(folder / f"{name}{_ENDING}", "w", zipfile.ZIP_DEFLATED)
        self._summaries: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in __exit__
        self._epochs: Counter[str] = Counter()
        self._scored: Counter[str] = Counter()
        self._right: Counter[str] = Counter()
        self._tokens: Counter[str] = Counter()
        self._first, self._last = "", ""
        self._count = 0

    def add(self, exported: ExportedTrajectory, log: ExchangeLog) -> None:
        """Write a trajectory as the next sample."""
        task = exported.place.partition("/")[0]
        self._epochs[task] += 1
        screens = CopiedScreens(exported.stored, Path(), log, FORMATS)
        sample = sample_of(exported, screens, self._epochs[task], self._model_name)
        self._put(f"samples/{task}_epoch_{sample['epoch']}.json", sample)
        summary = {key: sample[key] for key in _SUMMARY if key in sample}
        if "error" in sample:
            summary["error"] = sample["error"]["message"]
        summary["metadata"] = {key: sample["metadata"].get(key) for key in _SUMMED_UP}
        summary |= {"completed": True, "message_count": len(sample["messages"])}
        self._summaries.write((b"," if self._count else b"[") + codec.dump_line(summary))
        self._count += 1
        self._sum_up(sample)

    def _sum_up(self, sample: Mapping[str, Any]) -> None:
        for judge, score in sample["scores"].items():
            self._scored[judge] += 1
            self._right[judge] += score["value"] == CORRECT
        for usage in sample["model_usage"].values():
            self._tokens.update(usage)
        started, completed = sample.get("started_at", ""), sample.get("completed_at", "")
        self._first = min(filter(None, (self._first, started)), default="")
        self._last = max(self._last, completed)

    def __exit__(self, *_of_error: object) -> None:
        with self._zip, self._summaries:
            self._summaries.seek(0)
            with self._zip.open(_entry("summaries.json"), "w") as target:
                shutil.copyfileobj(self._summaries, target)
                target.write(b"]" if self._count else b"[]")
            spec, plan = self._spec(), {"name": "plan", "steps": [], "config": {}}
            start = {"version": _VERSION, "eval": spec, "plan": plan}
            self._put("_journal/start.json", start)
            rest = {"status": "success", "results": self._results(), "stats": self._stats()}
            self._put("header.json", {**start, **rest})

    @property
    def _model_name(self) -> str:
        return self._model or _NO_MODEL

    def _spec(self) -> dict[str, Any]:
        digest = hashlib.sha256(
            f"{self._project}/{self._agent}/{self._model}".encode(errors="replace")
        ).hexdigest()
        epochs = max(self._epochs.values(), default=1)
        return {
            "eval_id": digest[:22],
            "run_id": digest[22:44],
            "created": self._first or UNKNOWN_MOMENT,
            "task": self._project,
            "task_id": digest[44:],
            "solver": self._agent,
            "dataset": {
                "name": self._project,
                "samples": len(self._epochs),
                "sample_ids": list(self._epochs),
            },
            "model": self._model_name,
            "config": {"epochs": epochs},
            "packages": {"waymark-studio": __version__},
            "scorers": [{"name": judge, "metrics": [{"name": "accuracy"}]} for judge in self._scored],
        }

    def _results(self) -> dict[str, Any]:
        """The share of successes by judge, of the samples that it judged."""
        scores = []
        for judge, scored in self._scored.items():
            accuracy = {"name": "accuracy", "value": self._right[judge] / scored}
            counts = {"scored_samples": scored, "unscored_samples": self._count - scored}
            scores.append({"name": judge, "scorer": judge, **counts, "metrics": {"accuracy": accuracy}})
        return {"total_samples": self._count, "completed_samples": self._count, "scores": scores}

    def _stats(self) -> dict[str, Any]:
        usage = {self._model_name: dict(self._tokens)} if self._tokens else {}
        return {"started_at": self._first, "completed_at": self._last, "model_usage": usage}

    def _put(self, name: str, values: Mapping[str, Any]) -> None:
        self._zip.writestr(_entry(name), codec.dump_line(values))


def _entry(name: str) -> zipfile.ZipInfo:
    """An entry that is the same in each export."""
    entry = zipfile.ZipInfo(name)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _first_sample(path: Path, _options: Mapping[str, Any]) -> FormatSample | None:
    """The first sample of the first log, with what was done first and the screen it was done on."""
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError, zipfile.BadZipFile):
        file = min((path / LOGS).glob(f"*{_ENDING}"))
        with zipfile.ZipFile(file) as archive:
            name = next(each for each in archive.namelist() if each.startswith("samples/"))
            return shown_sample(json.loads(archive.read(name)))
    return None


FORMAT = Format(
    id="inspect",
    title=N_("Inspect logs"),
    holds=(TRAJECTORIES, VERDICTS),
    files=N_("An .eval file for each agent and model, with its trajectories as samples"),
    write=_write,
    entries=(LOGS,),
    sample=_first_sample,
)
