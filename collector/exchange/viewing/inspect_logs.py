"""Inspect's logs: an ``.eval`` file for each agent and model, with its trajectories as samples.

As ``inspect_ai.log`` reads them: a zip file with ``header.json`` (an EvalLog of version 2 without its
samples), ``summaries.json``, ``_journal/start.json``, and ``samples/ID_epoch_N.json`` for each sample. A
sample's id is that of its task; the further trajectories of a task are its further epochs.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector import __version__
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.exports.copied_screens import CopiedScreens
from collector.exchange.exports.exported_part import ExportedPart
from collector.exchange.exports.exported_trajectories import (
    ExportedTrajectory,
    exported_trajectories,
    report_people,
)
from collector.exchange.format import FOR_VIEWING, TRAJECTORIES, VERDICTS, Format
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
    (path / LOGS).mkdir(parents=True, exist_ok=True)
    logs = _EvalLogs(path, log)
    for exported in exported_trajectories(part, log):
        logs.of(*_who(exported)).add(exported)
        if any(step.state.tree for step in exported.steps):
            log.add("trees-lost", _("Inspect has no place for dumps of the screens"))
        report_people(exported, log)
    for each in logs.all.values():
        each.finish(part.project.name)


def _who(exported: ExportedTrajectory) -> tuple[str, str]:
    """The agent and the model of a trajectory."""
    episode = exported.header.episode
    if episode is None:
        return ("agent" if exported.header.is_run else "person"), ""
    return episode.agent or "agent", episode.model


class _EvalLogs:
    """The files of an export, each with the agent and the model whose trajectories it has."""

    def __init__(self, path: Path, log: ExchangeLog) -> None:
        self._path, self._log = path, log
        self._known = log.beside(path, "logs.jsonl")
        self.all: dict[tuple[str, str], _EvalLog] = {}
        for agent, model in _lines_of(self._known):
            self._open(agent, model)

    def of(self, agent: str, model: str) -> _EvalLog:
        """That of an agent and a model."""
        if (agent, model) not in self.all:
            self._log.append(self._known, f"{json.dumps((agent, model))}\n".encode())
            self._open(agent, model)
        return self.all[agent, model]

    def _open(self, agent: str, model: str) -> None:
        plain = folder_name(f"{agent}-{model}" if model else agent)
        taken = {each.name for each in self.all.values()}
        names = (plain, *(f"{plain}-{number}" for number in range(2, len(taken) + 3)))
        name = next(name for name in names if name not in taken)
        self.all[agent, model] = _EvalLog(self._path, self._log, name, agent, model)


def _lines_of(file: Path) -> Iterator[Any]:
    if file.exists():
        with file.open("rb") as lines:
            yield from map(json.loads, lines)


class _EvalLog:
    """One file. Its samples and their summaries wait as lines, and are packed in the end."""

    def __init__(self, path: Path, log: ExchangeLog, name: str, agent: str, model: str) -> None:
        self.name = name
        self._path, self._log, self._agent, self._model = path, log, agent, model
        self._samples = log.beside(path, f"{name}.samples.jsonl")
        self._summaries = log.beside(path, f"{name}.summaries.jsonl")
        self._epochs: Counter[str] = Counter()
        self._scored: Counter[str] = Counter()
        self._right: Counter[str] = Counter()
        self._tokens: Counter[str] = Counter()
        self._first, self._last = "", ""
        self._count = 0
        for summary in _lines_of(self._summaries):
            self._sum_up(summary)

    def add(self, exported: ExportedTrajectory) -> None:
        """Keep a trajectory as the next sample."""
        epoch = self._epochs[exported.place.partition("/")[0]] + 1
        screens = CopiedScreens(exported.stored, Path(), self._log, FORMATS)
        sample = sample_of(exported, screens, epoch, self._model_name)
        summary = {key: sample[key] for key in _SUMMARY if key in sample}
        if "error" in sample:
            summary["error"] = sample["error"]["message"]
        summary["metadata"] = {key: sample["metadata"].get(key) for key in _SUMMED_UP}
        summary |= {"completed": True, "message_count": len(sample["messages"])}
        self._log.append(self._samples, codec.dump_line(sample))
        self._log.append(self._summaries, codec.dump_line(summary))
        self._sum_up(summary)

    def _sum_up(self, sample: Mapping[str, Any]) -> None:
        self._count += 1
        self._epochs[sample["id"]] += 1
        for judge, score in sample["scores"].items():
            self._scored[judge] += 1
            self._right[judge] += score["value"] == CORRECT
        for usage in sample["model_usage"].values():
            self._tokens.update(usage)
        started, completed = sample.get("started_at", ""), sample.get("completed_at", "")
        self._first = min(filter(None, (self._first, started)), default="")
        self._last = max(self._last, completed)

    def finish(self, project: str) -> None:
        """Pack the file."""
        with zipfile.ZipFile(
            self._path / LOGS / f"{self.name}{_ENDING}", "w", zipfile.ZIP_DEFLATED
        ) as packed:
            with self._samples.open("rb") as samples:
                for summary, sample in zip(_lines_of(self._summaries), samples, strict=True):
                    name = f"samples/{summary['id']}_epoch_{summary['epoch']}.json"
                    packed.writestr(_entry(name), sample)
            with packed.open(_entry("summaries.json"), "w") as target, self._summaries.open("rb") as lines:
                for number, line in enumerate(lines):
                    target.write((b"," if number else b"[") + line)
                target.write(b"]")
            start = {
                "version": _VERSION, "eval": self._spec(project),
                "plan": {"name": "plan", "steps": [], "config": {}},
            }  # fmt: skip
            packed.writestr(_entry("_journal/start.json"), codec.dump_line(start))
            header = {**start, "status": "success", "results": self._results(), "stats": self._stats()}
            packed.writestr(_entry("header.json"), codec.dump_line(header))

    @property
    def _model_name(self) -> str:
        return self._model or _NO_MODEL

    def _spec(self, project: str) -> dict[str, Any]:
        digest = hashlib.sha256(f"{project}/{self._agent}/{self._model}".encode(errors="replace")).hexdigest()
        epochs = max(self._epochs.values(), default=1)
        return {
            "eval_id": digest[:22],
            "run_id": digest[22:44],
            "created": self._first or UNKNOWN_MOMENT,
            "task": project,
            "task_id": digest[44:],
            "solver": self._agent,
            "dataset": {
                "name": project,
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
    use=FOR_VIEWING,
    holds=(TRAJECTORIES, VERDICTS),
    files=N_("An .eval file for each agent and model, with its trajectories as samples"),
    write=_write,
    entries=(LOGS,),
    sample=_first_sample,
)
