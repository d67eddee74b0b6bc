"""Asking a scripted endpoint: what is sent, what is kept, what is asked again, and what it may cost."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from collector.device.errors import CallCancelled
from collector.endpoint.chat_endpoint import EndpointUnavailable
from collector.endpoint.chat_reply import ChatReply
from collector.model.errors import UserError
from collector.model.usage import Usage
from collector.model.verdicts.judgement import PERSON, REACHED, STATE, TASK, UNDECIDED, Judgement, Subject
from collector.model_judges import answer_store
from collector.model_judges.answer_store import AnswerStore, Experience
from collector.model_judges.asking import ExpectedCost, LimitReached, Spending
from collector.model_judges.frames import ScreensInCommon
from collector.model_judges.judge_files import named_judge
from collector.model_judges.judging_cost import cost_of, costs_of
from collector.model_judges.judging_run import Chosen, JudgingControl, judge_by_models
from collector.store.trajectory.judgements import add_judgements, read_judgements
from tests.helpers import chat_server as play
from tests.helpers.chat_server import ChatServer
from tests.helpers.judged_by_model import add_run, answering, judged_project, write_judge

NO = "<answer>no</answer>"
KEY = "sk-secret-0123456789"


@pytest.fixture(autouse=True)
def _waits_little(monkeypatch):
    monkeypatch.setattr("collector.endpoint.chat_endpoint.FIRST_WAIT_S", 0.0)


@pytest.fixture
def project(tmp_path):
    return judged_project(tmp_path / "p")


def says(words):
    """As a model that looks: the poster is found where its name is the touched element, paid at the end."""
    state = words.split("Essential state")[1]
    seen = "CLICK Poster" in words if "is found" in state else "CLICK Cart" in words
    return f"<answer>{'yes' if seen else 'no'}</answer>"


def run(project, judge="mine", control=None, keep=True):
    folders = list(project.project.trajectory_folders())
    chosen = named_judge(judge, project.project)
    return list(judge_by_models(project, folders, chosen, control or JudgingControl(), keep=keep))


def test_the_verdicts_are_stored_with_their_answers_and_nothing_is_asked_twice(project):
    with ChatServer(answering(says)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm", price_input=1.0, price_output=10.0)
        control = JudgingControl()
        (result,) = run(project, control=control)
        asked = len(server.requests)
        assert (control.spending.asked, control.spending.kept) == (asked, 0)
        assert control.spending.usd == pytest.approx(asked * (1200 + 300) / 1e6)
        assert result.on_task.verdict == "success"
        again = JudgingControl()
        run(project, control=again)
        assert (len(server.requests), again.spending.kept, again.spending.usd) == (asked, asked, 0)
    stored = read_judgements(result.folder).judgements
    assert len(stored) == len(result.judgements)  # the second run added nothing
    window = stored[0]
    assert (window.judge, window.kind, window.raw) == ("mine", "model", NO)
    assert window.usage.input_tokens == 1200
    assert window.version.startswith("test-model ")
    assert len(window.proof["answers"]) == 1
    reached = {item.subject.state: item.subject.first for item in stored
               if item.subject.kind == STATE and item.verdict == REACHED}  # fmt: skip
    assert reached == {"found": 3, "paid": 4}


def test_the_pictures_are_those_of_the_window_in_order_with_the_action_on_the_first(project):
    with ChatServer(answering(lambda _words: NO)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm", quality=0, workers=1)
        run(project)
    request = server.requests[0]
    assert request.roles == ["system", "user"]
    first, second = request.images
    assert (first.size[0], second.size) == (80, (80, 120))
    assert first.size[1] > 120  # the words of the action stand below the screen
    pixels = np.asarray(first)[:120]
    assert second.getpixel((5, 5)) == (151, 151, 151)
    assert tuple(pixels[5, 5]) == (150, 150, 150)
    red = np.argwhere((pixels[:, :, 0] > 180) & (pixels[:, :, 1] < 90))
    assert abs(red.mean(axis=0) - (60, 40)).max() < 2  # the ring is around the place that was touched
    text = request.texts[-1]
    assert (
        text.index("Screen 1 (step 1 of 5)") < text.index("CLICK Home") < text.index("Screen 2 (step 2 of 5)")
    )
    types = [part["type"] for part in request.messages[-1]["content"]]
    assert types == ["text", "image_url", "text", "image_url", "text"]


def test_a_composite_has_all_screens_of_the_window_side_by_side_within_its_pixels(project):
    with ChatServer(answering(lambda _words: '{"states": []}')) as server:
        write_judge(project, "mine", server.address, window=4, interval=2, questions="all", quality=0,
                    layout="composite", image_max_pixels=20_000)  # fmt: skip
        run(project)
    (image,) = server.requests[0].images
    assert image.size[0] * image.size[1] <= 20_000
    assert image.size[0] > 1.5 * image.size[1]


def test_an_answer_that_is_none_is_asked_again_once_with_what_is_wrong(project):
    with ChatServer(play.right("Yes, of course"), answering(says)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm", workers=1)
        (result,) = run(project)
    first, second = server.requests[:2]
    assert second.messages[: len(first.messages)] == first.messages
    assert second.roles[-2:] == ["assistant", "user"]
    assert "it has no <answer>yes|no</answer>" in second.texts[-1]
    window = result.judgements[0]
    assert (window.proof["first_answer"], window.raw) == ("Yes, of course", NO)
    assert window.usage.input_tokens == 2400
    assert result.on_task.verdict == "success"


@pytest.mark.parametrize(
    "wrong",
    [play.right("<answer>yes"), play.right("<answer>yes</answer>", "length"),
     play.right(None, message={"role": "assistant", "content": None, "refusal": "I cannot"}),
     play.right("<answer>yes</answer>", "content_filter"), play.right("")],
)  # fmt: skip
def test_after_two_answers_that_are_none_the_state_is_undecided_and_never_reached(project, wrong):
    with ChatServer(wrong) as server:
        write_judge(project, "mine", server.address, prompt="a3rm")
        (result,) = run(project)
    assert {item.verdict for item in result.judgements} == {UNDECIDED}


def test_a_busy_endpoint_is_asked_again_and_one_that_has_gone_ends_the_run(project):
    for number in range(2, 7):
        add_run(project.project, f"r{number}")
    with ChatServer(play.refusing(429, "slow down", Retry_After="0"), answering(says)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm", retries=2, workers=1)
        (result,) = run(project)[:1]
        assert result.on_task.verdict == "success"
    with ChatServer(play.refusing(500, "broken")) as server:
        write_judge(project, "gone", server.address, prompt="a3rm", workers=1)
        with pytest.raises(EndpointUnavailable, match="500"):
            run(project, "gone")
        assert len(server.requests) < 6
    assert not any(item.judge == "gone" for item in read_judgements(result.folder).judgements)


def test_structured_output_sends_the_schema_of_the_answer(project):
    with ChatServer(answering(lambda _words: "{}")) as server:
        write_judge(project, "mine", server.address, structured=True, workers=1)
        run(project)
    form = server.requests[0].body["response_format"]
    assert form["type"] == "json_schema"
    schema = form["json_schema"]["schema"]
    assert schema["required"] == ["reason", "reached", "screen", "confidence"]
    assert schema["additionalProperties"] is False


def test_a_key_goes_to_the_endpoint_and_into_no_file(project, monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", KEY)
    with ChatServer(play.telling_key) as server:
        write_judge(project, "mine", server.address, prompt="a3rm", key_env="JUDGE_KEY")
        from collector.consent.allowed_hosts import AllowedHosts
        from collector.consent.transfer import Transfer

        AllowedHosts().allow([Transfer(server.address.removesuffix("/v1"), ("$JUDGE_KEY",))])
        run(project)
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    files = [path for path in project.project.folder.rglob("*") if path.is_file()]
    assert any(path.name == "answers.db" for path in files)
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []


def test_the_limit_stops_before_it_is_passed_and_what_was_paid_is_kept(project):
    with ChatServer(answering(says)) as server:
        options = {"prompt": "a3rm", "price_input": 1000.0, "price_output": 0.0, "max_tokens": 10}
        write_judge(project, "mine", server.address, workers=1, **options)
        control = JudgingControl(Spending(3.0))
        with pytest.raises(LimitReached, match="limit of 3 USD"):
            run(project, control=control)
        assert control.spending.usd <= 3.0
        paid = len(server.requests)
        assert paid == 2  # 1.2 USD each
        more = JudgingControl(Spending(100.0))
        run(project, control=more)
        assert more.spending.kept == paid


def expected(usd):
    return ExpectedCost("m", usd, 0.0)


def test_a_question_waits_for_those_on_their_way_before_the_limit_stops_it():
    spending, cancel = Spending(1.0), threading.Event()
    spending.expect("m", lambda: 1.0)
    spending.reserve(expected(0.9), cancel)
    waiter = threading.Thread(target=lambda: spending.reserve(expected(0.5), cancel))
    waiter.start()
    assert spending.pay(Usage(1, 1, 0.1), expected(0.9), 0.9, 0.1) == 0.1
    waiter.join(10)
    assert not waiter.is_alive()
    with pytest.raises(LimitReached):
        spending.reserve(expected(0.95), cancel)


@pytest.mark.parametrize("options", [{}, {"max_tokens": 0, "body": {"max_completion_tokens": 40}}])
def test_the_limit_holds_where_questions_take_more_than_was_estimated(tmp_path, options):
    """Many pictures are dearer than their pixels say: the first answer tells, before others are asked."""
    project = judged_project(tmp_path / "p", states="".join(
        ["states:\n", *(f"  - {{id: s{number}}}\n" for number in range(8))]
    ), needed=("s1",))  # fmt: skip
    sent = play.right(NO, usage={"prompt_tokens": 9000, "completion_tokens": 40})
    with ChatServer(sent) as server:
        given = {"price_input": 1.0, "price_output": 1.0, "max_tokens": 40, "workers": 8, **options}
        write_judge(project, "mine", server.address, prompt="a3rm", **given)
        control = JudgingControl(Spending(0.03))
        with pytest.raises(LimitReached):
            run(project, control=control)
        assert len(server.requests) == 3
        assert 0.02 < control.spending.usd <= 0.03
        with pytest.raises(LimitReached):  # the kept answers say that the next question passes it
            run(project, control=JudgingControl(Spending(0.005)))
        assert len(server.requests) == 3


def test_the_first_question_of_a_model_is_not_sent_when_it_may_pass_the_limit(project):
    with ChatServer(answering(says)) as server:
        options = {"prompt": "a3rm", "price_input": 1000.0, "price_output": 0.0, "max_tokens": 10}
        write_judge(project, "mine", server.address, workers=1, **options)
        cost = cost_of(
            project, list(project.project.trajectory_folders()), named_judge("mine", project.project)
        )
        first = cost.usd / cost.calls  # as `judge cost` says it of a mean question
        with pytest.raises(LimitReached, match=r"0\.0000 USD are spent"):
            run(project, control=JudgingControl(Spending(1.5 * first)))
        assert server.requests == []
        with pytest.raises(LimitReached):
            run(project, control=JudgingControl(Spending(2.5 * first)))
        assert len(server.requests) == 1


def test_an_answer_that_nobody_counts_costs_what_was_set_aside_for_it(project):
    with ChatServer(play.right(NO, usage=None)) as server:
        options = {"prompt": "a3rm", "price_input": 0.0, "price_output": 1000.0, "max_tokens": 10}
        write_judge(project, "mine", server.address, workers=4, **options)
        with pytest.raises(LimitReached):
            run(project, control=JudgingControl(Spending(0.025)))
        assert len(server.requests) == 2


def test_a_limit_without_a_longest_answer_is_refused(project):
    with ChatServer(answering(says)) as server:
        options = {"prompt": "a3rm", "price_input": 1.0, "price_output": 1.0, "max_tokens": 0}
        write_judge(project, "mine", server.address, **options)
        with pytest.raises(UserError, match="how long an answer may be"):
            run(project, control=JudgingControl(Spending(1.0)))
        assert server.requests == []


def test_the_same_question_of_two_runs_at_once_is_paid_once(project):
    add_run(project.project, "r2")
    with ChatServer(answering(says)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm", workers=4)
        control = JudgingControl()
        assert [result.on_task.verdict for result in run(project, control=control)] == ["success"] * 2
        assert len({request.raw for request in server.requests}) == len(server.requests)
        assert control.spending.kept == control.spending.asked == len(server.requests)


def test_two_programs_that_judge_at_once_pay_a_question_once(project, monkeypatch):
    waits, locked = threading.Event(), answer_store.hold

    def hold(path, note):
        held = locked(path, note)
        if held is None:
            waits.set()
        return held

    def answer(words):
        assert waits.wait(20)  # the other program has come to the same question
        return says(words)

    monkeypatch.setattr(answer_store, "hold", hold)
    with ChatServer(answering(answer)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm", workers=1)
        controls = JudgingControl(), JudgingControl()
        threads = [threading.Thread(target=run, args=(project, "mine", control)) for control in controls]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert len({request.raw for request in server.requests}) == len(server.requests)
    first, second = (control.spending for control in controls)
    assert first.asked + second.asked == len(server.requests) == first.kept + second.kept


def test_a_run_is_cancelled_while_the_endpoint_hangs(project):
    control = JudgingControl()
    with ChatServer(play.hanging) as server:
        write_judge(project, "mine", server.address, prompt="a3rm", workers=2)
        found = []
        worker = threading.Thread(target=lambda: found.extend(run(project, control=control)))
        worker.start()
        assert server.hanging.wait(10)
        control.cancel.set()
        worker.join(10)
        assert not worker.is_alive()
    assert found == []


def test_a_paused_run_asks_nothing_until_it_goes_on(project):
    control = JudgingControl()
    control.going.clear()
    with ChatServer(answering(says)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm")
        found = []
        worker = threading.Thread(target=lambda: found.extend(run(project, control=control)))
        worker.start()
        worker.join(0.3)
        assert server.requests == []
        control.going.set()
        worker.join(20)
    assert [result.on_task.verdict for result in found] == ["success"]


def test_a_killed_run_pays_for_nothing_twice(project):
    """A process that is killed after some answers leaves them; the next run asks for the others alone."""
    hold = threading.Event()

    def answer(words):
        if len(server.requests) == 3:
            hold.set()
            server.ended.wait(20)
        return says(words)

    code = (
        "import sys; from pathlib import Path\n"
        "from collector.project_rules.project_rules import ProjectRules\n"
        "from collector.model_judges.judge_files import named_judge\n"
        "from collector.model_judges.judging_run import JudgingControl, judge_by_models\n"
        "project = ProjectRules.open(Path(sys.argv[1]))\n"
        "judge = named_judge('mine', project.project)\n"
        "folders = list(project.project.trajectory_folders())\n"
        "list(judge_by_models(project, folders, judge, JudgingControl()))\n"
    )
    with ChatServer(answering(answer)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm", workers=1)
        process = subprocess.Popen([sys.executable, "-c", code, str(project.project.folder)])
        assert hold.wait(60)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(20)
        server.ended.set()
    before = [request.raw for request in server.requests[:2]]
    with ChatServer(answering(says)) as other:
        path = project.project.paths.judge("mine")
        # The address is part of what was asked: the same server answers again.
        path.write_text(path.read_text("utf-8").replace(server.address, other.address), "utf-8")
        cache = project.project.paths.answer_cache
        assert list(cache.parent.glob("*-awaited/*"))
        with AnswerStore(cache) as store:
            assert store.experience("mine").answers == 2
        assert not list(cache.parent.glob("*-awaited/*"))
    assert len({*before}) == 2


def test_an_answer_is_read_again_offline_when_its_reader_has_changed(project, monkeypatch):
    with ChatServer(answering(lambda _words: "<answer>nope</answer>")) as server:
        write_judge(project, "mine", server.address, prompt="a3rm", workers=1)
        (result,) = run(project)
        assert result.on_task.verdict == UNDECIDED
    from collector.model_judges import strict_answers

    plain = strict_answers.read_tagged
    monkeypatch.setattr(strict_answers, "read_tagged", lambda text: plain(text.replace("nope", "no")))
    control = JudgingControl()
    (result,) = run(project, control=control)  # the endpoint has gone
    assert result.on_task.verdict == "failure"
    assert control.spending.asked == 0


def test_a_judge_with_the_name_of_a_person_asks_nothing_and_stores_nothing(project):
    (folder,) = project.project.trajectory_folders()
    add_judgements(folder, [Judgement("mine", PERSON, "", Subject(TASK), "failure")])
    with ChatServer(answering(says)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm")
        (result,) = run(project)
        assert "a person or a judge of another kind has that name" in result.problem
        assert server.requests == []
    assert [item.kind for item in read_judgements(folder).judgements] == [PERSON]


def test_the_cost_is_at_least_what_is_asked_and_less_what_is_kept(project):
    with ChatServer(answering(says)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm", price_input=2.0, price_output=4.0)
        folders = list(project.project.trajectory_folders())
        judge = named_judge("mine", project.project)
        before = cost_of(project, folders, judge)
        assert server.requests == []
        assert (before.trajectories, before.calls, before.pictures, before.kept) == (1, 8, 16, 0)
        assert before.usd > 0
        control = JudgingControl()
        run(project, control=control)
        assert control.spending.asked <= before.calls
        after = cost_of(project, folders, judge)
        assert (after.calls, after.kept) == (0, control.spending.asked)
        add_run(project.project, "r2", ("Home", "Search"))
        shared = ScreensInCommon()
        both = [
            replace(named_judge("mine", project.project, {"window": size}), shared=shared) for size in (2, 3)
        ]
        priced = costs_of(project, folders, both)
        assert priced == [cost_of(project, folders, replace(judge, shared=None)) for judge in both]
        assert [cost.kept for cost in priced] == [control.spending.asked, 0]
        corrected = cost_of(project, list(project.project.trajectory_folders()), judge)
        assert corrected.answers_before == control.spending.asked
        assert corrected.calls == 2
        assert 2 * 1000 < corrected.input_tokens < 2 * 1400  # as the endpoint counted before


def test_only_what_nobody_decided_is_chosen(project):
    folders = list(project.project.trajectory_folders())
    assert list(Chosen(only_undecided=True).of(folders, "mine")) == folders
    with ChatServer(answering(says)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm")
        run(project)
    assert list(Chosen(only_undecided=True).of(folders, "mine")) == folders
    assert list(Chosen(only_undecided=True).of(folders, "other")) == []
    assert list(Chosen(task="else").of(folders, "mine")) == []
    assert list(Chosen(agent="else").of(folders, "mine")) == []


def test_a_store_that_another_account_made_is_not_believed(tmp_path):
    path = tmp_path / "answers.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE answers (hash TEXT PRIMARY KEY, reply TEXT)")
        database.execute("INSERT INTO answers VALUES ('x', 'yes')")
    database.close()
    with AnswerStore(path) as store:
        assert store.find("x") is None
        store.keep("k", "mine", ChatReply("hi"), Usage(10, 2), estimate=5, pictures=0)
        assert store.find("k").reply.text == "hi"
        assert store.experience("mine") == Experience(1, 10, 5, 2, 2.0)


def test_a_picture_of_a_request_can_be_opened(project):
    with ChatServer(answering(lambda _words: NO)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm", image_max_pixels=2000)
        run(project)
    for kind, data in server.requests[0].pictures:
        image = Image.open(io.BytesIO(data))
        assert (kind, image.format) == ("image/jpeg", "JPEG")
        assert image.size[0] * image.size[1] <= 2000


def test_no_path_of_this_computer_is_sent(project):
    with ChatServer(answering(lambda _words: NO)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm")
        run(project)
    sent = json.dumps(server.requests[0].texts)
    assert not re.search(re.escape(str(project.project.folder)), sent)


def test_cancelling_is_noticed_while_the_limit_is_waited_for():
    spending, cancel = Spending(1.0), threading.Event()
    spending.expect("m", lambda: 1.0)
    spending.reserve(expected(0.9), cancel)
    cancel.set()
    with pytest.raises(CallCancelled):
        spending.reserve(expected(0.5), cancel)


def test_the_verdict_on_the_task_counts_what_was_asked(project):
    with ChatServer(answering(says)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm")
        (result,) = run(project, keep=False)
    assert read_judgements(result.folder).judgements == ()
    assert [item.subject.kind for item in result.judgements][-1] == TASK


def test_an_answer_that_was_none_twice_is_paid_and_costs_nothing_more(project):
    with ChatServer(play.right("Yes, of course")) as server:
        write_judge(project, "mine", server.address, prompt="a3rm", price_input=1.0, price_output=1.0)
        control = JudgingControl()
        run(project, control=control)
        judge = named_judge("mine", project.project)
        cost = cost_of(project, list(project.project.trajectory_folders()), judge)
    assert (cost.calls, cost.kept, cost.usd) == (0, control.spending.asked // 2, 0.0)


def test_a_limit_without_prices_is_refused_before_anything_is_sent(project):
    with ChatServer(answering(says)) as server:
        write_judge(project, "mine", server.address, prompt="a3rm")
        with pytest.raises(UserError, match="does not say what test-model costs"):
            run(project, control=JudgingControl(Spending(1.0)))
        assert server.requests == []


def test_a_store_that_another_program_holds_is_neither_deleted_nor_passed_over(tmp_path, monkeypatch):
    monkeypatch.setattr("collector.model_judges.answer_store.PATIENCE_S", 0.0)
    path = tmp_path / "answers.db"
    with AnswerStore(path) as store, contextlib.closing(sqlite3.connect(path)) as other:
        store.keep("k", "mine", ChatReply("hi"), Usage(10, 2), estimate=5, pictures=0)
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(UserError, match="cannot be kept"):
            store.keep("l", "mine", ChatReply("ho"), Usage(10, 2), estimate=5, pictures=0)
        with pytest.raises(UserError, match="cannot be kept"):
            AnswerStore(path)
        other.rollback()
        assert store.find("k").reply.text == "hi"
