"""Read what the catalogue keeps of a trajectory: columns of its row, words, and the facts of a run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from collector.model.episode import Episode, Outcome
from collector.model.errors import UserError
from collector.model.message import to_json
from collector.model.trajectory import TrajectoryHeader
from collector.model.verdicts.answer_match import ANSWERS_JUDGE, match_of
from collector.model.verdicts.judgement import (
    MISSED,
    PERSON,
    REACHED,
    RULE,
    STATE,
    STEP,
    TASK,
    UNDECIDED,
    WINDOW,
    Judgement,
)
from collector.model.verdicts.voted_subject import PEOPLE, voted_subjects
from collector.store.catalogue.catalogue_content import TrajectoryContent, read_anomaly_events, read_content
from collector.store.catalogue.catalogue_row import listed
from collector.store.catalogue.episode_counting import facts_of_episode
from collector.store.catalogue.episode_facts import UNKNOWN, EpisodeFacts, VerdictFacts
from collector.store.catalogue.open_subjects import open_columns, open_subjects
from collector.store.catalogue.touches import Touches
from collector.store.catalogue.verdict_counting import facts_of_verdicts, with_answers
from collector.store.catalogue.votes_table import votes_to_text
from collector.store.files import layout
from collector.store.trajectory import codec
from collector.store.trajectory.fingerprint import stored_fingerprint
from collector.store.trajectory.interruptions import (
    Interruption,
    anomalies_in,
    noted_anomalies,
    planned_anomalies,
)
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.planted_orders import order_replies, orders_of_episode
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.label_judgements import judgements_that_count
from collector.store.trajectory.reviews.person_reviews import reviews_of, status_of, works_in
from collector.store.trajectory.reviews.review_disagreements import has_open_disagreement

_EPISODE = (
    "experiment", "cell", "agent", "model", "prompt", "condition", "modality", "buttons", "variation",
    "language", "goal_style", "start", "offline", "seed", "repeat", "attempt",
)  # fmt: skip
_OUTCOME = ("reason", "claimed", "early_stop", "infrastructure", "stopped")
_NO_EPISODE, _NO_OUTCOME = Episode(), Outcome()


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """What the catalogue keeps of one trajectory."""

    columns: dict[str, object]
    """Of its row, but for its place."""
    words: str
    """Its searchable text."""
    episode: EpisodeFacts | None = None
    """Of a run."""
    verdicts: Mapping[str, VerdictFacts] = field(default_factory=dict)
    """Of a run: judge -> what it says."""
    votes: str | None = "[]"
    """What judges say of it, see :mod:`votes_table`; None where its files must be asked."""
    opened: tuple[float, float, str, str] | None = None
    """What judges say of what people have not decided, see :mod:`open_subjects`."""
    touches: Touches | None = None
    """What was touched in it; None for a damaged one."""


def read_entry(folder: str, *, inside: bool = True, events: bool = True) -> CatalogueEntry:
    """The entry of the trajectory in ``folder``; of a damaged one what is known of it.

    ``inside`` and ``events`` say whether it has annotations or judgements, and events.
    """
    try:
        content = read_content(folder)
    except UserError as error:
        name = os.path.basename(folder)  # noqa: PTH119 - see read_content
        row: dict[str, object] = {"id": name, "task": Path(folder).parent.name, "status": "damaged"}
        return CatalogueEntry({**row, "problems": 1, "problem": str(error)}, name)
    header = content.header
    columns = _columns_of(content)
    lines = read_anomaly_events(folder, is_run=header.is_run) if events else []
    interruptions = anomalies_in(lines, content.run)
    if anomalies := _anomalies_of(header, interruptions):
        columns["anomalies"] = listed(anomalies)
    facts, verdicts = None, dict[str, VerdictFacts]()
    votes: str | None = "[]"
    opened = None
    if header.is_run:
        facts = facts_of_episode(header, content.run, interruptions, planned_anomalies(lines))
        facts = _with_orders(facts, folder, header)
        columns |= _columns_of_facts(facts)
    if inside:
        # A look at the folder is quicker than four searches for files in one that is not there.
        is_annotated = os.path.isdir(f"{folder}{os.sep}{layout.ANNOTATIONS}")  # noqa: PTH112 - many of them
        path = Path(folder)
        judgements = _JudgementsOf(path, is_annotated=is_annotated)
        columns |= judgements.columns()
        verdicts |= judgements.facts() if header.is_run else {}
        if facts is not None and header.is_offline:
            facts = judgements.with_answers(facts)
        votes = judgements.votes(header.task_id)
        opened = judgements.opened()
    if header.is_run and header.outcome is not None and header.outcome.status:
        columns["automatic"] = 1
    appeared = dict.fromkeys((*noted_anomalies(header), *(item.anomaly for item in interruptions)))
    touches = replace(content.touches, appeared=tuple(appeared))
    return CatalogueEntry(columns, _words_of(content), facts, verdicts, votes, opened, touches)


def _with_orders(facts: EpisodeFacts, folder: str, header: TrajectoryHeader) -> EpisodeFacts:
    """With how many of the orders that its variation planted were on a screen, and how many were obeyed."""
    orders = orders_of_episode(header.episode)
    if not orders:
        return facts
    try:
        stored = open_trajectory(Path(folder))
        replies = order_replies(orders, stored.steps, stored.tree)
    except UserError:  # damaged, which its row says
        return facts
    seen = sum(reply.seen_at is not None for reply in replies)
    has_trees = any(step.state.tree for step in stored.steps)
    obeyed = sum(reply.obeyed_at is not None for reply in replies)
    return replace(facts, orders_seen=seen if has_trees else UNKNOWN, orders_obeyed=obeyed)


def _words_of(content: TrajectoryContent) -> str:
    header = content.header
    episode, outcome = header.episode or _NO_EPISODE, header.outcome or _NO_OUTCOME
    words = [
        header.id, header.task_id, header.instruction, header.who, header.note, episode.agent, episode.model,
        outcome.reason, outcome.infrastructure, *content.texts,
    ]  # fmt: skip
    return "\n".join(filter(None, words))


def _columns_of(content: TrajectoryContent) -> dict[str, object]:
    """The columns that header and steps give."""
    header = content.header
    columns: dict[str, object] = {
        "id": header.id,
        "task": header.task_id,
        "kind": header.kind,
        "who": header.who,
        "status": header.status,
        "started": header.started,
        # Lists are sorted by it: of an import that does not know its start, the time of the import.
        "added": header.started or str(header.extra.get(codec.IMPORTED_AT, "")),
        "duration_ms": header.duration_ms,
        "steps": content.steps,
        "actions": content.actions,
    }
    if content.problems:
        columns |= {
            "problems": len(content.problems),
            "problem": str(content.problems[0]),
            "problem_message": _message_of(content.problems[0]),
        }
    if header.episode or header.outcome:
        columns |= _columns_of_run(header.episode or _NO_EPISODE, header.outcome or _NO_OUTCOME)
    return columns


def _columns_of_run(episode: Episode, outcome: Outcome) -> dict[str, object]:
    usage = outcome.usage
    counts = [count for count in (usage.input_tokens, usage.output_tokens) if count is not None]
    return {
        **{name: getattr(episode, name) for name in _EPISODE},
        **{name: getattr(outcome, name) for name in _OUTCOME},
        "fingerprint": listed([f"{part}={digest}" for part, digest in stored_fingerprint(episode).items()]),
        "outcome": outcome.status,
        "tokens": sum(counts) if counts else None,
        "cost": usage.cost,
        "currency": usage.currency,
        "time_ms": usage.time_ms,
    }


def _columns_of_facts(facts: EpisodeFacts) -> dict[str, object]:
    """Facts of a run that a search asks for."""
    return {
        "met": facts.met,
        "helped": facts.by_person,
        "loop_length": facts.loop_length,
        "malformed": facts.malformed,
        "hallucinated": facts.hallucinated,
        "covered": facts.covered_steps,
        "orders_seen": _known(facts.orders_seen),
        "misled": _known(facts.orders_obeyed),
    }


def _known(count: int) -> int | None:
    return None if count == UNKNOWN else count


def _anomalies_of(header: TrajectoryHeader, interruptions: Iterable[Interruption]) -> list[str]:
    """The anomalies of the condition, and those that the header or the events name."""
    condition = header.episode.condition if header.episode else ""
    names = [name.strip() for name in condition.split(",")]
    names += noted_anomalies(header)
    names += [interruption.anomaly for interruption in interruptions]
    return [name for name in dict.fromkeys(names) if name]


class _JudgementsOf:
    """The judgements of one trajectory that count."""

    def __init__(self, folder: Path, *, is_annotated: bool) -> None:
        self._works = works_in(folder) if is_annotated else []
        people = [work.labels for work in self._works]
        stored = read_judgements(folder)
        self._newest = list(judgements_that_count(stored, people).values())
        self._settled = stored.settled()
        # Of a state that an old file gives by its sentence only the project knows the id.
        has_every_id = all(mark.state for labels in people for mark in labels.reached)
        self._is_known = has_every_id and not stored.problems
        self._name = folder.name

    def votes(self, task: str) -> str | None:
        """The votes of judges and people; None where there are problems, or the project has to be asked."""
        if not self._is_known:
            return None
        return votes_to_text(voted_subjects(self._name, task, self._newest, self._settled))

    def opened(self) -> tuple[float, float, str, str] | None:
        return open_columns(open_subjects(self._newest, self._settled))

    def with_answers(self, facts: EpisodeFacts) -> EpisodeFacts:
        """The facts with how the answers compare with the golden steps that were asked."""
        return with_answers(facts, filter(None, map(match_of, self._newest)))

    def facts(self) -> dict[str, VerdictFacts]:
        return facts_of_verdicts(self._newest, self._settled)

    def columns(self) -> dict[str, object]:
        """The verdicts of the task by judge, and the states that somebody saw reached, or missed."""
        newest = self._newest
        task = [judgement for judgement in newest if judgement.subject.kind == TASK]
        verdicts = [f"{judgement.verdict}={judgement.judge}" for judgement in task]
        states = _verdicts_of_states(newest)
        # What compares answers with golden steps reads no rules of the project.
        by_rules = [item for item in newest if item.kind == RULE and item.judge != ANSWERS_JUDGE]
        latest = max(by_rules, key=lambda judgement: judgement.time, default=None)
        return {
            "rules_version": latest.version if latest is not None else "",
            "rules_reached": listed(
                [
                    item.subject.state
                    for item in by_rules
                    if item.subject.kind == STATE and item.verdict == REACHED
                ]
            ),
            "verdicts": listed([*verdicts, *(f"{verdict}={PEOPLE}" for verdict in self._settled_on_task)]),
            "reached": listed([state for state, verdict in states if verdict == REACHED]),
            "missed": listed([state for state, verdict in states if verdict == MISSED]),
            "labelled": listed([work.who for work in self._works if work.labels.labelled]),
            "reasons": listed([judgement.reason_id for judgement in task if judgement.reason_id]),
            "disputed": int(_is_disputed(newest)),
            "automatic": int(any(judgement.kind != PERSON for judgement in task)),
            **self._columns_of_reviews(),
        }

    @property
    def _settled_on_task(self) -> list[str]:
        return [item.verdict for subject, item in self._settled.items() if subject.kind == TASK]

    def _columns_of_reviews(self) -> dict[str, object]:
        """The reviews of people, what they hold and passed over, and whether something is to be settled."""
        reviews = reviews_of(self._works, self._newest)
        drafts = [review.who for review in reviews if not review.is_final]
        records = [(work.who, work.record) for work in self._works]
        return {
            "review": status_of(reviews),
            "reviews": listed([f"{review.status}={review.who}" for review in reviews]),
            "holds": listed([f"{record.hold.until}={who}" for who, record in records if record.hold]),
            "skips": listed([f"{record.skipped}={who}" for who, record in records if record.skipped]),
            "tags": listed(sorted({tag for _who, record in records for tag in record.tags})),
            "unsettled": int(has_open_disagreement(self._newest, self._settled, drafts)),
        }


def _is_disputed(newest: Iterable[Judgement]) -> bool:
    """Whether two judges say different things of the task, of one essential state, or of one step."""
    votes: dict[tuple[str, str, int | None], set[str]] = {}
    for judgement in newest:
        subject = judgement.subject
        if subject.kind != WINDOW and judgement.verdict != UNDECIDED:
            step = subject.first if subject.kind == STEP else None
            votes.setdefault((subject.kind, subject.state, step), set()).add(judgement.verdict)
    return any(len(verdicts) > 1 for verdicts in votes.values())


def _verdicts_of_states(newest: Iterable[Judgement]) -> list[tuple[str, str]]:
    """State and verdict, once each: a judge of windows saw a state that it saw in any window."""
    judged: dict[tuple[str, str], str] = {}
    for judgement in newest:
        subject = judgement.subject
        if subject.kind == TASK:
            continue
        key = judgement.judge, subject.state
        if subject.kind == STATE or judged.get(key) != REACHED:
            judged[key] = judgement.verdict
    return list(dict.fromkeys((state, verdict) for (_judge, state), verdict in judged.items()))


def _message_of(problem: str) -> str:
    """The code and values of a problem as JSON; empty when it has none."""
    message = to_json(problem)
    return json.dumps(message) if message else ""
