"""The kinds of agents, and how agents are created with checked options."""

from __future__ import annotations

import sys
from importlib import metadata
from types import SimpleNamespace

import pytest

from collector.agents import registry
from collector.agents.agent import AgentUnavailable
from collector.agents.kinds import AgentKind
from collector.agents.registry import DeclaredAgent, agent_kind, agent_kinds, create_agent
from collector.model.errors import UserError
from collector.plugins.options import PluginOption, option_problems

OPTIONS = (
    PluginOption("prompt", str, "plain", choices=("plain", "grid")),
    PluginOption("window", int, 5, least=1),
    PluginOption("heat", float, 0.0),
    PluginOption("tools", list, [], choices=("tap", "type")),
    PluginOption("model", str, required=True, description="Name of the model"),
)


def kind(create=lambda options, project: SimpleNamespace(options=options), kind_id="echo", **more):
    return AgentKind(kind_id, "Echo", create, options=OPTIONS, **more)


@pytest.fixture
def plugins(monkeypatch):
    """Entry points that are there for one test: name -> what loading gives, an exception is raised."""
    entries: dict[str, object] = {}

    def entry(name, value):
        def load():
            if isinstance(value, Exception):
                raise value
            return value

        return SimpleNamespace(name=name, value=f"pkg:{name}", load=load)

    found = lambda group: [entry(*item) for item in entries.items()]  # noqa: E731
    monkeypatch.setattr(metadata, "entry_points", found)
    registry.KINDS.installed.cache_clear()
    yield entries
    registry.KINDS.installed.cache_clear()


def test_every_built_in_kind_says_what_it_is():
    kinds = agent_kinds().kinds
    assert set(registry.BUILT_IN) <= set(kinds)
    for kind_id in registry.BUILT_IN:
        entry = kinds[kind_id]
        assert entry.id == kind_id
        assert entry.title
        assert entry.description
        assert entry.modalities
        assert all(option.description for option in entry.options)
        assert len({option.name for option in entry.options}) == len(entry.options)


def test_a_built_in_kind_loads_no_other(plugins):
    plugins["bad"] = RuntimeError("must not be loaded")
    sys.modules.pop("collector.agents.golden_agent", None)
    assert agent_kind("golden").id == "golden"


@pytest.mark.expected_log("was left out")
def test_a_broken_plug_in_is_one_sentence_and_the_others_stay(plugins):
    plugins |= {
        "good": kind(),
        "raising": RuntimeError("no GPU"),
        "silent": ValueError(),
        "number": 3,
        "again": kind(kind_id="golden"),
        "nameless": kind(kind_id=" "),
        "blind": kind(kind_id="blind", modalities=()),
    }
    loaded = agent_kinds()
    assert "echo" in loaded.kinds
    assert sorted(problem.split(" ")[2] for problem in loaded.problems) == [
        "again", "blind", "nameless", "number", "raising", "silent",
    ]  # fmt: skip
    assert "The plug-in raising was left out: RuntimeError: no GPU" in loaded.problems
    with pytest.raises(UserError, match=r"no kind of agent raisin.*no GPU"):
        agent_kind("raising")


def test_an_unknown_kind_names_the_nearest(plugins):
    with pytest.raises(UserError, match=r"no kind of agent goldn. Write golden"):
        create_agent(DeclaredAgent("goldn", {}))
    with pytest.raises(UserError, match="Kinds: golden"):
        agent_kind("zzz")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model": "m", "promt": "grid"}, "no option promt. Write prompt"),
        ({"model": "m", "zzz": 1}, "Options: prompt, window"),
        ({"model": "m", "prompt": "gird"}, "'gird' is no choice of prompt. Write grid"),
        ({"model": "m", "window": "5"}, "window is a whole number, not '5'"),
        ({"model": "m", "window": 0}, "window is at least 1"),
        ({"model": "m", "window": True}, "window is a whole number"),
        ({"model": "m", "heat": "hot"}, "heat is a number"),
        ({"model": "m", "tools": ["tap", "tipe"]}, "'tipe' is no choice of tools. Write type"),
        ({"model": "m", "tools": "tap"}, "tools is a list"),
        ({}, "needs the option model. Name of the model"),
        ({"model": None}, "needs the option model"),
    ],
)
def test_a_wrong_option_is_a_sentence(plugins, options, said):
    plugins["echo"] = kind()
    with pytest.raises(UserError, match=said):
        create_agent(DeclaredAgent("echo", options))


def test_an_option_is_found_under_the_name_that_other_programs_give_it():
    asked = agent_kind("openai")
    for written, meant in (("url", "base_url"), ("max_new_tokens", "max_tokens"), ("modle", "model")):
        (problem,) = option_problems(asked, {"model": "m", written: "x"})
        assert (problem.option, problem.to_do) == (written, f"Write {meant}")
    (problem,) = option_problems(agent_kind("process"), {"command": ["run"], "folder": "x"})
    assert problem.to_do == "Write cwd"
    names = [option.name for option in asked.options]
    assert not {name for option in asked.options for name in option.other_names} & set(names)


def test_options_get_their_defaults(plugins):
    plugins["echo"] = kind()
    agent = create_agent(DeclaredAgent("echo", {"model": "m", "heat": 1, "window": None}))
    assert agent.options == {"prompt": "plain", "window": 5, "heat": 1, "tools": [], "model": "m"}
    assert list(option_problems(kind(), {"model": "m"})) == []


@pytest.mark.expected_log("the kind echo failed")
def test_another_packages_error_becomes_a_sentence(plugins):
    def create(options, project):
        raise KeyError("weights")

    plugins["echo"] = kind(create)
    with pytest.raises(AgentUnavailable, match="KeyError: 'weights'"):
        create_agent(DeclaredAgent("echo", {"model": "m"}))
