"""A3's three stages on the command line: two operators, a definition, an audit, with status and history."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from collector.cli import main as command
from collector.store.project.project import Project
from tests.helpers.state_authors import make_project

SORT = "[{type: element_exists, selector: \"resource-id='shop:id/sort'\"}]"
CART = "[{type: element_text_equals, selector: \"resource-id='shop:id/cart'\", text: Cart (1)}]"
RULES = """rules:
  - id: anywhere
    conditions: {all: [{type: element_not_exists, selector: "text='Never'"}]}
    actions: [{type: inject_interference, interference_id: a}]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("made") / "p").folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "p"))


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]):
    def call(verb: str, who: str = "", *more: object) -> tuple[int, Any]:
        """Run ``states VERB`` on the project as a person; with ``--json`` its document, else its text."""
        person = ("--as", who) if who else ()
        words = verb.split() if verb.startswith("trajectory") else ["states", *verb.split()]
        arguments = [*words, *map(str, more), *person, "--project", str(folder)]
        status = command.main(arguments)
        printed = capsys.readouterr()
        return status, json.loads(printed.out) if "--json" in more else printed.out + printed.err

    return call


def proposed(run: Any, who: str, sentence: str = "The poster is in the cart") -> None:
    assert run("propose start", who, "buy", "--golden", f"buy-{who}")[0] == 0
    state = ("buy", "--sentence", "Results are shown", "--conditions", SORT, "--step", 2)
    assert run("propose add", who, *state) == (0, f"{who}: propose Results are shown\n")
    assert run("propose add", who, "buy", "--sentence", sentence, "--conditions", CART, "--after", 1)[0] == 0


def rules_hide_the_golden_of_the_other(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither verdicts nor back-tests show an operator the steps of a golden that waits for a signature."""

    def printed(*arguments: object) -> str:
        command.main(list(map(str, arguments)))
        captured = capsys.readouterr()
        return captured.out + captured.err

    golden, file = folder / "trajectories" / "buy" / "buy-sara", folder / "rules" / "injection.yaml"
    file.write_text(RULES, encoding="utf-8")
    assert "buy-sara is not shown" in printed("judge", "run", golden, "--as", "lin")
    for verb in (("judge", "run", folder, "--dry-run"), ("rules", "backtest", folder, "--json")):
        assert "buy-sara" not in printed(*verb, "--as", "lin")
        assert "buy-sara" in printed(*verb, "--as", "ann")
    file.unlink()


def test_three_stages_from_the_first_proposal_to_the_audit(
    run, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proposed(run, "lin")
    proposed(run, "sara", "The cart holds the poster")
    status, text = run("propose show", "lin", "buy", "--of", "sara")
    assert status == 1
    assert "The proposal of sara is not shown. You see the proposal of sara when your own is signed" in text
    status, text = run("trajectory show", "lin", "buy-sara")
    assert status == 1
    assert "buy-sara is not shown. You see the golden trajectory of sara when your own proposal" in text
    for verb in ("align", "diff"):
        status, text = run(f"trajectory {verb}", "lin", "buy-lin", "buy-sara")
        assert (status, "buy-sara is not shown" in text) == (1, True)
    assert run("trajectory show", "lin", "buy-lin")[0] == 0
    rules_hide_the_golden_of_the_other(folder, capsys)
    assert run("trajectory show", "ann", "buy-sara")[0] == 0
    for who in ("lin", "sara"):
        assert run("propose sign", who, "buy") == (0, f"{who}: sign the proposal for buy\n")
    assert "The cart holds the poster" in run("propose show", "lin", "buy", "--of", "sara")[1]
    assert run("trajectory show", "lin", "buy-sara")[0] == 0

    assert run("define start", "lin", "buy")[0] == 0
    shown = run("define show", "lin", "buy", "--json")[1]
    assert [(pair["pair"], pair["difference"], pair["choice"]) for pair in shown["pairs"]] == [
        ("A1", "Same sentence, same condition", ""), ("A2", "Wording", ""),
    ]  # fmt: skip
    assert run("define settle", "lin", "buy")[0] == 0
    status, text = run("define finish", "lin", "buy")
    assert (status, "to be decided: A2" in text) == (1, True)
    edit = ("buy", "A2", "edit", "--sentence", "One poster is in the cart", "--after", "A1")
    assert run("define decide", "sara", *edit)[0] == 0
    assert "One poster is in the cart" in run("define show", "lin", "buy")[1]
    done = run("define finish", "sara", "buy", "--json")[1]
    assert done["states"] == ["buy-1", "buy-2"]
    assert done["definition"]["decisions"][1]["agreed"] == "buy-2"
    assert Project.open(folder).states["buy-2"].after == ("buy-1",)

    assert run("audit start", "lin", "buy")[0] == 1
    assert run("audit start", "cleo", "buy")[0] == 0
    shown = run("audit show", "cleo", "buy")[1]
    assert "Golden B reaches it at step 3" in shown
    assert "lin" not in shown.replace("line", "")
    assert run("define show", "cleo", "buy")[0] == 1
    for state in ("buy-1", "buy-2"):
        answers = ("--visual", "yes", "--critical", "doubt", "--critical-because", "Perhaps")
        assert run("audit review", "cleo", "buy", state, *answers, "--verdict", "accept")[0] == 0
    fix = ("--verdict", "fix", "--because", "Say it", "--sentence", "A poster is in the cart")
    assert run("audit review", "cleo", "buy", "buy-2", *fix)[0] == 0
    assert run("audit sign", "cleo", "buy")[0] == 1
    assert run("audit sufficiency", "cleo", "buy", "yes")[0] == 0
    assert run("audit sign", "cleo", "buy")[0] == 0
    state = Project.open(folder).states["buy-2"]
    assert (state.sentence, state.status) == ("A poster is in the cart", "audited")

    (row,) = run("status", "", "--json")[1]["tasks"]
    assert (row["stage"], row["sentence"]) == ("audited", "All states are audited")
    assert [(person["role"], person["who"]) for person in row["people"]] == [
        ("operator", "lin"), ("operator", "sara"), ("auditor", "cleo"),
    ]  # fmt: skip
    assert [(item["id"], item["status"], item["who"]) for item in row["states"]] == [
        ("buy-1", "audited", ["cleo"]), ("buy-2", "audited", ["cleo"]),
    ]  # fmt: skip
    assert "All states are audited" in run("status")[1]
    assert "buy-2  audited  cleo" in run("status", "", "buy")[1]
    history = run("history", "", "buy", "--json")[1]["history"]
    assert [entry["sentence"] for entry in history][-2:] == [
        "cleo began the audit", "cleo accepted all states",
    ]  # fmt: skip
    assert all(entry["time"] and entry["who"] for entry in history)
    assert "sara settled A2 with an edited state: One poster is in the cart" in run("history", "", "buy")[1]
    assert "definition  sara  finished" in run("status", "", "buy")[1]
    assert command.main(["project", "check", str(folder)]) == 0
    # Whoever edits an audited state and where: it counts as agreed.
    path = Project.open(folder).paths.rule_file("state")
    path.write_text(path.read_text("utf-8").replace("A poster is", "Posters are"), "utf-8")
    capsys.readouterr()
    assert command.main(["states", "list", str(folder), "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["states"]
    assert [(item["id"], item["status"]) for item in listed] == [("buy-1", "audited"), ("buy-2", "agreed")]


def test_each_act_has_its_way_back_and_its_document(run, folder: Path) -> None:
    """Every verb prints with ``--json`` what was done, and the file as it is then."""

    def act(verb: str, who: str, *more: object) -> dict[str, Any]:
        status, document = run(verb, who, "buy", *more, "--json")
        assert (status, document["who"]) == (0, who), (verb, document)
        assert document["did"]
        return document

    def ids(document: dict[str, Any]) -> list[str]:
        return [item["id"] for item in document["proposal"]["states"]]

    def last(file: dict[str, Any]) -> str:
        return file["acts"][-1]["act"]

    proposed(run, "lin")
    assert ids(act("propose move", "lin", 2, 1)) == ["2", "1"]
    edited = act("propose edit", "lin", 2, "--after", "", "--optional", "--conditions", "")
    shown = run("propose show", "lin", "buy", "--json")[1]
    assert shown["proposal"] == edited["proposal"]
    assert shown["proposal"]["states"][0] == {
        "id": "2", "sentence": "The poster is in the cart", "optional": True,
    }  # fmt: skip
    assert ids(act("propose remove", "lin", 2)) == ["1"]
    assert last(act("propose sign", "lin")["proposal"]) == "signed"
    assert run("propose edit", "lin", "buy", 1, "--required")[0] == 1
    assert run("propose discard", "lin", "buy")[0] == 1
    assert last(act("propose withdraw", "lin")["proposal"]) == "withdrawn"
    assert run("propose golden", "lin", "buy", "buy-sara")[0] == 1
    assert act("propose golden", "lin", "buy-lin")["proposal"]["golden"] == "buy-lin"
    assert act("propose discard", "lin")["proposal"] is None
    assert run("propose show", "lin", "buy")[0] == 1
    for who in ("lin", "sara"):
        assert act("propose start", who, "--golden", f"buy-{who}")["proposal"]["golden"] == f"buy-{who}"
        state = ("--sentence", "Results are shown", "--conditions", SORT, "--step", 2)
        assert ids(act("propose add", who, *state)) == ["1"]
        act("propose add", who, "--sentence", "The poster is in the cart", "--conditions", CART, "--after", 1)
        act("propose sign", who)
    made: list[str] = []
    for verb, *more in (
        ("start",), ("settle",), ("open", "A1"), ("decide", "A1", "b"), ("finish",), ("reopen",),
        ("pair", 2, 2, "--apart"), ("decide", "B2", "drop"), ("decide", "A2", "keep"), ("finish",),
    ):  # fmt: skip
        defined = act(f"define {verb}", "lin", *more)
        assert (last(defined["definition"]) == "finished") == (verb == "finish"), verb
        made = [*made, *defined["states"]]
    assert made == ["buy-1", "buy-2"]
    act("propose withdraw", "sara")
    act("propose edit", "sara", 1, "--optional")
    act("propose sign", "sara")
    assert "was changed since it was aligned" in run("status", "", "buy")[1]
    assert last(act("define realign", "lin")["definition"]) == "withdrawn"
    assert act("define decide", "lin", "A1", "a")["definition"]["decisions"][0]["choice"] == "a"
    act("define finish", "lin")
    assert act("audit start", "cleo")["audit"]["who"] == "cleo"
    for state in ("buy-1", "buy-2"):
        answers = ("--visual", "yes", "--critical", "yes", "--verdict", "accept")
        act("audit review", "cleo", state, *answers)
    act("audit sufficiency", "cleo", "yes")
    assert act("audit sign", "cleo")["states"] == ["buy-1", "buy-2"]
    assert last(act("audit withdraw", "cleo")["audit"]) == "withdrawn"
    assert [state.status for state in Project.open(folder).states.values()] == ["agreed", "agreed"]


@pytest.mark.parametrize(
    ("verb", "more", "says"),
    [
        ("propose start", ("gone",), "There is no task gone"),
        ("propose add", ("buy", "--sentence", "A", "--conditions", "{"), "--conditions cannot be read"),
        (
            "propose add",
            ("buy", "--sentence", "A", "--conditions", "@nothing.yaml"),
            "nothing.yaml cannot be",
        ),
        ("propose add", ("buy", "--sentence", "A"), "lin has no proposal for buy"),
        ("define show", ("buy",), "Two signed proposals are needed for buy"),
        ("define start", ("buy", "--operator", "lin"), "The definition is of two operators"),
        ("audit show", ("buy",), "lin does not audit buy yet"),
        ("audit review", ("buy", "x", "--sentence", "A"), "Only --verdict fix takes options of a state"),
        ("audit review", ("buy", "x"), "Nothing is answered"),
        ("history", ("gone",), "There is no task gone"),
        ("status", ("gone",), "There is no task gone"),
    ],
)
def test_what_is_refused_is_one_sentence(run, verb: str, more: tuple[str, ...], says: str) -> None:
    status, text = run(verb, "lin", *more)
    assert status == 1
    assert says in text
    assert "Traceback" not in text


def test_the_last_changes_are_undone_one_after_the_other(
    run: Any, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    assert run("undo", "lin")[0] == 1, "nothing was done yet"
    for who in ("lin", "sara"):
        proposed(run, who)
        assert run("propose sign", who, "buy")[0] == 0
    assert run("define start", "lin", "buy")[0] == 0
    assert run("define settle", "lin", "buy")[0] == 0

    def known() -> tuple[Any, Any]:
        project = Project.open(folder)
        return dict(project.states), project.tasks

    before = known()
    status, finished = run("define finish", "lin", "buy", "--json")
    assert (status, len(finished["states"])) == (0, 2)
    assert known() != before
    undone = run("undo", "lin", "--json")[1]
    assert undone == {"undone": finished["did"], "who": "lin", "states": finished["states"]}
    assert known() == before
    assert "Undone: " in run("undo", "lin")[1]
    file = tmp_path / "s.yaml"
    file.write_text("states:\n- {id: extra, description: Something else}\n")
    assert run("import", "lin", file, "--task", "buy")[0] == 0
    assert "extra" in Project.open(folder).states
    assert run("undo", "sara")[1] == "Undone: sign the proposal for buy\n", "another's change is another's"
    assert run("undo", "lin")[1] == "Undone: import 1 essential state\n"
    assert "extra" not in Project.open(folder).states
    proposal = folder / "proposals" / "buy" / "sara.yaml"
    proposal.write_text(proposal.read_text().replace("The poster is in the cart", "By hand"))
    status, refused = run("undo", "sara")
    assert (status, "was changed since" in refused) == (1, True)
