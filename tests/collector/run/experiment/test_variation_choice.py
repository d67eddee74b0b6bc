"""How an experiment chooses its variations: parts one at a time, lists crossed, and samples of them."""

from __future__ import annotations

import pytest

from collector.run.experiment.reader import ExperimentFile, read_experiment
from collector.run.experiment.scope import ExperimentScope
from collector.variations.combination import (
    by_factor,
    crossed_size,
    crossed_versions,
    default_lists,
    sampled_versions,
)
from collector.variations.registry import Variations

_ALL = crossed_size(default_lists(Variations()))
HEAD = "format: waymark-experiment\nversion: 1\ntasks: [a]\nagents: [monkey]\n"


def read(variations: str) -> ExperimentFile:
    return read_experiment(f"{HEAD}variations: {variations}\n", ExperimentScope())


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("{one_at_a_time: german@calendar+dark_theme}", ("", "dark_theme", "german@calendar")),
        ("{one_at_a_time: [dark_theme+german, german+consent]}", ("", "dark_theme", "german", "consent")),
        ("{crossed: [[default, dark_theme], [default, german, mandarin]]}",
         ("", "german", "mandarin", "dark_theme", "dark_theme+german", "dark_theme+mandarin")),
        ("{crossed: [[dark_theme], [german@shop, empty@todo]]}",
         ("dark_theme+german@shop", "dark_theme+empty@todo")),
        ("{names: [compact, default], crossed: [[default, dark_theme]]}", ("compact", "", "dark_theme")),
    ],
)  # fmt: skip
def test_a_mapping_names_combinations(written: str, names: tuple[str, ...]) -> None:
    file = read(written)
    assert file.diagnostics == ()
    assert file.experiment.variations == names


@pytest.mark.parametrize(
    ("written", "code", "says"),
    [
        ("{}", "W613", "variations names no variation"),
        ("{seed: 3, names: [default]}", "W601", "It belongs to sample"),
        ("{sample: 0}", "W110", "It can be 1 to 10000"),
        ("{sample: 3, crossed: [[default, dark_theme]]}", "W110", "the lists have 2"),
        ("{crossed: dark_theme}", "W103", "crossed is a list of lists"),
        ("{crossed: [[default, drak_theme]]}", "W602", "dark_theme"),
        ("{crossed: [[german], [mandarin]]}", "W602", "both set all.language"),
        ("{crossed: [[default], []]}", "W613", "empty list"),
        ("{one_at_a_time: [nonsense]}", "W602", "nonsense"),
        ("{smaple: 4}", "W601", "sample"),
        ("{names: [default, default]}", "W208", "twice"),
    ],
)
def test_what_cannot_be_used_is_said_at_its_place(written: str, code: str, says: str) -> None:
    found = [item for item in read(written).diagnostics if item.code == code]
    assert any(says in item.sentence for item in found), read(written).diagnostics
    assert all(item.place.line == 5 for item in found)


def test_too_many_combinations_are_refused_before_they_are_made() -> None:
    known = Variations()
    contents = (
        "german",
        "mandarin",
        "long_descriptions",
        "misleading_descriptions",
        "adversarial_descriptions",
    )
    apps = ("shop", "todo", "messenger")
    lists = ", ".join(str(["default", *(f"{name}@{app}" for name in contents)]) for app in apps)
    lists += ", " + ", ".join(map(str, default_lists(known)[::2]))
    (found,) = read(f"{{crossed: [{lists}]}}").diagnostics
    most = 6**3 * (1 + len(by_factor(known)["appearance"])) * (1 + len(by_factor(known)["pop_ups"]))
    assert (found.code, f"{most:,} combinations" in found.sentence) == ("W614", True)
    file = read(f"{{sample: 40, crossed: [{lists}]}}")
    assert file.diagnostics == ()
    assert len(set(file.experiment.variations)) == 40


def test_a_sample_is_decided_by_its_seed_and_a_larger_one_begins_with_a_smaller() -> None:
    known = Variations()
    lists = default_lists(known)
    every = set(crossed_versions(known, lists))
    few, many, others = (
        sampled_versions(known, lists, count, seed) for count, seed in ((20, 7), (500, 7), (500, 8))
    )
    assert few == many[:20]
    assert many != others
    assert len(set(many)) == 500
    assert every.issuperset(many)
    assert len(every) == _ALL
    assert read("{sample: 20, seed: 7}").experiment.variations == tuple(
        "" if name == "default" else name for name in few
    )


def test_every_value_of_a_factor_is_drawn_about_as_often() -> None:
    known = Variations()
    drawn = sampled_versions(known, default_lists(known), 400, 1)
    counts = [sum(name in version.split("+") for version in drawn) for name in by_factor(known)["appearance"]]
    assert all(20 <= count <= 56 for count in counts), counts  # 36 are expected


def test_combinations_that_contradict_themselves_are_not_drawn() -> None:
    known = Variations()
    lists = [["german", "mandarin", "default"], ["mandarin", "default", "dark_theme"]]
    drawn = sampled_versions(known, lists, 9, 1)
    assert sorted(drawn) == sorted(
        ["german", "dark_theme+german", "mandarin", "dark_theme+mandarin", "default", "dark_theme"]
    )
