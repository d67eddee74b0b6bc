"""Compare the stored answers of offline episodes again, as golden trajectories and reviewers are now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from collector.judge.judging import keep_judgements
from collector.model.action import Invalid
from collector.model.errors import UserError
from collector.model.verdicts.answer_match import AnswerMatch, match_of
from collector.model.verdicts.judgement import RIGHT, UNDECIDED
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.offline.answer_matching import match_answer
from collector.run.offline.golden_questions import GoldenQuestions
from collector.run.offline.offline_episode import compared_outcome, judgement_of
from collector.run.recomputation.recompute import VERDICT, Difference, Recomputation, folders_of_runs
from collector.run.recomputation.rejudge import Rejudged
from collector.store.project.runs import replace_outcome
from collector.store.trajectory.header_file import now
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory


def compare_answers(stored: StoredTrajectory, project: EpisodeProject) -> Recomputation:
    """Compare the answers of an episode again, and say what comes out otherwise."""
    header = stored.header
    try:
        again = _matches(stored, project)
    except UserError as error:
        return Recomputation(header.id, header.task_id, problem=str(error))
    before = {match.number: match for match in _known(stored)}
    differences = [
        Difference(VERDICT, match.number, _text(before.get(match.number)), _text(match))
        for match in again
        if _text(before.get(match.number)) != _text(match)
    ]
    return Recomputation(header.id, header.task_id, {VERDICT: len(again)}, tuple(differences))


def rejudge_answers(folder: Path, names: Sequence[str]) -> Iterator[Rejudged]:
    """Store the verdicts of now on the answers of offline episodes, among the runs of ``names``.

    An episode that cannot be compared is left as it is. Raises UserError for a name that is none, and for
    verdicts that cannot be written.
    """
    project = EpisodeProject.load(folder)
    for run in folders_of_runs(project, names):
        try:
            stored = open_trajectory(run)
            header = stored.header
            if not header.is_offline or header.outcome is None or header.outcome.infrastructure:
                continue
            again = _matches(stored, project)
        except UserError:
            continue
        before = _known(stored)
        if list(map(_text, before)) == list(map(_text, again)) or header.episode is None:
            continue
        keep_judgements(run, [judgement_of(match, match.number - 1, now()) for match in again])
        replace_outcome(run, compared_outcome(header.outcome, again), header.episode)
        yield Rejudged(header.id, header.task_id, _score(before), _score(again))


def _matches(stored: StoredTrajectory, project: EpisodeProject) -> list[AnswerMatch]:
    header = stored.header
    golden = header.episode.offline if header.episode is not None else ""
    questions = GoldenQuestions.of(project.project, project.task(header.task_id), golden)
    return [
        match_answer(
            questions,
            question,
            step.action or Invalid(),
            step.agent.focus if step.agent is not None else None,
        )
        for question, step in zip(questions.questions, stored.steps, strict=False)
    ]


def _known(stored: StoredTrajectory) -> list[AnswerMatch]:
    matches = filter(None, map(match_of, stored.judgements().newest().values()))
    return sorted(matches, key=lambda match: match.number)


def _text(match: AnswerMatch | None) -> str:
    return f"{match.verdict}, {match.how}" if match is not None else ""


def _score(matches: Sequence[AnswerMatch]) -> str:
    known = [match for match in matches if match.verdict != UNDECIDED]
    return f"{sum(match.verdict == RIGHT for match in known)}/{len(known)}"
