"""AITK's evaluator (``scripts/infer.py``): its answers as judgements, and judgements as its result lines.

``eval_results.jsonl`` lies beside the folders of the runs, or in the folder of a single one. Each line is one
question to the model: whether an essential state is reached by a step, seen in the screenshot before and the
screenshot after it. A state is reached when any step reaches it, a task when all its states are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from collector.exchange.errors import ExchangeError
from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.source import files as source_files
from collector.model.i18n import _
from collector.model.verdicts.judgement import (
    FAILURE,
    MISSED,
    MODEL,
    REACHED,
    STATE,
    SUCCESS,
    TASK,
    UNDECIDED,
    WINDOW,
    Judgement,
    Subject,
)

JUDGE = "aitk-evaluator"
RESULTS, QUESTIONS = "eval_results.jsonl", "eval_file.json"
_ANSWER = re.compile(r"<answer>\s*(.*?)\s*(?:</?answer>|\Z)", re.DOTALL | re.IGNORECASE)
_CLOSED_ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)
_LOOKED_AT = 20_000
"""Characters of a file in which its first question stands."""
SOURCE = "source"
"""Key of a judgement for keys of its line that have no place in it."""
_RESERVED = frozenset(("problem", "images", "metadata", "response"))


def read_verdicts(root: Path, log: ExchangeLog) -> dict[Path, list[Judgement]]:
    """The judgements of every results file at or below ``root``, by the folder of the run they are about."""
    verdicts: dict[Path, list[Judgement]] = {}
    for path in source_files.files(root) if root.is_dir() else []:
        if path.name == QUESTIONS:
            log.use(path)
            log.add(
                "derived", _("{name} has the questions to the evaluator only", name=path.name), severity=NOTE
            )
        elif path.suffix == ".jsonl" and _has_questions(path):
            _read_file(path, verdicts, log)
    return {folder: [*windows, *_summary(windows)] for folder, windows in verdicts.items()}


def _has_questions(path: Path) -> bool:
    text = source_files.read_text(path, _LOOKED_AT)
    return '"metadata"' in text and '"essential_state"' in text


def _read_file(path: Path, verdicts: dict[Path, list[Judgement]], log: ExchangeLog) -> None:
    log.use(path)
    log.where = path.name
    try:
        lines, bad = source_files.read_json_lines(path)
    except ExchangeError as error:
        log.add("record-unreadable", str(error))
        return
    for number in bad:
        log.add("line-unreadable", _("A line is no answer of the evaluator and was passed over"), step=number)
    for number, line in enumerate(lines, start=1):
        metadata = line.get("metadata")
        step = metadata.get("step_index") if isinstance(metadata, dict) else None
        if not isinstance(metadata, dict) or type(step) is not int or not metadata.get("essential_state"):
            log.add(
                "line-unreadable", _("A line is no answer of the evaluator and was passed over"), step=number
            )
            continue
        if "response" not in line and "error" not in line:
            log.add("not-asked", _("The evaluator was not asked a question of the file"), step=number)
            continue
        judgement = _judgement(line, metadata, step)
        if judgement.extra.get("aitk_counts") not in (None, judgement.verdict):
            text = _("An answer says no, and AITK counts it as yes because the word is in its reasoning")
            log.add("answer-misread", text, step=number, severity=NOTE)
        verdicts.setdefault(_folder_of(path, metadata), []).append(judgement)
    if any(line.get("problem") for line in lines):
        text = _("The questions to the evaluator were left out; its answers are kept")
        log.add("questions-left-out", text, severity=NOTE)


def _folder_of(path: Path, metadata: Mapping[str, Any]) -> Path:
    """The folder of the run: one beside the file with the same name, or the one the file lies in."""
    given = str(metadata.get("traj_dir") or metadata.get("task_name") or "").replace("\\", "/")
    beside = path.parent / (PurePosixPath(given).name or "-")
    return beside if beside.is_dir() else path.parent


def _judgement(line: Mapping[str, Any], metadata: Mapping[str, Any], step: int) -> Judgement:
    response = line.get("response")
    raw = response if isinstance(response, str) else ""
    verdict, counted = _verdict(raw), _counted(raw)
    rest = {key: value for key, value in line.items() if key not in _RESERVED}
    extra: dict[str, Any] = {SOURCE: rest} if rest else {}
    if verdict != UNDECIDED and verdict != counted:
        extra["aitk_counts"] = counted
    reason = str(line.get("error") or "")
    if verdict == UNDECIDED and not reason:
        reason = _("The answer says neither yes nor no")
    subject = Subject(WINDOW, str(metadata["essential_state"]), step, step + 1)
    return Judgement(JUDGE, MODEL, "", subject, verdict, reason=reason, raw=raw, extra=extra)


def _verdict(raw: str) -> str:
    """What the answer says in its tag, closed or not; without a tag, as AITK reads it."""
    tags = _ANSWER.findall(raw)
    said = next((tag.strip(" .!*").lower() for tag in tags if tag), "")
    if said.startswith(("yes", "no")):
        return REACHED if said.startswith("yes") else MISSED
    return _counted(raw) if raw.strip() else UNDECIDED


def _counted(raw: str) -> str:
    """How AITK reads an answer: the word yes, in a closed tag or else anywhere."""
    closed = _CLOSED_ANSWER.search(raw)
    return REACHED if "yes" in (closed[1] if closed else raw).lower() else MISSED


def _summary(windows: Sequence[Judgement]) -> Iterator[Judgement]:
    """What follows from the answers: each state, and the task. AITK takes an answer it lacks for a no."""
    states: dict[str, list[Judgement]] = {}
    for window in windows:
        states.setdefault(window.subject.state, []).append(window)
    verdicts = []
    for state, asked in states.items():
        steps = [window.subject.first for window in asked if window.verdict == REACHED]
        first = min((step for step in steps if step is not None), default=None)
        reason = _("Reached in {count} of {total} windows", count=len(steps), total=len(asked))
        lacking = any(window.verdict == UNDECIDED for window in asked)
        verdicts.append(REACHED if steps else UNDECIDED if lacking else MISSED)
        yield Judgement(JUDGE, MODEL, "", Subject(STATE, state, first, first), verdicts[-1], reason=reason)
    reached = verdicts.count(REACHED)
    reason = _("{count} of {total} essential states are reached", count=reached, total=len(states))
    verdict = FAILURE if MISSED in verdicts else UNDECIDED if UNDECIDED in verdicts else SUCCESS
    yield Judgement(JUDGE, MODEL, "", Subject(TASK), verdict, reason=reason)


def task_verdict(judgements: Iterable[Judgement]) -> Judgement | None:
    """The judgement of the task among those of the evaluator; None when there is none."""
    return next((judgement for judgement in judgements if judgement.subject.kind == TASK), None)
