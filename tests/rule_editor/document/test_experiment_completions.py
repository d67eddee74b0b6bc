"""What can be typed at a cursor in an experiment."""

from __future__ import annotations

import pytest

from rule_editor.document.completion.experiment_completions import complete_experiment
from tests.collector.run.experiment.scopes import experiment_scope


def proposals(text: str) -> list[str]:
    """The labels proposed where ``text`` has its bar."""
    at = text.index("|")
    return [item.label for item in complete_experiment(text.replace("|", ""), at, experiment_scope())]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("|", "format"),
        ("tasks: all\nag|", "agents"),
        ("tasks: a|", "all"),
        ("tasks: [shop-1, sh|]", "shop-2"),
        ("tasks: {wh|}", "where"),
        ("tasks:\n  where: golden\n  except: [to|]", "todo-1"),
        ("agents: [gol|]", "golden"),
        ("agents:\n  - car|", "careful"),
        ("agents:\n  - id: a\n    ki|", "kind"),
        ("agents:\n  - kind: mon|", "monkey"),
        ("agents:\n  - kind: careful\n    po|", "policy"),
        ("agents:\n  - kind: careful\n    policy: l|", "later"),
        ("agents: [{kind: careful, wa|}]", "waits"),
        ("conditions: [base|]", "baseline"),
        ("conditions:\n  - low_s|", "low_single"),
        ("conditions:\n  - anom|", "anomaly"),
        ("conditions: [{anomaly: only|}]", "only_double"),
        ("conditions:\n  - id: a\n    rules: [on|]", "on-list"),
        ("conditions:\n  - anomalies:\n      - low_d|", "low_double"),
        ("conditions:\n  - anomalies:\n      - anomaly: air|", "airplane"),
        ("modality: [tr|]", "tree"),
        ("semantics: d|", "dgara"),
        ("seeds: {co|}", "count"),
        ("phones:\n  vir|", "virtual"),
        ("variations: [dark|]", "dark_theme"),
        ("repeats: |", "1"),
    ],
)
def test_the_best_proposal_fits_the_place(text: str, first: str) -> None:
    assert proposals(text)[:1] == [first]


@pytest.mark.parametrize("text", ["# ta|", "nothing: a|", "agents:\n  - kind: no\n    po|"])
def test_nothing_is_proposed_where_nothing_fits(text: str) -> None:
    assert proposals(text) == []


def test_a_proposal_replaces_the_word_at_the_cursor() -> None:
    text = "tasks: all\nagents: [gold]\n"
    (item,) = complete_experiment(text, text.index("]"), experiment_scope())
    assert text[item.start : item.end] == "gold"
    assert (item.text, item.doc) == ("golden", "golden")


def test_keys_that_are_there_are_not_proposed_again() -> None:
    assert "tasks" not in proposals("tasks: all\n|")
    assert "kind" not in proposals("agents:\n  - kind: golden\n    |")
