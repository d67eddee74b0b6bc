"""What each judge says of a run, and what people as a whole say, as the catalogue keeps it."""

from __future__ import annotations

from dataclasses import asdict

from collector.model.verdicts.judgement import MODEL, PERSON, RULE, Judgement, Subject
from collector.store.catalogue.catalogue_row import items
from collector.store.catalogue.episode_facts import VerdictFacts
from collector.store.catalogue.verdict_counting import facts_of_verdicts
from tests.helpers.run_files import says


def shown(facts: VerdictFacts) -> tuple[str, set[str], set[str], set[str], int]:
    values = asdict(facts)
    lists = (set(items(values[name])) for name in ("reached", "missed", "steps"))
    return (values["verdict"], *lists, values["is_by_labels"])  # type: ignore[return-value]


def test_each_judge_has_its_verdict_its_states_and_its_steps() -> None:
    facts = facts_of_verdicts(says("rules", RULE, "success", a=3, b=False, c=True), {})
    assert {judge: shown(said) for judge, said in facts.items()} == {
        "rules": ("success", {"a", "c"}, {"b"}, {"a=3"}, 0)
    }


def test_a_model_that_looks_at_windows_saw_what_it_saw_in_any() -> None:
    windows = [(0, 1, "missed"), (2, 3, "reached"), (4, 5, "reached"), (6, 7, "missed")]
    given = [
        Judgement("qwen", MODEL, "", Subject("window", "a", first, last), verdict)
        for first, last, verdict in windows
    ]
    given.append(Judgement("qwen", MODEL, "", Subject("window", "b", 0, 1), "missed"))
    assert shown(facts_of_verdicts(given, {})["qwen"]) == ("", {"a"}, {"b"}, {"a=3"}, 0)


def test_people_as_a_whole_say_what_was_settled_else_what_most_say() -> None:
    given = [
        *says("ann", PERSON, "success", a=4, b=True, c=True),
        *says("bo", PERSON, "failure", a=2, b=False, c=True),
        *says("cy", PERSON, "success", a=False),
    ]
    facts = facts_of_verdicts(given, {})
    assert set(facts) == {"ann", "bo", "cy", "people"}
    # Of a the first step of those who saw it; of b people are split.
    assert shown(facts["people"]) == ("success", {"a", "c"}, set(), {"a=2"}, 0)
    settled = {
        Subject(): Judgement("di", PERSON, "", Subject(), "failure", settles=True),
        Subject("state", "b"): Judgement("di", PERSON, "", Subject("state", "b"), "missed", settles=True),
        Subject("state", "c"): Judgement("di", PERSON, "", Subject("state", "c"), "undecided", settles=True),
    }
    assert shown(facts_of_verdicts(given, settled)["people"]) == ("failure", {"a"}, {"b"}, {"a=2"}, 0)
    assert shown(facts_of_verdicts(given, settled)["ann"])[0] == "success"


def test_labels_say_what_becomes_of_the_task_only_where_nobody_judged_it() -> None:
    def by_labels(*given: Judgement, settled: str = "") -> dict[str, int]:
        final = {Subject(): Judgement("di", PERSON, "", Subject(), settled, settles=True)} if settled else {}
        return {judge: said.is_by_labels for judge, said in facts_of_verdicts(given, final).items()}

    ann, bo = says("ann", PERSON, a=4), says("bo", PERSON, a=2)
    assert by_labels(*ann, *bo, *says("rules", RULE, a=4)) == {"ann": 1, "bo": 1, "people": 1, "rules": 0}
    for verdict in ("success", "undecided"):
        assert by_labels(*says("ann", PERSON, verdict, a=4), *bo) == {"ann": 0, "bo": 1, "people": 0}
        assert by_labels(*ann, *bo, settled=verdict) == {"ann": 1, "bo": 1, "people": 0}


def test_who_cannot_say_says_nothing() -> None:
    undecided = Judgement("ann", PERSON, "", Subject(), "undecided")
    assert facts_of_verdicts([undecided], {}) == {}
    assert facts_of_verdicts([], {}) == {}
