"""Methods that look at the end, at all, at a rubric or at single steps, and those that ask others."""

from __future__ import annotations

import json

import pytest

from collector.model.errors import UserError
from collector.model.verdicts.judgement import (
    FAILURE,
    MISSED,
    REACHED,
    STATE,
    STEP,
    SUCCESS,
    TASK,
    UNCOMPLETED,
    UNDECIDED,
    WINDOW,
)
from collector.model_judges.asking import judged_by
from collector.model_judges.combined_judge import asked_of as questions_of
from collector.model_judges.judge_files import named_judge
from collector.model_judges.methods.rubric import Part, overlapping, read_rubric, rubric_document
from collector.model_judges.methods.vote_judge import MAJORITY, UNANIMOUS, voted
from collector.model_judges.methods.whole_trajectory import chosen_screens
from tests.helpers.judged_by_model import (
    BLACK,
    HandAsker,
    judged,
    judged_project,
    trajectory_of,
    write_judge,
    yes_at,
)


def on_task(judgements, judge=""):
    found = [item for item in judgements if item.subject.kind == TASK and (not judge or item.judge == judge)]
    return found[-1]


def outcome(verdict, reason="because"):
    return json.dumps({"reason": reason, "outcome": verdict, "confidence": None})


def words_of(question):
    content = question.compose()[-1]["content"]
    return "\n".join(part.get("text", "") for part in content)


@pytest.fixture
def project(tmp_path):
    return judged_project(tmp_path / "p")


# -- final -------------------------------------------------------------------
def test_the_last_screen_and_the_process_in_words_give_the_outcome(project):
    judgements, asker = judged(project, lambda _question: outcome("success"), "final")
    (question,) = asker.asked
    assert (question.window.first, question.pictures) == (4, 1)
    words = words_of(question)
    for number, text in enumerate(("Home", "Search", "Poster", "Cart"), start=1):
        assert f"{number}. CLICK {text}" in words
    assert (on_task(judgements).verdict, on_task(judgements).reason) == (SUCCESS, "because")


def test_without_a_process_nothing_is_said_of_it(project):
    _judgements, asker = judged(project, lambda _question: outcome("failure"), "final", process="none")
    assert "CLICK" not in words_of(asker.asked[0])


def test_a_summariser_sees_the_screens_before_and_after_each_click(project):
    def answer(question):
        if question.window.first == question.window.last:
            return outcome("success")
        return json.dumps({"summary": f"Opened screen {question.window.last + 1}"})

    judgements, asker = judged(project, answer, "final", process="summary")
    assert asker.windows[:-1] == [("", first, first + 1) for first in range(4)]
    assert all(question.pictures == 1 for question in asker.asked)
    assert "1. Opened screen 2" in words_of(asker.asked[-1])
    assert [item.verdict for item in judgements if item.subject.kind == STEP] == [UNDECIDED] * 4


@pytest.mark.parametrize("summary", ["", "x" * 401, 7])
def test_a_summary_that_is_none_leaves_the_words_of_the_converter(project, summary):
    def answer(question):
        is_last = question.window.first == question.window.last
        return outcome("success") if is_last else json.dumps({"summary": summary})

    _judgements, asker = judged(project, answer, "final", process="summary")
    assert "2. CLICK Search" in words_of(asker.asked[-1])


def test_a_run_that_nobody_claims_is_uncompleted_and_costs_nothing(tmp_path):
    project = judged_project(tmp_path / "p", claimed=False)
    judgements, asker = judged(project, lambda _question: outcome("success"), "final")
    assert (on_task(judgements).verdict, asker.asked) == (UNCOMPLETED, [])
    judgements, _asker = judged(project, lambda _question: outcome("success"), "final", needs_claim=False)
    assert on_task(judgements).verdict == SUCCESS


def test_a_last_screen_that_cannot_be_seen_leaves_the_task_undecided(tmp_path):
    project = judged_project(tmp_path / "p", pictures={4: BLACK})
    judgements, asker = judged(project, lambda _question: outcome("success"), "final")
    assert (on_task(judgements).verdict, asker.asked) == (UNDECIDED, [])


@pytest.mark.parametrize(
    "answer",
    ["success", outcome("done"), outcome("success")[:-1], '{"outcome": "success"}', outcome("success") + "!",
     '{"reason": "", "outcome": "success", "outcome": "success", "confidence": null}'],
)  # fmt: skip
def test_an_outcome_that_is_none_of_the_allowed_ones_leaves_the_task_undecided(project, answer):
    judgements, _asker = judged(project, lambda _question: answer, "final")
    assert on_task(judgements).verdict == UNDECIDED
    assert on_task(judgements).raw == answer


# -- single ------------------------------------------------------------------
def test_the_whole_trajectory_is_one_question(project):
    judgements, asker = judged(project, lambda _question: outcome("failure"), "single")
    (question,) = asker.asked
    assert (question.window.first, question.window.last, question.pictures) == (0, 4, 5)
    assert on_task(judgements).verdict == FAILURE
    _judgements, asker = judged(project, lambda _question: outcome("failure"), "single", layout="composite")
    assert asker.asked[0].pictures == 1


def test_of_a_long_trajectory_both_ends_and_an_even_choice_are_shown(project):
    assert chosen_screens(100, 4) == [0, 33, 66, 99]
    assert chosen_screens(3, 4) == [0, 1, 2]
    assert chosen_screens(9, 1) == [8]
    judgements, asker = judged(project, lambda _question: outcome("success"), "single", max_screens=3)
    assert asker.asked[0].pictures == 3
    assert "3 of 5 are shown" in words_of(asker.asked[0])
    assert on_task(judgements).proof["shown"] == [1, 3, 5]


# -- rubric ------------------------------------------------------------------
def graded(verdicts, process="sound", failure="none"):
    parts = [
        {"id": name, "reason": "r", "verdict": verdict, "screen": 3 if verdict == "met" else None}
        for name, verdict in verdicts.items()
    ]
    return json.dumps({"parts": parts, "process": process, "failure": failure, "reason": "why"})


def test_the_essential_states_are_the_first_draft_of_a_rubric(project):
    answer = graded({"found": "met", "paid": "not met", "nothing-else": "met"}, "flawed", "uncontrollable")
    judgements, asker = judged(project, lambda _question: answer, "rubric")
    assert "found (obligation, outcome): The poster is found" in words_of(asker.asked[0])
    states = {item.subject.state: item.verdict for item in judgements if item.subject.kind == STATE}
    assert states == {"found": REACHED, "paid": MISSED}
    task = on_task(judgements)
    assert (task.verdict, task.proof["process"], task.proof["failure"]) == (
        FAILURE,
        "flawed",
        "uncontrollable",
    )
    schema = asker.asked[0].schema
    assert schema is not None
    parts = schema["properties"]["parts"]["items"]["properties"]
    assert parts["id"]["enum"] == ["found", "paid", "nothing-else"]


def test_of_alternatives_the_draft_asks_for_one(tmp_path):
    states = (
        "states: [{id: a, alternatives: [b], description: It is sent}, {id: b, description: It is saved}]"
    )
    project = judged_project(tmp_path / "p", states=states, needed=("a", "b"))
    answer = graded({"a": "met", "nothing-else": "met"})
    judgements, asker = judged(project, lambda _question: answer, "rubric")
    assert "a (obligation, outcome): It is sent, or: It is saved" in words_of(asker.asked[0])
    assert on_task(judgements).verdict == SUCCESS


def test_a_part_that_is_met_on_a_screen_that_cannot_be_seen_is_unclear(tmp_path):
    project = judged_project(tmp_path / "p", pictures={2: BLACK})
    answer = graded({"found": "met", "paid": "met", "nothing-else": "met"})
    judgements, _asker = judged(project, lambda _question: answer, "rubric")
    assert {item.verdict for item in judgements} == {UNDECIDED}


def test_the_process_does_not_change_the_outcome(project):
    project.project.paths.rubric("shop").parent.mkdir(parents=True)
    project.project.paths.rubric("shop").write_text(
        "format: waymark-rubric\nversion: 1\nparts:\n- {id: paid, text: The poster is paid, state: paid}\n"
        "- {id: short, concerns: process, kind: constraint, text: No screen is opened twice}\n",
        encoding="utf-8",
    )
    answer = graded({"paid": "met", "short": "not met"}, "flawed", "controllable")
    judgements, _asker = judged(project, lambda _question: answer, "rubric")
    assert on_task(judgements).verdict == SUCCESS


@pytest.mark.parametrize(
    ("verdicts", "failure"),
    [({"found": "met"}, "none"), ({"found": "met", "paid": "not met", "nothing-else": "met"}, "none"),
     ({"found": "met", "paid": "met", "nothing-else": "met"}, "controllable"),
     ({"found": "met", "paid": "perhaps", "nothing-else": "met"}, "none")],
)  # fmt: skip
def test_a_grade_that_contradicts_itself_is_none(project, verdicts, failure):
    judgements, _asker = judged(project, lambda _question: graded(verdicts, failure=failure), "rubric")
    assert on_task(judgements).verdict == UNDECIDED


def test_parts_of_a_rubric_that_say_the_same_are_refused(project):
    parts = tuple(map(Part, "abcdef", (
        "The poster is in the cart", "the Poster was in the cart!", "The lamp is in the cart",
        "The alarm at 7 is on", "The alarm at 8 is on", "The poster is not in the cart",
    )))  # fmt: skip
    assert overlapping(parts) == [(parts[0], parts[1])]
    with pytest.raises(UserError, match="cannot be written"):
        rubric_document(parts)
    path = project.project.paths.rubric("shop")
    path.parent.mkdir(parents=True)
    path.write_text("parts: [{id: a, text: It is paid}, {id: b, text: It is paid}]\n", encoding="utf-8")
    with pytest.raises(UserError, match="say the same"):
        read_rubric(project.project, "shop")
    for second, problem in (("found", "two parts are verdicts"), ("gone", "names the state gone")):
        path.write_text(
            f"parts: [{{id: a, text: Seen, state: found}}, {{id: b, text: Paid, state: {second}}}]\n",
            encoding="utf-8",
        )
        with pytest.raises(UserError) as refused:
            judged(project, lambda _question: "", "rubric")
        assert problem in refused.value.why


# -- steps -------------------------------------------------------------------
def test_each_step_is_judged_and_the_first_error_is_named(project):
    words = {0: "right", 1: "wrong element", 2: "needless", 3: "right", 4: "right"}

    def answer(question):
        return json.dumps({"reason": f"step {question.window.first}", "step": words[question.window.first]})

    judgements, asker = judged(project, answer, "steps")
    assert [item.verdict for item in judgements if item.subject.kind == STEP] == [
        "right", "wrong_element", "needless", "right", "right",
    ]  # fmt: skip
    assert "1. CLICK Home" in words_of(asker.asked[2])
    task = on_task(judgements)
    assert (task.verdict, task.proof["first_error"], task.proof["error"]) == (UNDECIDED, 1, "wrong_element")
    assert task.reason == "The first error is step 2: step 1"


# -- vote and cascade --------------------------------------------------------
@pytest.mark.parametrize(
    ("verdicts", "judges", "agreement", "result"),
    [((SUCCESS, SUCCESS, FAILURE), 3, MAJORITY, SUCCESS), ((SUCCESS, FAILURE), 2, MAJORITY, UNDECIDED),
     ((SUCCESS, UNDECIDED, UNDECIDED), 3, MAJORITY, UNDECIDED), ((SUCCESS, SUCCESS), 3, UNANIMOUS, UNDECIDED),
     ((SUCCESS, SUCCESS, SUCCESS), 3, UNANIMOUS, SUCCESS), ((), 3, MAJORITY, UNDECIDED)],
)  # fmt: skip
def test_a_majority_or_all_decide_and_a_split_is_undecided(verdicts, judges, agreement, result):
    assert voted(verdicts, judges, agreement) == result


def test_several_prompts_vote_and_what_each_said_is_kept(project):
    for name, prompt in (("one", "final"), ("two", "final"), ("three", "single")):
        write_judge(project, name, "http://127.0.0.1:9/v1", "final", prompt=prompt, seed=len(name))

    def answer(question):
        return outcome("failure" if question.model.judge == "two" else "success")

    judgements, _asker = judged(project, answer, "vote", judges=["one", "two", "three"])
    assert {item.judge: item.verdict for item in judgements} == {
        "one": SUCCESS, "two": FAILURE, "three": SUCCESS, "vote": SUCCESS,
    }  # fmt: skip
    assert on_task(judgements, "vote").reason == "one: success; two: failure; three: success"


def cascade(project, cheap, dear, **options):
    """A cascade of rules, ``cheap`` and ``dear``, which answer by hand."""
    for name in ("cheap", "dear"):
        write_judge(project, name, "http://127.0.0.1:9/v1", "windows")
    asker = HandAsker(lambda question: (cheap if question.model.judge == "cheap" else dear)(question))
    options = {"judges": ["rules", "cheap", "dear"], **options}
    judge = named_judge("cascade", project.project, options, sends=False)
    return judged_by(questions_of(judge, trajectory_of(project)), asker), asker


def asked_of(asker, name):
    return [question for question in asker.asked if question.model.judge == name]


def test_a_cascade_asks_a_model_only_for_what_rules_leave_open(tmp_path):
    states = (
        "states:\n  - {id: found, description: Found, conditions: {all: [{type: element_exists, "
        "selector: \"text='Poster'\"}]}}\n  - {id: paid, description: Paid, after: [found]}\n"
    )
    project = judged_project(tmp_path / "p", states=states)
    judgements, asker = cascade(project, yes_at({"paid": 4}), yes_at({}))
    assert {state for question in asked_of(asker, "cheap") for state in question.states} == {"paid"}
    assert asked_of(asker, "dear") == []
    assert on_task(judgements, "cascade").verdict == SUCCESS
    by = {item.subject.state: item.proof["by"] for item in judgements
          if item.judge == "cascade" and item.subject.kind == STATE}  # fmt: skip
    assert by == {"found": "rules", "paid": "cheap"}


def test_a_cascade_in_another_is_not_asked_about_what_is_decided_either(tmp_path):
    states = (
        "states:\n  - {id: found, description: Found, conditions: {all: [{type: element_exists, "
        "selector: \"text='Poster'\"}]}}\n  - {id: paid, description: Paid, after: [found]}\n"
    )
    project = judged_project(tmp_path / "p", states=states)
    inner = project.project.paths.judge("inner")
    inner.parent.mkdir()
    inner.write_text("method: cascade\njudges: [cheap]\n", encoding="utf-8")
    judgements, asker = cascade(project, yes_at({"paid": 4}), yes_at({}), judges=["rules", "inner"])
    assert {state for question in asker.asked for state in question.states} == {"paid"}
    assert on_task(judgements, "inner").verdict == on_task(judgements, "cascade").verdict == SUCCESS


def test_judges_that_vote_on_the_task_alone_are_not_asked_once_it_is_decided(tmp_path):
    project = judged_project(tmp_path / "p", states="states: [{id: found}, {id: paid}]")
    write_judge(project, "last", "http://127.0.0.1:9/v1", "final")
    for name, method in (("both", "vote\njudges: [last]"), ("first", "cascade\njudges: [last]")):
        path = project.project.paths.judge(name)
        path.write_text(f"method: {method}\n", encoding="utf-8")
    asker = HandAsker(lambda _question: outcome("success"))
    options = {"judges": ["first", "both"]}
    judge = named_judge("cascade", project.project, options, sends=False)
    judgements = judged_by(questions_of(judge, trajectory_of(project)), asker)
    assert on_task(judgements, "cascade").verdict == SUCCESS
    assert len(asker.asked) == 1


def test_a_dearer_judge_is_asked_where_the_cheap_one_is_unsure(project):
    unsure = json.dumps({"reason": "dark", "reached": "unclear", "screen": None, "confidence": None})
    judgements, asker = cascade(project, lambda _question: unsure, yes_at({"found": 2, "paid": 4}))
    assert asked_of(asker, "dear")
    assert on_task(judgements, "cascade").verdict == SUCCESS
    assert {item.judge for item in judgements if item.subject.kind == WINDOW} == {"cheap", "dear"}


def test_nobody_is_asked_about_the_alternative_of_what_was_reached(tmp_path):
    states = "states: [{id: found, alternatives: [paid]}, {id: paid}]"
    project = judged_project(tmp_path / "p", states=states)
    write_judge(project, "dearest", "http://127.0.0.1:9/v1", early_exit=False)
    judgements, asker = cascade(project, yes_at({"found": 1}), yes_at({}), judges=["cheap", "dearest"])
    assert {question.model.judge for question in asker.asked} == {"cheap"}
    assert on_task(judgements, "cascade").verdict == SUCCESS


@pytest.mark.parametrize("said", ["yes", "no"])
def test_a_verdict_is_as_sure_as_the_answers_it_follows_from(project, said):
    """The cheap judge answers with little confidence, and the dear one says the opposite."""

    def cheap(question):
        last = question.window.last - question.window.first + 1
        screen = last if said == "yes" else None
        return json.dumps({"reason": "dark", "reached": said, "screen": screen, "confidence": 0.3})

    dear = yes_at({}) if said == "yes" else yes_at({"found": 2, "paid": 4})
    judgements, asker = cascade(project, cheap, dear)
    assert asked_of(asker, "dear")
    found = {item.subject.state: item.verdict for item in judgements if item.judge == "cascade"}
    other = MISSED if said == "yes" else REACHED
    assert found == {"found": other, "paid": other, "": FAILURE if said == "yes" else SUCCESS}
    assert on_task(judgements, "cheap").confidence == 0.3


def test_a_dearer_judge_is_asked_where_two_disagree(project):
    judgements, asker = cascade(
        project, yes_at({"found": 2, "paid": 4}), yes_at({"found": 2}), judges=[["cheap", "dear"]]
    )
    assert asked_of(asker, "cheap")
    verdict = on_task(judgements, "cascade")
    assert verdict.verdict == UNDECIDED
    states = {item.subject.state: item.verdict for item in judgements
              if item.judge == "cascade" and item.subject.kind == STATE}  # fmt: skip
    assert states == {"found": REACHED, "paid": UNDECIDED}


@pytest.mark.parametrize(
    ("method", "options", "why"),
    [
        ("windows", {"questions": "each", "prompt": "window-all"}, "{{state}} is not in it"),
        ("windows", {"questions": "all", "prompt": "window-each"}, "{{states}} is not in it"),
        ("windows", {"questions": "all", "prompt": "a3rm"}, "this judge reads JSON"),
        ("final", {"prompt": "a3rm"}, "this judge reads JSON"),
        ("final", {"process": "summary", "summary_prompt": "a3rm"}, "this judge reads JSON"),
        ("single", {"prompt": "a3rm"}, "this judge reads JSON"),
        ("steps", {"prompt": "a3rm"}, "this judge reads JSON"),
        ("rubric", {"prompt": "final"}, "{{parts}} is not in it"),
        ("single", {"prompt": "mine.prompt"}, "its `answer` is 'xml'"),
    ],
)  # fmt: skip
def test_a_prompt_that_the_method_cannot_ask_with_is_refused(project, method, options, why):
    text = "---\nanswer: xml\n---\n=== user ===\n{{screens}}\n"
    (project.project.folder / "mine.prompt").write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as refused:
        named_judge(method, project.project, {"model": "m", **options}, sends=False)
    assert why in str(refused.value)


@pytest.mark.parametrize("name", ["a/b", "x" * 300])
def test_a_judge_is_not_written_under_a_name_that_no_file_can_have(project, name):
    with pytest.raises(UserError, match="no file can have this name"):
        write_judge(project, name, "http://127.0.0.1:9/v1")
    assert not list(project.project.paths.judges())


def test_a_judge_that_asks_itself_is_refused(project):
    folder = project.project.paths.judge("x").parent
    folder.mkdir()
    (folder / "x.yaml").write_text("method: vote\njudges: [y]\n", encoding="utf-8")
    (folder / "y.yaml").write_text("method: cascade\njudges: [rules, x]\n", encoding="utf-8")
    with pytest.raises(UserError, match="asks itself: x > y > x"):
        named_judge("x", project.project)


def test_the_parts_of_a_judge_that_sends_nothing_need_no_allowed_host(project):
    """Pricing or editing a vote asks nobody for consent; judging by it does."""
    project.project.paths.judge("far").parent.mkdir(exist_ok=True)
    project.project.paths.judge("far").write_text(
        "method: final\nmodel: m\nbase_url: https://models.example/v1\n", encoding="utf-8"
    )
    options = {"judges": ["far", "rules"]}
    assert named_judge("vote", project.project, options, sends=False)
    with pytest.raises(UserError, match="nobody has allowed this yet"):
        named_judge("vote", project.project, options)
