"""What the tab *Agreement* shows: pairs of judges, their quality, and disagreements. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from collector.judge.votes.agreement import Agreement
from collector.judge.votes.project_votes import ProjectVotes
from collector.judge.votes.votes import AgreementRow, QualityRow, agreement_row, groups_of
from collector.model.episode_text import verdict_text
from collector.model.i18n import _, ngettext
from collector.model.verdicts.judgement import REACHED
from collector.model.verdicts.voted_subject import VotedSubject
from studio.views.states.labels.label_rows import FIRST_STEP
from studio.widgets.captions.verdict_text import verdict_icon, verdict_tone
from studio.widgets.tables.cell_table import TableCell, TableColumn


def pair_columns() -> tuple[TableColumn, ...]:
    """The columns of the pairs of judges."""
    return (
        TableColumn(_("Judges")), TableColumn("", 64), TableColumn(_("Kappa"), 80, at_right=True),
        TableColumn(_("Agree"), 56, at_right=True), TableColumn(_("Same step"), 76, at_right=True),
        TableColumn(_("Both judged"), 88, at_right=True),
    )  # fmt: skip


def agreement_of(votes: ProjectVotes, kind: str, tolerance: int) -> list[AgreementRow]:
    """The agreement of all groups of judges on tasks or states, groups without a common subject left out."""
    subjects = [subject for subject in votes.subjects if subject.kind == kind]
    groups = groups_of(votes.judges, votes.people)
    rows = [agreement_row(subjects, group, kind, tolerance=tolerance) for group in groups]
    return [row for row in rows if row.agreement.subjects]


def pair_cells(row: AgreementRow, people: Sequence[str], judges: Sequence[str]) -> tuple[TableCell, ...]:
    """The cells of some judges: kappa as a bar and a number, percentage, same step, how many subjects."""
    found = row.agreement
    undefined = _("Kappa is undefined where all gave one and the same verdict")
    kappa = _("undefined") if found.kappa is None else f"{found.kappa:.2f}"
    same = "" if row.same_step is None else f"{row.same_step:.0f} %"
    tip = ngettext("{count} state was seen by all", "{count} states were seen by all", row.with_steps)
    return (
        TableCell(_group_text(row.judges, people, judges), role="name", tip=", ".join(row.judges)),
        TableCell("", share=found.kappa if found.kappa is not None else 0.0, tip=kappa),
        TableCell(kappa, "text-2" if found.kappa is None else "text", at_right=True,
                  tip=undefined if found.kappa is None else _kappa_name(row)),
        TableCell(f"{found.percent:.0f} %" if found.percent is not None else "-", at_right=True),
        TableCell(same or "-", "text" if same else "text-3", at_right=True, tip=tip),
        TableCell(_("{both} of {all}", both=found.subjects, all=row.judged_by_some), "text-2", at_right=True),
    )  # fmt: skip


def _kappa_name(row: AgreementRow) -> str:
    return _("Cohen's kappa") if len(row.judges) == 2 else _("Fleiss' kappa")


def _group_text(group: Sequence[str], people: Sequence[str], judges: Sequence[str]) -> str:
    if len(group) == 2:
        return " - ".join(group)
    if tuple(group) == tuple(people):
        return _("all {count} people", count=len(group))
    return _("all {count} judges", count=len(judges))


def quality_columns(against: str) -> tuple[TableColumn, ...]:
    """The columns of judges against a reference, as A3's Table 2."""
    names = (_("Precision"), _("Recall"), _("F1"), _("Accuracy"), _("Subjects"))
    title = _("Against {judge}", judge=against)
    return (TableColumn(title), *(TableColumn(name, 66, at_right=True) for name in names))


def quality_cells(row: QualityRow) -> tuple[TableCell, ...]:
    """The cells of a judge, in percent."""
    found = row.quality
    shares = (found.precision, found.recall, found.f1, found.accuracy)
    texts = ["-" if share is None else f"{100 * share:.1f}" for share in shares]
    counts = _("{tp} right, {fp} wrong, {fn} overlooked, {tn} rightly denied",
               tp=found.true_positives, fp=found.false_positives, fn=found.false_negatives,
               tn=found.true_negatives)  # fmt: skip
    return (
        TableCell(row.judge, role="name", tip=counts),
        *(TableCell(text, at_right=True, tip=counts) for text in texts),
        TableCell(str(found.subjects), "text-2", at_right=True, tip=counts),
    )


def disagreement_columns() -> tuple[TableColumn, ...]:
    """The columns of the subjects on which judges differ."""
    return TableColumn(_("Trajectory"), 150), TableColumn(_("Essential state"), 190), TableColumn(_("Votes"))


def disagreement_cells(subject: VotedSubject, title: str, sentence: str) -> tuple[TableCell, ...]:
    """The cells of a subject: where it is, what it is about, who says what."""
    votes = ", ".join(f"{judge}: {vote_text(subject, judge)}" for judge in sorted(subject.votes))
    settled = subject.settled
    mark = TableCell(votes, "text-2", tip=votes)
    if settled:
        words = _("adjudicated: {verdict}", verdict=verdict_text(settled))
        mark = TableCell(f"{words} ({votes})", "text-2", icon=verdict_icon(settled),
                         icon_tone=verdict_tone(settled) or "text-3", tip=votes)  # fmt: skip
    return (
        TableCell(title, tip=f"{subject.task} / {subject.trajectory}"),
        TableCell(sentence or _("the task"), role="name", tip=subject.state),
        mark,
    )


def vote_text(subject: VotedSubject, judge: str) -> str:
    """What a judge says of a subject: the step that reaches it, or the verdict."""
    step = subject.steps.get(judge)
    if step is not None and subject.votes[judge] == REACHED:
        return _("step {step}", step=step + FIRST_STEP)
    return verdict_text(subject.votes[judge])


def visible(
    subjects: Sequence[VotedSubject], is_open: Callable[[VotedSubject], bool]
) -> tuple[list[VotedSubject], int]:
    """The subjects that the person may see, and the number of those that have to wait."""
    seen = [subject for subject in subjects if is_open(subject)]
    return seen, len(subjects) - len(seen)


def first_figures(rows: Sequence[AgreementRow], people: Sequence[str]) -> tuple[AgreementRow | None, str]:
    """The row of the figures at the top: all people, else the first pair of people, else the first."""
    several = [row for row in rows if set(row.judges) <= set(people)]
    chosen = max(several, key=lambda row: len(row.judges), default=rows[0] if rows else None)
    return chosen, " - ".join(chosen.judges) if chosen is not None else ""


def figure_texts(row: AgreementRow | None) -> tuple[str, str, str]:
    """Kappa, same step and subjects judged by all, as the large figures."""
    if row is None:
        return "-", "-", "-"
    found: Agreement = row.agreement
    kappa = "-" if found.kappa is None else f"{found.kappa:.2f}"
    same = "-" if row.same_step is None else f"{row.same_step:.0f} %"
    return kappa, same, f"{found.subjects} / {row.judged_by_some}"
