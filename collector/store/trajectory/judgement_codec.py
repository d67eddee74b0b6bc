"""Judgements as the lines of ``judgements/<judge>.jsonl``, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collector.model.verdicts.judgement import JUDGE_KINDS, VERDICTS, Judgement, Subject
from collector.store.trajectory.codec import Line
from collector.store.trajectory.usage_codec import USAGE_KEYS, usage_from_dict, usage_to_dict

_TEXTS = ("judge", "kind", "version", "verdict", "reason", "raw", "time", "reason_id", "made_of")
_KEYS = frozenset((*_TEXTS, "subject", "confidence", "proof", "settles", "better", *USAGE_KEYS))


def judgement_to_line(judgement: Judgement) -> Line:
    """The mapping of a judgement; values that are empty or None are left out."""
    line: Line = {key: getattr(judgement, key) for key in ("judge", "kind", "version")}
    about = judgement.subject
    line["subject"] = _without_empty(
        {"kind": about.kind, "state": about.state, "first": about.first, "last": about.last}
    )
    line["verdict"] = judgement.verdict
    rest = {
        "confidence": judgement.confidence,
        "reason": judgement.reason,
        "reason_id": judgement.reason_id,
        "proof": dict(judgement.proof),
        "raw": judgement.raw,
        **usage_to_dict(judgement.usage),
        "time": judgement.time,
        "made_of": judgement.made_of,
        "better": dict(judgement.better),
        **({"settles": True} if judgement.settles else {}),
    }
    extra = {key: value for key, value in judgement.extra.items() if key not in _KEYS}
    return {**line, **_without_empty(rest), **extra}


def judgement_from_line(line: Mapping[str, Any]) -> Judgement:
    """The judgement a line describes; ValueError says what is missing, unknown or of the wrong kind."""
    try:
        about = line["subject"]
        subject = Subject(
            str(about.get("kind", "")), str(about.get("state", "")), about.get("first"), about.get("last")
        )
        texts = {key: str(line.get(key, "")) for key in _TEXTS}
        confidence, proof = line.get("confidence"), line.get("proof") or {}
        judgement = Judgement(
            **texts,
            subject=subject,
            confidence=None if confidence is None else float(confidence),
            proof=dict(proof),
            usage=usage_from_dict(line),
            settles=line.get("settles") is True,
            better=dict(line.get("better") or {}),
            extra={key: value for key, value in line.items() if key not in _KEYS},
        )
    except KeyError as error:
        raise ValueError(f"no {error.args[0]!r}") from None
    except (TypeError, AttributeError, OverflowError) as error:
        raise ValueError(str(error)) from None
    _check(judgement)
    return judgement


def _check(judgement: Judgement) -> None:
    """Raise ValueError for a judgement that no judge can give."""
    subject = judgement.subject
    if judgement.kind not in JUDGE_KINDS:
        raise ValueError(f"no kind of judge: {judgement.kind!r} (expected {', '.join(JUDGE_KINDS)})")
    if subject.kind not in VERDICTS:
        raise ValueError(f"no kind of subject: {subject.kind!r} (expected {', '.join(VERDICTS)})")
    if judgement.verdict not in VERDICTS[subject.kind]:
        expected = ", ".join(VERDICTS[subject.kind])
        raise ValueError(f"no verdict on a {subject.kind}: {judgement.verdict!r} (expected {expected})")
    for step in (subject.first, subject.last):
        if step is not None and (not isinstance(step, int) or isinstance(step, bool) or step < 0):
            raise ValueError(f"no step: {step!r}")
    if judgement.confidence is not None and not 0 <= judgement.confidence <= 1:
        raise ValueError(f"no confidence: {judgement.confidence!r} (expected 0 to 1)")


def _without_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value or value not in (None, "", {})}
