"""An agent that is asked the steps of a golden trajectory: its record, its verdicts, what they count for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from collector.agents.agent import AgentEpisode
from collector.agents.registry import DeclaredAgent, create_agent
from collector.comparison.alignment.aligned import align_stored
from collector.judge.judging import judge_trajectories
from collector.judge.registry import RULES_JUDGE, create_judge
from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.check import check_metrics
from collector.metrics.loading import load_episodes
from collector.metrics.measures.registry import MEASURES
from collector.metrics.pivot import pivot
from collector.metrics.step_accuracy import as_values, step_accuracy
from collector.metrics.usual_measures import usual_measures
from collector.model.action import Complete, Key, Tap, Type, Wait
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.usage import Usage
from collector.model.verdicts.answer_match import match_of
from collector.project_rules.project_rules import ProjectRules
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.cycle.steering.control import Resume, StopEpisode
from collector.run.cycle.steering.episode_control import EpisodeControl
from collector.run.events import ActionPredicted, ControlChanged, RunEvent
from collector.run.offline.answers_again import compare_answers, rejudge_answers
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.companions import companions_of
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.cycle_room import WAY, ListAgent, press
from tests.helpers.offline_room import OfflineRoom

NOWHERE = Tap(54, 230)


def verdicts(stored):
    """Number, verdict and reason of every answer."""
    found = map(match_of, stored.judgements().newest().values())
    return [(match.number, match.verdict, match.how) for match in sorted(found, key=lambda m: m.number)]


class RefusingAgent(ListAgent):
    """Says that it cannot be asked, as one that lacks a hidden text."""

    def begin(self, episode: AgentEpisode) -> None:
        raise UserError("no text")


def test_every_step_is_asked_on_its_screen_with_the_golden_steps_before_it(offline: OfflineRoom):
    golden = offline.golden("golden-1", WAY)
    cost = Usage(input_tokens=10, cost=0.5, currency="USD")
    answers = [
        press("Shop"),
        NOWHERE,
        press("Oak"),
        Key("back"),
        AgentTurn("", predicted=Complete(), usage=cost),
    ]
    calls = offline.room.phone.calls
    result = offline.ask("golden-1", answers)
    assert offline.room.phone.calls == calls, "no phone is used"
    assert (result.outcome.infrastructure, result.outcome.status, result.steps) == ("", "", 5)
    assert "3 of 5" in result.outcome.reason
    assert result.outcome.extra["first_wrong"] == 2, "where Review begins"
    assert (result.outcome.usage.cost, result.outcome.usage.input_tokens) == (0.5, 10)
    stored = offline.stored(result)
    assert stored.header.is_offline
    assert stored.header.episode.offline == "golden-1"
    assert verdicts(stored) == [
        (1, "right", "same"), (2, "wrong_element", "other element"), (3, "right", "same"),
        (4, "wrong_action", "other action"), (5, "right", "same"),
    ]  # fmt: skip
    for asked, seen in zip(golden.steps, offline.agent.seen, strict=True):
        assert seen.screen.xml == golden.tree(asked)
        done = [step.action for step in golden.steps[: asked.index]]
        assert [past.action for past in seen.history] == done, "not what it answered itself"
    assert [stored.tree(step) for step in stored.steps] == [golden.tree(step) for step in golden.steps]
    assert [step.action for step in stored.steps][1] == NOWHERE, "the answer, not what was done"
    wrong = next(each for each in stored.judgements().judgements if each.verdict == "wrong_element")
    assert wrong.better["kind"] == "tap", "what would have been right is a correction"
    assert align_stored((golden, stored)).slots == tuple((at, at) for at in range(5)), "nothing to look for"
    assert compare_answers(stored, EpisodeProject.load(offline.folder)).is_equal


def test_it_is_no_attempt_at_the_task(offline: OfflineRoom):
    offline.golden("golden-1", WAY)
    run = offline.room.run([*map(press, WAY), Complete()])
    result = offline.ask("golden-1", [*map(press, WAY), Complete()])
    assert "All 5" in result.outcome.reason
    stored = offline.stored(result)
    judge = create_judge(RULES_JUDGE, offline.project)
    (judged,) = judge_trajectories(ProjectRules(offline.project), [stored.folder], judge)
    assert (judged.is_attempt, judged.judgements) == (False, ())
    assert check_metrics(offline.project).differences == ()
    table = load_episodes(offline.project)
    assert usual_measures(table)[0] == "sr"
    assert usual_measures(table.where(table.offline))[0] == "step-accuracy", "nobody attempted a task"
    numbers = pivot(
        table, [DIMENSIONS["golden"]], [MEASURES["sr"], MEASURES["steps"], MEASURES["all-steps-right"]]
    )
    rates = {
        numbers.groups.labels[row][0]: [column.counts[row] for column in numbers.columns] for row in range(2)
    }
    of_runs = 1 + 1  # the golden one was made of a run
    assert rates == {"": [of_runs, of_runs, 0], "golden-1": [0, 0, 1]}
    with Catalogue(offline.project) as catalogue:
        catalogue.refresh()
        assert [row.id for row in catalogue.find("offline:golden-1")] == [result.trajectory]
        assert run.trajectory in {row.id for row in catalogue.find("kind:run offline:none")}
    assert companions_of(offline.project, stored.header, stored.steps) == [
        offline.project.find("buy/golden-1")
    ]


def test_what_another_golden_trajectory_did_there_is_right_too(offline: OfflineRoom):
    offline.golden("golden-1", ("Shop", "Posters", "Oak", "Add"))
    offline.golden("golden-2", ("Shop", "About", "Front", "Posters", "Oak", "Add"))
    answers = [press("Shop"), press("About"), press("Front"), press("Posters"), Complete()]
    stored = offline.stored(offline.ask("golden-1", answers))
    assert verdicts(stored)[:4] == [
        (1, "right", "same"), (2, "right", "other golden"), (3, "wrong_element", "other element"),
        (4, "wrong_element", "other element"),
    ]  # fmt: skip
    # When the other one goes, the answers can be compared again without asking anybody.
    other = offline.project.find("buy/golden-2")
    other.rename(offline.folder / "away")
    assert not compare_answers(stored, EpisodeProject.load(offline.folder)).is_equal
    (again,) = rejudge_answers(offline.folder, [stored.header.id])
    assert (again.before, again.now) == ("3/5", "2/5")
    assert verdicts(open_trajectory(stored.folder))[1] == (2, "wrong_element", "other element")


def test_an_agent_that_follows_golden_trajectories_follows_the_one_that_is_asked(offline: OfflineRoom):
    offline.golden("golden-1", WAY)
    offline.golden("golden-2", ("Shop", "About", "Front", "Posters", "Oak", "Add"))

    def right(asked, followed=""):
        agent = create_agent(DeclaredAgent("golden", {"waits": 0, "trajectory": followed}), offline.project)
        result = offline.ask(asked, [], agent=agent, name=f"{asked} {followed}")
        given = verdicts(offline.stored(result))
        return sum(verdict == "right" for _step, verdict, _how in given), len(given)

    assert (right("golden-1"), right("golden-2")) == ((5, 5), (7, 7))
    by_the_other, asked = right("golden-2", "golden-1")
    assert 0 < by_the_other < asked, "another recording of the task, which says how alike the two are"


def test_what_was_answered_before_a_fault_is_not_asked_again(offline: OfflineRoom):
    offline.golden("golden-1", WAY)
    paid = [AgentTurn("", predicted=Wait(), usage=Usage(cost=1.0, currency="USD")) for _step in range(2)]
    first = offline.ask("golden-1", [*paid, RuntimeError("gone")])
    assert "gone" in first.outcome.infrastructure
    assert offline.stored(first).judgements().judgements == (), "it is no episode of its cell"
    offline.attempt = 1
    second = offline.ask("golden-1", [press("Oak"), press("Add"), Complete()])
    assert [seen.step for seen in offline.agent.seen] == [3, 4, 5]
    assert second.outcome.usage.cost == 2.0, "what the answers took, whichever attempt got them"
    assert [verdict for _number, verdict, _how in verdicts(offline.stored(second))] == [
        "wrong_action", "wrong_action", "right", "right", "right",
    ]  # fmt: skip
    assert first.may_help_to_retry
    refused = offline.ask("golden-1", [], agent=RefusingAgent([]), name="refused")
    assert (refused.outcome.infrastructure, refused.may_help_to_retry) == ("no text", False)
    other = offline.ask("golden-1", [Complete()], name="another")
    assert len(offline.agent.seen) == 5, "of another experiment nothing is known"
    assert step_accuracy(offline.project, query="experiment:off").episodes == 1
    assert other.outcome.infrastructure == ""


def test_a_golden_trajectory_that_is_gone_is_a_fault_and_a_password_is_never_kept(offline: OfflineRoom):
    gone = offline.ask("golden-9", [Complete()])
    assert "golden-9" in gone.outcome.infrastructure
    offline.golden("golden-1", ("Shop",), [Type(redacted=True)])
    result = offline.ask("golden-1", [press("Shop"), Type("s3cret-word", 11), Complete()])
    stored = offline.stored(result)
    assert verdicts(stored)[1] == (2, "undecided", "hidden")
    assert stored.steps[1].action == Type(redacted=True)
    kept = b"".join(path.read_bytes() for path in stored.folder.rglob("*") if path.is_file())
    assert b"s3cret-word" not in kept


def test_the_numbers_are_those_of_a_plain_loop_over_the_files(offline: OfflineRoom):
    offline.golden("golden-1", WAY)
    offline.golden("golden-2", ("Shop", "About", "Front", "Posters", "Oak", "Add"))
    offline.ask("golden-1", [press("Shop"), press("About"), press("Oak"), Key("back"), Complete()])
    offline.ask("golden-2", [press("Shop"), press("Posters"), NOWHERE, press("Posters"), Wait()])
    plain = list(plain_counts(offline))
    for by in (("agent",), ("action", "length"), ("app", "step"), ("golden", "why")):
        counts: dict[tuple[str, ...], Counter[str]] = {}
        for values, count in plain:
            counts.setdefault(tuple(values[name] for name in by), Counter()).update(count)
        table = as_values(step_accuracy(offline.project, by))
        assert len(table["groups"]) == len(counts)
        for group in table["groups"]:
            count = counts[tuple(group[name] for name in by)]
            assert {name: group[name] for name in count} == dict(count)
            assert group["step_accuracy"] == pytest.approx(count["right"] / count["steps"])
    total = sum((count for _values, count in plain), Counter())
    measures = [MEASURES[name] for name in ("step-accuracy", "exact-match", "type-match", "grounding")]
    numbers = pivot(load_episodes(offline.project, "offline:any"), [DIMENSIONS["agent"]], measures)
    hits = [(int(column.hits[0]), int(column.counts[0])) for column in numbers.columns]
    parts = [total[name] for name in ("right", "exact", "same_type", "right_touches")]
    assert hits == list(zip(parts, [*[total["steps"]] * 3, total["touches"]], strict=True))


def plain_counts(offline: OfflineRoom) -> Iterator[tuple[dict[str, str], Counter[str]]]:
    """Of each stored answer its groups and what it counts, from the files alone."""
    for folder in offline.project.trajectory_folders("buy"):
        stored = open_trajectory(folder)
        if not stored.header.is_offline:
            continue
        golden = open_trajectory(offline.project.find(f"buy/{stored.header.episode.offline}"))
        said = {each.subject.first: each for each in stored.judgements().judgements}
        for step, asked in zip(stored.steps, golden.steps, strict=True):
            own, verdict, size = asked.action or Complete(), said[step.index], len(golden.steps)
            right, is_touch = verdict.verdict == "right", own.kind == step.action.kind == "tap"
            yield {
                "agent": "list", "action": own.kind, "app": "Shop", "step": str(step.index + 1),
                "length": "1-5" if size <= 5 else "6-10", "golden": golden.header.id,
                "why": verdict.proof["how"],
            }, Counter(
                steps=1, right=right, exact=right and verdict.proof["how"] == "same",
                same_type=right or step.action.kind == own.kind, touches=is_touch,
                right_touches=is_touch and right,
            )  # fmt: skip


def test_a_person_pauses_and_ends_it(offline: OfflineRoom):
    offline.golden("golden-1", WAY)
    control, said = EpisodeControl(is_paused=True), []

    def watch(event: RunEvent) -> None:
        if isinstance(event, ControlChanged):
            said.append(event.state)
            if event.state == "paused":
                control.send(Resume())
        if isinstance(event, ActionPredicted) and event.step == 3:
            control.send(StopEpisode())

    result = offline.ask("golden-1", [Complete()], control=control, emit=watch)
    assert said[:2] == ["paused", "running"]
    assert (result.outcome.stopped, result.steps) == (True, 2)
    assert offline.stored(result).header.outcome == result.outcome
