"""A person's verdict on a trajectory: did it do its task? Given, changed, and taken back."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.judgement import (
    FAILURE,
    PERSON,
    SUCCESS,
    TASK,
    UNCOMPLETED,
    UNDECIDED,
    VERDICTS,
    Judgement,
    Subject,
)
from collector.store.judgements import add_judgements, read_judgements, remove_judgement

UNNAMED = "annotator"
"""Who labels and judges in the window when its settings name nobody."""
PERSON_VERDICTS = (SUCCESS, FAILURE, UNCOMPLETED, UNDECIDED)
"""What a person can say of a trajectory."""


def judge_as_person(
    folder: Path, who: str, verdict: str, reason: str = "", reason_id: str = "", time: str = ""
) -> Judgement:
    """Write the verdict of ``who`` on the trajectory in ``folder``; it replaces that person's verdict before.

    ``verdict`` is one of PERSON_VERDICTS, ``reason`` a sentence, ``reason_id`` the id of a reason of the
    project, ``time`` when it was given, now unless said otherwise. Raises UserError without a name, and
    StoreError.
    """
    if verdict not in PERSON_VERDICTS:
        raise ValueError(f"no verdict of a person: {verdict!r} (expected {', '.join(PERSON_VERDICTS)})")
    if not who.strip():
        raise UserError(_("A verdict needs a name"), _("it is kept under the name of who gave it"))
    judgement = Judgement(
        who.strip(),
        PERSON,
        "",
        Subject(TASK),
        verdict,
        reason=reason.strip(),
        time=time or _now(),
        reason_id=reason_id,
    )
    add_judgements(folder, [judgement])
    return judgement


def settle(
    folder: Path, who: str, subject: Subject, verdict: str, reason: str = "", reason_id: str = "",
    time: str = "",
) -> Judgement:  # fmt: skip
    """Settle what people disagree on: from now on ``verdict`` counts for people as a whole.

    ``reason`` is a sentence, ``reason_id`` the id of a reason of the project. The votes of all people stay as
    they are. Raises UserError without a name, and StoreError.
    """
    if verdict not in VERDICTS.get(subject.kind, ()):
        raise ValueError(f"no verdict on a {subject.kind}: {verdict!r}")
    if not who.strip():
        raise UserError(_("A verdict needs a name"), _("it is kept under the name of who gave it"))
    judgement = Judgement(
        who.strip(), PERSON, "", subject, verdict,
        reason=reason.strip(), time=time or _now(), reason_id=reason_id, settles=True,
    )  # fmt: skip
    add_judgements(folder, [judgement])
    return judgement


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")


def verdict_of(folder: Path, who: str) -> Judgement | None:
    """The verdict of ``who`` on the trajectory in ``folder`` that counts; None when there is none."""
    return read_judgements(folder).newest().get((who.strip(), Subject(TASK)))


def take_verdict_back(folder: Path, who: str) -> Judgement:
    """Remove the newest verdict of ``who``; the one before it counts again. Returns the removed one.

    Raises UserError when there is none, and StoreError.
    """
    judgement = verdict_of(folder, who)
    if judgement is None:
        raise UserError(_("There is no verdict of {who} to take back", who=who))
    remove_judgement(folder, judgement)
    return judgement
