"""``waymark judge new|show|check|cost|run|rubric`` for judges by models, against a scripted endpoint."""

from __future__ import annotations

import io
import json
import sys
from typing import Any, ClassVar, Self

import pytest

from collector.cli import main as command
from collector.cli.judge import verbs
from collector.judge import judging
from collector.judge.judging import JudgedResult
from collector.judge.votes import person_verdict
from collector.model_judges import judging_run
from collector.model_judges.listed_judges import judge_trust_request, listed_judges
from collector.store.project.project import Project
from tests.helpers.chat_server import ChatServer
from tests.helpers.judged_by_model import add_run, answering, judged_project


def says(words: str) -> str:
    if "Which colour" in words:
        return "<answer>blue</answer>" if "<answer>" in words else '{"colour": "blue"}'
    seen = "CLICK Poster" in words if "is found" in words else "CLICK Cart" in words
    return f"<answer>{'yes' if seen else 'no'}</answer>"


@pytest.fixture
def server():
    with ChatServer(answering(says)) as opened:
        yield opened


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    project = judged_project(tmp_path / "p")
    add_run(project.project, "r2", ("Home", "Search"))
    monkeypatch.chdir(project.project.folder)

    def call(*arguments: object) -> tuple[int, Any]:
        status = command.main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        is_json = "--json" in arguments and printed.out
        return status, json.loads(printed.out) if is_json else printed.out + printed.err

    return call


def test_a_judge_is_written_checked_priced_run_and_shown(run, server):
    prices = ("-o", "price_input=1", "-o", "price_output=2", "-o", "retries=0")
    status, printed = run(
        "judge", "new", "mine", "--based-on", "a3rm", "-o", f"base_url={server.address}", *prices
    )
    assert (status, "Wrote" in printed) == (0, True)
    assert run("judge", "new", "mine", "--based-on", "a3rm")[0] == 1  # it is there already
    _status, listed = run("judge", "list", "--json")
    mine = next(file for file in listed["files"] if file["name"] == "mine")
    assert (mine["method"], mine["built_in"], mine["options"]["window"]) == ("windows", False, 2)
    status, cost = run("judge", "cost", "--judge", "mine", "--json")
    assert (status, cost["calls"], cost["trajectories"], server.requests) == (0, 10, 2, [])
    status, refused = run("judge", "run", "--judge", "mine")
    assert status == 1
    assert "The judge mine cannot be created: nobody has allowed this yet" in refused
    assert run("agent", "host", "allow", server.address.removesuffix("/v1"))[0] == 0
    status, checked = run("judge", "check", "mine")
    assert (status, "It sees the picture" in checked) == (0, True)
    status, judged = run("judge", "run", "--judge", "mine", "--json")
    by_name = {item["trajectory"]: item for item in judged["trajectories"]}
    verdicts = {name: item["judgements"][-1]["verdict"] for name, item in by_name.items()}
    assert (status, verdicts) == (0, {"r1": "success", "r2": "failure"})
    assert judged["asked"] == len(server.requests) - 1  # one was the check
    assert judged["usd"] == pytest.approx(judged["asked"] * 1260 / 1e6)
    status, again = run("judge", "run", "--judge", "mine", "--task", "shop", "--limit-usd", "0")
    assert (status, f"Questions asked: 0, answered before: {judged['asked']}" in again) == (0, True)
    _status, shown = run("judge", "show", "mine", "--trajectory", "r1")
    assert "<answer>yes</answer>" in shown
    assert "1200 + 30 tokens" in shown
    _status, asked = run("judge", "show", "mine", "--trajectory", "r1", "--questions", "--json")
    windows = [(item["states"], item["window"], item["verdicts"]) for item in asked["questions"]]
    assert windows[2:] == [
        (["found"], "3-4", {"found": "reached"}),
        (["paid"], "3-4", {"paid": "missed"}),
        (["paid"], "4-5", {"paid": "reached"}),
    ]
    assert "Buy the poster" in asked["questions"][0]["question"]
    assert "[picture 2]" in asked["questions"][0]["question"]
    assert (asked["questions"][4]["answer"], len(server.requests) - 1) == (
        "<answer>yes</answer>",
        judged["asked"],
    )
    _status, printed = run("judge", "show", "mine", "--trajectory", "r1", "--questions")
    assert "paid  4-5  reached" in printed
    status, refused = run("judge", "show", "a3rm", "--trajectory", "r1", "--questions")
    assert (status, "No answer of a3rm about r1 is kept" in refused) == (1, True)
    _status, definition = run("judge", "show", "mine")
    assert "Method: windows" in definition
    assert "{{state}}" in definition
    _status, decided = run("judge", "run", "--judge", "rules", "--only-undecided", "--json")
    assert decided["trajectories"] == []


def test_the_limit_ends_a_run_with_what_was_judged_so_far(run, server):
    run("judge", "new", "mine", "--based-on", "a3rm", "-o", f"base_url={server.address}", "-o", "workers=1")
    run("agent", "host", "allow", server.address.removesuffix("/v1"))
    status, printed = run("judge", "run", "--judge", "mine", "--limit-usd", "1")
    assert (status, "does not say what A3RM costs" in printed) == (1, True)
    options = ("-o", "price_input=1000", "-o", "price_output=0", "-o", "max_tokens=5")
    status, printed = run("judge", "run", "--judge", "mine", "--limit-usd", "2", *options)
    assert status == 1
    assert "The limit of 2 USD is reached" in printed
    assert "Questions asked: 1, answered before: 0" in printed
    status, document = run("judge", "run", "--judge", "mine", "--limit-usd", "2", "--json", *options)
    assert (status, document["kept"], len(document["trajectories"])) == (1, 1, 0)
    assert "The limit of 2 USD is reached" in document["stopped"]


class CountedResult(JudgedResult):
    """A result that is known while it is in memory."""

    alive: ClassVar[set[int]] = set()

    def __new__(cls, *_given: object) -> Self:
        result = super().__new__(cls)
        cls.alive.add(id(result))
        return result

    def __del__(self) -> None:
        self.alive.discard(id(self))


class CountingOutput(io.StringIO):
    """Standard output that notes how many results are in memory when something is printed."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: list[int] = []

    def write(self, text: str) -> int:
        self.note()
        return super().write(text)

    def note(self, *_progress: int) -> None:
        self.counts.append(len(CountedResult.alive))


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("judge", ["mine", "rules", "said"])
def test_no_more_results_are_in_memory_than_trajectories_are_open(
    run, server, tmp_path, monkeypatch, judge, as_json
):
    project = Project.open(tmp_path / "p")
    for number in range(3, 20):
        add_run(project, f"s{number:02}", ("Home", "Poster"))
    run("judge", "new", "mine", "--based-on", "a3rm", "-o", f"base_url={server.address}", "-o", "workers=2")
    run("agent", "host", "allow", server.address.removesuffix("/v1"))
    if judge == "said":
        run("judge", "run", "--judge", "mine")
        (project.folder / "judges" / "mine.yaml").unlink()
        judge = "mine"
    output = CountingOutput()
    monkeypatch.setattr(verbs, "judging_progress", lambda: output.note)
    for module in (judging, judging_run, person_verdict):
        monkeypatch.setattr(module, "JudgedResult", CountedResult)
    monkeypatch.setattr(sys, "stdout", output)
    assert command.main(["judge", "run", "--judge", judge, *(["--json"] if as_json else [])]) == 0
    assert max(output.counts) <= 4
    printed = output.getvalue()
    names = [f"s{number:02}" for number in range(3, 20)]
    if as_json:
        assert [item["trajectory"] for item in json.loads(printed)["trajectories"]][2:] == names
    else:
        assert [line.split()[1] for line in printed.splitlines()][3:20] == names


@pytest.mark.parametrize(
    ("text", "problem"),
    [("method: window\nmodel: m\n", "Write windows"), ("model: m\n", "names no method"),
     ("method: windows\n", "needs the option model"),
        ("method: windows\nmodel: m\nwindo: 2\n", "no option windo"),
     ("method: windows\nmodel: m\nwindow: two\n", "window is a whole number"), ("- a\n", "not a mapping"),
     ("method: [\n", "cannot be read"), ("method: windows\nmodel: m\nwindow: 0\n", "window is 0"),
     ("method: windows\nmodel: m\nprompt: a3mr\n", "Write a3rm"),
        ("method: vote\njudges: []\n", "names no judges"),
     ("method: vote\njudges: [ruls]\n", "Write rules"),
     ("method: windows\nmodel: m\nkey_env: sk-1234567890\n", "key_env is no name"),
     ("method: windows\nmodel: m\nquery: {key: sk-1234567890abcdef0}\n", "query looks like a key"),
     ("method: windows\nmodel: m\nbody: {auth: {api_key: sk-1234567890}}\n", "body looks like a key"),
     ("method: windows\nmodel: m\nbase_url: 'http://h/v1?k=sk-1234567890abcdef0'\n", "base_url looks like")],
)  # fmt: skip
def test_a_file_that_cannot_be_used_says_why(run, tmp_path, text, problem):
    folder = tmp_path / "p" / "judges"
    folder.mkdir(exist_ok=True)
    (folder / "bad.yaml").write_text(text, encoding="utf-8")
    status, printed = run("judge", "cost", "--judge", "bad")
    assert status == 1
    assert problem in printed
    assert "sk-1234567890" not in printed


@pytest.mark.parametrize(
    ("option", "problem"), [("--task", "has no task shpo"), ("--agent", "no run of the agent shpo")]
)
def test_a_task_or_an_agent_that_is_not_there_is_no_empty_run(run, option, problem):
    for verb in ("run", "cost"):
        status, printed = run("judge", verb, "--judge", "a3rm", option, "shpo")
        assert (status, problem in printed) == (1, True)


@pytest.mark.parametrize("name", ["rules", "state", "people"])
def test_a_judge_takes_no_name_under_which_verdicts_of_others_stand(run, tmp_path, name):
    status, printed = run("judge", "new", name, "--based-on", "a3rm")
    assert (status, "verdicts of others" in printed) == (1, True)
    assert not (tmp_path / "p" / "judges" / f"{name}.yaml").exists()


def test_a_check_of_the_project_names_the_judges_and_rubrics_that_cannot_be_used(run, tmp_path):
    run("judge", "new", "good", "--based-on", "a3rm")
    folder = tmp_path / "p" / "judges"
    (folder / "bad.yaml").write_text("method: windows\nmodel: m\nwindow: 0\n", encoding="utf-8")
    (folder / "rubrics").mkdir()
    (folder / "rubrics" / "shop.yaml").write_text("parts: []\n", encoding="utf-8")
    _status, printed = run("project", "check", "--json")
    found = {(item["where"], item["code"]) for item in printed["problems"] if "judges/" in item["where"]}
    assert found == {
        ("judges/bad.yaml", "judge-unusable"), ("judges/rubrics/shop.yaml", "judge-unusable"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "severity", "what", "why", "to_do"),
    [("shop", "error", "The rubric shop.yaml cannot be used", "part paid names the state piad",
      "Correct `state`"),
     ("shpo", "warning", "The rubric shpo.yaml is used for no task", "no task of that name",
      "the name of its task")],
)  # fmt: skip
def test_a_check_of_the_project_finds_a_rubric_that_names_what_is_not_there(
    run, tmp_path, name, severity, what, why, to_do
):
    folder = tmp_path / "p" / "judges" / "rubrics"
    folder.mkdir(parents=True)
    parts = "parts:\n- {id: found, text: It is found}\n- {id: paid, state: piad, text: It is paid}\n"
    (folder / f"{name}.yaml").write_text(parts, encoding="utf-8")
    _status, printed = run("project", "check", "--json")
    (found,) = [item for item in printed["problems"] if "judges/" in item["where"]]
    assert found["severity"] == severity
    assert (found["text"], why in found["why"], to_do in found["to_do"]) == (what, True, True)


def test_a_name_that_nothing_has_is_refused_with_the_nearest(run):
    for verb in (
        ("cost", "--judge", "a3mr"),
        ("show", "a3mr"),
        ("check", "a3mr"),
        ("new", "x", "--based-on", "a3mr"),
    ):
        status, printed = run("judge", *verb)
        assert (status, "Write a3rm" in printed) == (1, True), verb
    status, printed = run("judge", "cost", "--judge", "rules")
    assert (status, "asks no model" in printed) == (1, True)


def test_a_judge_that_could_not_judge_is_not_written(run, tmp_path):
    status, refused = run("judge", "new", "team", "--based-on", "vote", "-o", "judges=[a3rm, nobody]")
    assert (status, "nobody" in refused) == (1, True)
    assert not (tmp_path / "p" / "judges").exists()


def test_what_a_judge_sends_to_hosts_that_nobody_allowed_is_asked_for(run, tmp_path, server):
    run("judge", "new", "mine", "--based-on", "a3rm", "-o", f"base_url={server.address}")
    project = Project.open(tmp_path / "p")
    request = judge_trust_request(project, ["mine"])
    assert [transfer.origin for transfer in request.transfers] == [server.address.removesuffix("/v1")]
    assert (request.folder, request.commands) == (project.folder, ())
    run("agent", "host", "allow", server.address.removesuffix("/v1"))
    assert judge_trust_request(project, ["mine"]) is None
    listed = {judge.name: judge for judge in listed_judges(project)}
    assert (listed["mine"].is_own, listed["a3rm"].is_own, listed["windows"].is_method) == (True, False, True)
    assert (listed["mine"].can_judge, listed["windows"].can_judge) == (True, False)


def test_a_rubric_is_drafted_from_the_essential_states(run, tmp_path):
    status, drafted = run("judge", "rubric", "shop", "--json")
    assert status == 0
    assert [part["id"] for part in drafted["parts"]] == ["found", "paid", "nothing-else"]
    assert (tmp_path / "p" / "judges" / "rubrics" / "shop.yaml").is_file()
    assert run("judge", "rubric", "shop")[0] == 1
    assert run("judge", "rubric", "shop", "--force")[0] == 0
    assert run("judge", "rubric", "shp")[0] == 1


def test_what_a_vote_comes_to_is_printed_and_not_what_its_first_judge_says(run, server):
    run("judge", "new", "mine", "--based-on", "a3rm", "-o", f"base_url={server.address}")
    run("agent", "host", "allow", server.address.removesuffix("/v1"))
    options = ("-o", "judges=[mine, rules]", "-o", "agreement=unanimous")
    assert run("judge", "new", "team", "--based-on", "vote", *options)[0] == 0
    status, printed = run("judge", "run", "--judge", "team")
    (row,) = [line.split() for line in printed.splitlines() if " r1 " in line]
    assert (status, row[:4], row[4:6]) == (0, ["shop", "r1", "undecided", "0/2"], ["mine:", "success;"])
    _status, printed = run("judge", "run", "shop/r1", "--judge", "team")
    assert "mine: Every needed state was reached" in printed
