"""The published schema takes exactly what the reader takes, names of a project aside."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from collector.run.experiment.json_schema import experiment_schema
from collector.run.experiment.keys import KEYS
from tests.collector.run.experiment.scopes import KINDS, experiment_scope, read
from tests.helpers import libyaml
from tests.helpers.json_schema import fits

_SCHEMA = experiment_schema(KINDS)
_OUTSIDE = experiment_scope(has_project=False)
_BASE: dict[str, Any] = {"format": "waymark-experiment", "version": 1, "tasks": "all", "agents": ["golden"]}
_VALUES: dict[str, list[Any]] = {
    "format": ["waymark-experiment", "waymark-tasks"],
    "version": [1, 0, "one"],
    "description": ["Any text", 7, ["a"]],
    "tasks": ["all", ["a", "b"], ["a", "a"], [], {"where": "app:Shop"}, {"where": "x", "except": ["a"]},
              {"except": ["a"]}, {"were": "x"}, [["a"]], None],
    "agents": ["golden", ["golden", "monkey"], ["goldn"], [{"kind": "careful", "policy": "later"}],
               [{"kind": "careful", "policy": "soon"}], [{"kind": "careful", "options": {"waits": 2}}],
               [{"kind": "careful", "waits": "2"}], [{"id": "a"}], [{"kind": "asked", "model": "m"}],
               [{"kind": "asked"}], [{"kind": "golden", "modality": "tree"}], [{"kind": "golden", "skip": 1}],
               [{"kind": "golden", "skip": True}], [], [4], [[]], {"kind": "golden", "colour": "red"},
               [{"kind": "asked", "options": {"model": 4}}], [{"kind": "careful", "waits": None}]],
    "conditions": ["baseline", ["baseline", "x"], [{"id": "a"}], [{"anomaly": "x", "at": 3}],
                   [{"anomaly": "x", "at": 0}], [{"anomaly": "x", "rules": "all"}], [{"rules": ["a", "b"]}],
                   [{"rules": "all", "limit": 2, "buttons": 2}], [{"limit": 2}], [{"buttons": 1}],
                   [{"anomaly": "x", "buttons": 3}], [{"anomalies": ["x", {"anomaly": "y", "at": 4}]}],
                   [{"anomalies": [{"at": 4}]}], [{"anomalies": []}], [{"at": 3}], [], [["x"]],
                   [{"anomaly": ["x"]}], [{"id": "a", "skip": True}]],
    "modality": ["tree", ["screenshot", "screenshot+tree"], ["trees"], ["tree", "tree"], [], 3],
    "variations": ["default", ["dark_theme", "dark_theme+large_text"], ["dark theme"], ["default", "default"],
                   [], {}, {"names": "default"}, {"names": []}, {"sample": 5}, {"sample": 0}, {"seed": 3},
                   {"sample": 5, "seed": 3}, {"sample": 5, "seed": -3}, {"sample": "five"}, {"names": [4]},
                   {"crossed": [["default", "dark_theme"], ["default", "german@shop"]]}, {"crossed": []},
                   {"crossed": "dark_theme"}, {"crossed": ["dark_theme"]}, {"crossed": [[]]}, {"sampel": 4},
                   {"one_at_a_time": "dark_theme+german"}, {"one_at_a_time": ["dark theme"]},
                   {"crossed": [["compact", "compact"]]}, {"crossed": [["compact"], ["compact"]]}],
    "goal_styles": ["default", ["default", "casual"], ["casual:2"], ["casual:0"], ["default:1"], [],
                    ["casual", "casual"], ["two words"], [3]],
    "languages": ["default", ["en-US", "zh"], ["english"], ["en", "en"]],
    "seeds": [[1, 2], [1, 1], [-1], ["one"], [], 3, {"count": 2}, {"count": 2, "from": 0}, {"from": 3}],
    "repeats": [1, 0, 3, 2.5, "two", True],
    "budget": [10, 0, None, "ten"],
    "early_stop": [0, 5, -1],
    "retries": [0, 2, 1000],
    "semantics": ["waymark", "dgara", "D-GARA"],
    "ends": ["claim", "success", "end"],
    "reset": ["phone", "app-data", "none"],
    "phones": [{"virtual": 2}, {"virtual": 2, "size": "720x1280", "density": 320}, {"size": "wide"},
               {"serials": ["a"]}, {"avd": "Pixel", "count": 2}, {"virtual": "two"}, {"phones": 2},
               {"ask_permissions": True}, {"ask_permissions": "no"}, 4, []],
    "sedes": [1],
}  # fmt: skip
_CHANGES = st.lists(
    st.sampled_from([(key, value) for key, values in _VALUES.items() for value in values]), max_size=3
)


@settings(max_examples=250, deadline=None)
@given(_CHANGES)
def test_the_schema_takes_what_the_reader_takes(changes: list[tuple[str, Any]]) -> None:
    document = {**_BASE, **dict(changes)}
    errors = read(libyaml.safe_dump(document), _OUTSIDE).errors
    assert fits(document, _SCHEMA) is (not errors), (document, errors)


def test_every_single_value_is_taken_by_both_or_by_neither() -> None:
    for key, values in _VALUES.items():
        for value in values:
            document = {**_BASE, key: value}
            errors = read(libyaml.safe_dump(document), _OUTSIDE).errors
            assert fits(document, _SCHEMA) is (not errors), (document, errors)


def test_the_schema_describes_every_key_and_every_option() -> None:
    for spec in KEYS["experiment"]:
        assert _SCHEMA["properties"][spec.name]["description"]
    text = str(_SCHEMA)
    assert all(option.name in text for kind in KINDS.values() for option in kind.options)
