"""Measures over columns give what plain loops over the same random episodes give, in every group."""

from __future__ import annotations

import math
import random
import statistics
from collections import defaultdict
from itertools import combinations

import pytest

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.measures.registry import MEASURES
from collector.metrics.pivot import Pivot, pivot
from collector.store.catalogue.episode_facts import LOOP, EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes

Episode = tuple[EpisodeFacts, tuple[int, int]]
Value = float | None


def random_episodes(seed: int) -> list[Episode]:
    chance = random.Random(seed)
    episodes = []
    for at in range(400):
        condition = chance.choice(("", "", "low", "wifi"))
        judged = chance.choice((0, 3, 3))
        facts = EpisodeFacts(
            task=chance.choice("abcd"), agent=chance.choice("gh"), condition=condition,
            variation=chance.choice(("", "dark")), seed=chance.randrange(3), repeat=chance.choice((-1, 0)),
            experiment=chance.choice(("", "first")), started_ms=at,
            outcome=chance.choice(("success", "success", "failure", "uncompleted", "")),
            claimed=chance.choice(("", "complete", "answer", "impossible")),
            is_finished=int(chance.random() < 0.95), is_fault=int(chance.random() < 0.1),
            by_person=int(chance.random() < 0.05), met=int(bool(condition) and chance.random() < 0.7),
            actions=chance.randrange(1, 12), loop_length=chance.randrange(6),
        )  # fmt: skip
        episodes.append((facts, (chance.randrange(judged + 1), judged)))
    return episodes


def is_counted(facts: EpisodeFacts) -> bool:
    return bool(facts.is_finished and not facts.is_fault and not facts.by_person and facts.outcome)


def succeeds(facts: EpisodeFacts) -> bool:
    return facts.outcome == "success"


def is_interrupted(facts: EpisodeFacts) -> bool:
    return bool(facts.condition or facts.met)


def baseline_of(episode: Episode, episodes: list[Episode]) -> Episode | None:
    """The newest baseline that is equal in the unit, one of the same experiment before all others."""

    def unit(facts: EpisodeFacts) -> tuple[object, ...]:
        return facts.task, facts.agent, facts.variation, facts.seed, facts.repeat

    fitting = [
        other for other in episodes
        if is_counted(other[0]) and not is_interrupted(other[0]) and unit(other[0]) == unit(episode[0])
    ]  # fmt: skip
    own = episode[0].experiment
    return max(fitting, key=lambda other: (other[0].experiment == own, other[0].started_ms), default=None)


def mean(values: list[float]) -> Value:
    return statistics.fmean(values) if values else None


def pairs(group: list[Episode], episodes: list[Episode]) -> list[tuple[Episode, Episode]]:
    found = [
        (episode, baseline_of(episode, episodes))
        for episode in group
        if is_counted(episode[0]) and is_interrupted(episode[0])
    ]
    return [(episode, baseline) for episode, baseline in found if baseline is not None]


def rsr(group: list[Episode], episodes: list[Episode]) -> Value:
    return mean([succeeds(own[0]) for own, base in pairs(group, episodes) if succeeds(base[0])])


def difference(group: list[Episode], episodes: list[Episode]) -> Value:
    return mean([succeeds(own[0]) - succeeds(base[0]) for own, base in pairs(group, episodes)])


def steps_lost(group: list[Episode], episodes: list[Episode]) -> Value:
    return mean([
        own[0].actions - base[0].actions
        for own, base in pairs(group, episodes)
        if own[0].met and succeeds(own[0]) and succeeds(base[0])
    ])  # fmt: skip


def states_lost(group: list[Episode], episodes: list[Episode]) -> Value:
    return mean([
        base[1][0] - own[1][0]
        for own, base in pairs(group, episodes)
        if own[0].met and own[1][1] and own[1][1] == base[1][1]
    ])  # fmt: skip


def claimed_early(group: list[Episode], _episodes: list[Episode]) -> Value:
    claims = [
        facts for facts, _states in group if is_counted(facts) and facts.claimed in ("complete", "answer")
    ]
    return mean([not succeeds(facts) for facts in claims])


def loop_risk(group: list[Episode], _episodes: list[Episode]) -> Value:
    parts: dict[bool, list[float]] = {True: [], False: []}
    for facts, _states in group:
        if is_counted(facts):
            parts[facts.loop_length >= LOOP].append(not succeeds(facts))
    return statistics.fmean(parts[True]) / statistics.fmean(parts[False])


def all_of_three(group: list[Episode], _episodes: list[Episode]) -> Value:
    """pass^3 by its definition: the share of all choices of three tries that succeed throughout."""
    tries = defaultdict(list)
    for facts, _states in group:
        if is_counted(facts):
            tries[facts.task, facts.agent, facts.condition, facts.variation].append(succeeds(facts))
    return mean([
        statistics.fmean(all(chosen) for chosen in combinations(own, 3))
        for own in tries.values() if len(own) >= 3
    ])  # fmt: skip


def within_std(group: list[Episode], _episodes: list[Episode]) -> Value:
    runs: dict[str, dict[tuple[int, int], list[float]]] = defaultdict(lambda: defaultdict(list))
    for facts, _states in group:
        if is_counted(facts):
            runs[facts.variation][facts.seed, facts.repeat].append(succeeds(facts))
    repeated = [own for own in runs.values() if len(own) > 1]
    return mean([statistics.stdev(statistics.fmean(run) for run in own.values()) for own in repeated])


def across_mad(group: list[Episode], _episodes: list[Episode]) -> Value:
    variations = defaultdict(list)
    for facts, _states in group:
        if is_counted(facts):
            variations[facts.variation].append(succeeds(facts))
    rates = [statistics.fmean(own) for own in variations.values()]
    return mean([abs(rate - statistics.fmean(rates)) for rate in rates]) if len(rates) > 1 else None


PLAIN = {
    "rsr": rsr, "difference": difference, "steps-lost": steps_lost, "states-lost": states_lost,
    "claimed-early": claimed_early, "loop-risk": loop_risk, "pass^3": all_of_three, "within-std": within_std,
    "across-mad": across_mad,
}  # fmt: skip


def computed(episodes: list[Episode], by: tuple[str, ...]) -> Pivot:
    table = columns_of_episodes(
        [facts for facts, _states in episodes], states=[states for _f, states in episodes]
    )
    return pivot(table, [DIMENSIONS[name] for name in by], [MEASURES[name] for name in PLAIN])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("by", [(), ("agent",), ("agent", "condition")])
def test_columns_and_plain_loops_agree(seed: int, by: tuple[str, ...]) -> None:
    episodes = random_episodes(seed)
    result = computed(episodes, by)
    numbers = 0
    for row, labels in enumerate(result.groups.labels):
        group = [episode for episode in episodes if tuple(getattr(episode[0], name) for name in by) == labels]
        for column, plain in enumerate(PLAIN.values()):
            cell, expected = result.cell(row, column), plain(group, episodes)
            numbers += expected is not None
            assert cell.value == (None if expected is None else pytest.approx(expected, abs=1e-12))
            assert cell.value is None or not math.isnan(cell.value)
    assert numbers > len(result.groups) * 5 - 1
