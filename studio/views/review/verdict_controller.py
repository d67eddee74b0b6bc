"""The commands of the person's review: verdict, reason, states, tags, submission, and decisions on others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Signal, Slot
from PySide6.QtWidgets import QWidget

from collector.comparison.alignment.aligned import LETTERS
from collector.model.episode_text import verdict_text
from collector.model.errors import UserError
from collector.model.message import _
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.verdicts.failure_reason import reason_text
from collector.model.verdicts.judgement import SUCCESS, TASK, UNDECIDED, VERDICTS, Judgement, Subject
from collector.model.verdicts.review import review_status_text
from collector.review.reviewing import require_adjudicator
from collector.review.trajectory_reviews import TrajectoryReviews
from collector.store.trajectory.achieved_states import screen_of_step
from collector.store.trajectory.reader import StoredTrajectory
from rule_editor.widgets.menu_text import menu_text
from studio.bridge.review.reviewer_work import Act, ReviewerWork, SideVerdicts
from studio.views.no_such_state import no_such_state
from studio.views.review.column_text import side_title
from studio.views.review.disputes import DisputeRow, dispute_rows, disputes_to_settle
from studio.views.review.session import ReviewSession
from studio.views.review.side_panel import ReviewSidePanel
from studio.views.review.verdict_page import REASON_KEYS, VerdictPage
from studio.views.services import WindowServices
from studio.widgets.captions.verdict_text import verdict_icon
from studio.widgets.choice_menu import ChoiceMenu
from studio.widgets.dialogs.input_dialogs import ask_text
from studio.widgets.dialogs.judge_dialog import JudgeDialog
from studio.widgets.dialogs.judge_rows import JudgeRow

_MOST_STATES = 9


class ReviewVerdictController(QObject):
    """The review is about the chosen side of the session."""

    shown = Signal()
    """The page shows another trajectory, or what is known of it changed."""

    def __init__(
        self, session: ReviewSession, work: ReviewerWork, panel: ReviewSidePanel, page: VerdictPage,
        services: WindowServices, parent: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session, self._work, self._services = session, work, services
        self._panel, self._page = panel, page
        self._parent = parent
        self._decided = Path()
        """The trajectory that a dialog asks about."""
        self._reviewer = ""
        """Whose review of it."""
        handle = services.commander.handle
        for verdict in VERDICTS[TASK]:
            handle(f"review.judge-{verdict}", partial(self.judge, verdict))
        for place in range(REASON_KEYS):
            handle(f"review.reason-{place + 1}", partial(self.choose_reason, place))
        for number in range(_MOST_STATES):
            handle(f"review.state-{number + 1}", partial(self.mark_state, number))
            handle(f"review.missed-{number + 1}", partial(self.mark_missed, number))
        handle("review.confirm", self.confirm)
        handle("review.approve", self.approve)
        handle("review.reject", self.reject)
        handle("review.adjudicate", self.adjudicate)
        handle("review.write-reason", self.write_reason)
        page.sentence_written.connect(self._write_sentence)
        page.tags_written.connect(self._write_tags)
        page.reason_chosen.connect(self._give_reason)
        session.side_changed.connect(self.show_side)
        session.trajectories_changed.connect(self.show_side)
        work.sides_changed.connect(self.show_side)

    # -- what is reviewed ----------------------------------------------------
    @property
    def stored(self) -> StoredTrajectory | None:
        """The trajectory that is reviewed."""
        session = self._session
        return session.stored[session.side] if session.side < len(session.stored) else None

    @property
    def person(self) -> str:
        """Who reviews."""
        return self._work.person

    @property
    def known(self) -> SideVerdicts:
        """What the person may know of it."""
        sides, side = self._work.sides, self._session.side
        return sides[side] if side < len(sides) else SideVerdicts()

    @property
    def own(self) -> Judgement | None:
        """The person's verdict."""
        reviews = self.known.reviews
        review = reviews.of(self._work.person) if reviews is not None else None
        return review.verdict if review is not None else None

    def act(self, act: Act, refused: Callable[[], object] | None = None) -> None:
        """Do something to the chosen trajectory; ``refused`` is called when the disk refuses it.

        Raises UserError when it cannot be reviewed.
        """
        self._require_reviews()
        self._work.act(act, refused)

    def _require_reviews(self) -> TrajectoryReviews:
        if self.known.reviews is None:
            raise UserError(
                _("This trajectory cannot be reviewed"),
                _("it is not part of the open project"),
                _("Import it into the project first"),
            )
        return self.known.reviews

    @property
    def folder(self) -> Path:
        """The folder of the chosen trajectory. Raises UserError while nothing is open."""
        if self.stored is None:
            raise UserError(_("No trajectory is open in Review"))
        return self.stored.folder

    # -- what is shown -------------------------------------------------------
    @Slot()
    def show_side(self) -> None:
        """Show the chosen trajectory's judges and the person's review of it."""
        stored, known = self.stored, self.known
        if stored is None:
            return
        page, reviews, person = self._page, known.reviews, self._work.person
        page.show_side(LETTERS[self._session.side], side_title(stored.header))
        rows = [self._judge_row(item) for item in known.judgements
                if item.subject.kind == TASK and item.judge != person]  # fmt: skip
        page.show_judges(rows, self._agreement(), reviews.hidden if reviews is not None else "")
        mine = reviews.of(person) if reviews is not None else None
        status = mine.status if mine is not None else ""
        page.status.set_badge(review_status_text(status) if status else "")
        no_tags = () if reviews is not None else None
        tags = mine.record.tags if mine is not None else no_tags
        page.show_own(stored.folder, self.own, self._work.reasons, tags)
        disputes = dispute_rows(reviews, self._label_of, self._work.reasons) if reviews else []
        page.show_disputes([_dispute_row(dispute) for dispute in disputes])
        others = [review for review in reviews.reviews if review.who != person] if reviews else []
        page.show_people(
            [
                JudgeRow(
                    verdict_icon(review.verdict.verdict if review.verdict else ""),
                    review.who,
                    review_status_text(review.status),
                    review.approval.reason if review.approval is not None else "",
                )
                for review in others
            ],
            decides=bool(others or disputes),
        )
        self._services.commander.set_context(
            review__judged=self.own is not None,
            review__others=any(review.submitted for review in others),
        )
        self.shown.emit()

    def _judge_row(self, judgement: Judgement) -> JudgeRow:
        says = shown_reason(judgement.reason) or reason_text(judgement.reason_id, self._work.reasons)
        verdict = verdict_text(judgement.verdict)
        if judgement.confidence is not None:
            verdict = f"{verdict}, {judgement.confidence:.2f}"
        text = f"{verdict} · {says}" if says else verdict
        return JudgeRow(verdict_icon(judgement.verdict), judgement.judge, text, text)

    def _agreement(self) -> str:
        """How many judges of the task say the same."""
        said = [item.verdict for item in self.known.judgements
                if item.subject.kind == TASK and item.verdict != UNDECIDED]  # fmt: skip
        if len(said) < 2:
            return ""
        most = max(said.count(verdict) for verdict in said)
        reviews = self.known.reviews
        if reviews is not None and any(
            item.is_open and item.subject.kind != TASK for item in reviews.disagreements
        ):
            return _("{count} of {all} judges agree on the task", count=most, all=len(said))
        return _("{count} of {all} judges agree", count=most, all=len(said))

    # -- the verdict ---------------------------------------------------------
    def judge(self, verdict: str) -> None:
        """Give a verdict; its reason stays, unless the run did its task."""
        self._panel.show_page(self._page)
        own, folder = self.own, self.folder
        keeps = own is not None and verdict != SUCCESS
        reason_id = own.reason_id if keeps and own is not None else ""
        sentence = own.reason if own is not None else ""
        if own is None or own.verdict != verdict:
            self._give(lambda reviewing: reviewing.judge(folder, verdict, sentence, reason_id))

    def confirm(self) -> None:
        """Give the verdict of the automatic judges."""
        self._panel.show_page(self._page)
        folder = self.folder
        self._give(lambda reviewing: reviewing.confirm(folder))

    def _give(self, act: Act) -> None:
        """Give a verdict. What needs one can be done at once: acts are written in their order."""
        self.act(act, refused=self.show_side)
        self._services.commander.set_context(review__judged=True)

    def choose_reason(self, place: int) -> None:
        """Choose the reason with a key; again takes it back."""
        self._panel.show_page(self._page)
        reasons = self._work.reasons
        if place < len(reasons):
            own = self.own
            is_chosen = own is not None and own.reason_id == reasons[place].id
            self._give_reason("" if is_chosen else reasons[place].id)

    @Slot(str)
    def _give_reason(self, reason_id: str) -> None:
        own, folder = self.own, self.folder
        if own is not None and reason_id != own.reason_id:
            self.act(lambda reviewing: reviewing.judge(folder, own.verdict, own.reason, reason_id))

    @Slot(object, object, str)
    def _write_sentence(self, folder: Path, own: Judgement, sentence: str) -> None:
        self._work.act(lambda reviewing: reviewing.judge(folder, own.verdict, sentence, own.reason_id))

    def write_pending(self) -> None:
        """Write the sentence and the tags that are still in their fields."""
        self._page.write_pending()

    def write_reason(self) -> None:
        """Put the keyboard into the sentence of the verdict."""
        self._panel.reveal_page(self._page)
        self._page.sentence.setFocus()

    @Slot(object, object, str)
    def _write_tags(self, folder: Path, before: tuple[str, ...], text: str) -> None:
        wanted = [tag.strip() for tag in text.split(",") if tag.strip()]
        gone = [tag for tag in before if tag not in wanted]
        if list(before) != wanted:
            self._work.act(lambda reviewing: reviewing.tag(folder, wanted, gone))

    # -- essential states ----------------------------------------------------
    def _state(self, number: int) -> str:
        stored, snapshot = self.stored, self._services.project_library.snapshot
        task = snapshot.task(stored.header.task_id) if stored is not None and snapshot is not None else None
        states = task.essential_states if task is not None else ()
        if number >= len(states):
            raise no_such_state(len(states))
        return states[number]

    def mark_state(self, number: int) -> None:
        """Say that an essential state is reached at the step on show, or take it back."""
        state, folder, step = self._state(number), self.folder, self._session.step_number(self._session.side)
        if step is None or self.stored is None:
            raise UserError(_("This trajectory has no step here"), "", _("Go to the step that reaches it"))
        screen = screen_of_step(self.stored.steps, step)
        title = _("state {number}", number=number + 1)
        self.act(
            lambda reviewing: reviewing.label(
                folder, title, lambda labels: labels.toggled(state, step, screen)
            )
        )

    def mark_missed(self, number: int) -> None:
        """Say that an essential state is not reached, or take it back."""
        state, folder = self._state(number), self.folder
        title = _("state {number}", number=number + 1)
        self.act(
            lambda reviewing: reviewing.label(folder, title, lambda labels: labels.toggled_missed(state))
        )

    # -- decisions on others -------------------------------------------------
    def approve(self) -> None:
        """Approve what another person submitted; of several people, who is chosen."""
        self._choose_review(self._approve)

    def _approve(self, who: str) -> None:
        folder = self._decided
        self.act(lambda reviewing: reviewing.approve(folder, who))

    def reject(self) -> None:
        """Ask why, and reject what another person submitted; of several people, who is chosen."""
        self._choose_review(self._ask_why)

    def _ask_why(self, who: str) -> None:
        self._reviewer = who
        title = _("Reject the review of {who}", who=who)
        ask_text(self._parent, title, _("Why, in a sentence"), self._rejected)

    @Slot(str)
    def _rejected(self, reason: str) -> None:
        folder, who = self._decided, self._reviewer
        self.act(lambda reviewing: reviewing.reject(folder, who, reason))

    def _choose_review(self, decide: Callable[[str], object]) -> None:
        """Decide on the review that another person submitted; of several one is chosen by number."""
        self._decided, reviews = self.folder, self._require_reviews().reviews
        submitted = [review for review in reviews if review.submitted and review.who != self.person]
        if len(submitted) == 1:
            decide(submitted[0].who)
            return
        menu = ChoiceMenu(self._parent)
        for number, review in enumerate(submitted, start=1):
            verdict = verdict_text(review.verdict.verdict if review.verdict is not None else "")
            words = f"{review.who}: {verdict} · {review_status_text(review.status)}"
            key = f"&{number}  " if number <= _MOST_STATES else ""
            menu.addAction(f"{key}{menu_text(words)}").triggered.connect(partial(_chosen, decide, review.who))
        place = self._page if self._page.isVisible() else self._parent
        menu.popup(place.mapToGlobal(QPoint(0, 0)))

    def adjudicate(self) -> None:
        """Ask for the verdict that counts above all others. Raises UserError when nothing is disputed."""
        self._decided, reviews = self.folder, self._require_reviews()
        require_adjudicator(reviews, self.person)
        step, reasons = self._session.step_number(self._session.side), self._work.reasons
        dialog = JudgeDialog(
            self._parent.window(), disputes_to_settle(reviews, self._label_of, reasons, step), reasons,
            _("Adjudicate"), _("It counts above the verdicts of all others. Undo takes it back."),
        )  # fmt: skip
        dialog.judged.connect(self._adjudicated)
        dialog.open()

    @Slot(object, str, str, str)
    def _adjudicated(self, subject: Subject, verdict: str, reason: str, reason_id: str) -> None:
        folder = self._decided
        self.act(lambda reviewing: reviewing.adjudicate(folder, subject, verdict, reason, reason_id))

    def _label_of(self, state: str) -> str:
        known = self._services.project_library.edits.states.get(state)
        return known.label if known is not None else state


def _chosen(decide: Callable[[str], object], who: str, *_checked: object) -> None:
    decide(who)


def _dispute_row(dispute: DisputeRow) -> JudgeRow:
    """An open disagreement with its votes, or how it was settled."""
    says = dispute.settled or dispute.votes
    tip = "\n".join(filter(None, (dispute.title, dispute.votes, dispute.settled)))
    return JudgeRow("state-ok" if dispute.settled else "state-warn", dispute.title, says, tip)
