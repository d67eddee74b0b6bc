"""The method ``windows``: sliding windows of screens, and the essential states each shows (A3, section 3.2).

A3RM is asked about one state at a time, yes or no, in windows of two screens; commercial models about all
states at once, in windows of four, two apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collector.endpoint.endpoint_options import check_ranges
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.windows import Window, sliding_windows
from collector.model.i18n import N_, _
from collector.model.verdicts.judgement import (
    MISSED,
    REACHED,
    STATE,
    TASK,
    UNDECIDED,
    WINDOW,
    Judgement,
    Subject,
)
from collector.model_judges import strict_answers as strict
from collector.model_judges.default_prompts import ALL
from collector.model_judges.frames import COMPOSITE, JudgedScreens
from collector.model_judges.methods.state_answers import StateAnswers
from collector.model_judges.model_judge import (
    LAYOUT_OPTION,
    MODEL_OPTIONS,
    NOTHING_KNOWN,
    Known,
    ModelJudge,
    claim_option,
    common_values,
    model_kind,
    task_values,
)
from collector.model_judges.prompt_values import (
    fenced,
    messages_of,
    require_prompt,
    screen_parts,
)
from collector.model_judges.questions import Asking, Message, ModelReply, Question, WrongAnswer
from collector.model_judges.task_verdict import verdict_of_states
from collector.plugins.options import PluginOption
from collector.rules.grammar.model import Rule
from collector.store.project.project import Project

EACH = "each"
_LONGEST_REASON = 400
_AFTER_THINKING = re.compile(r"</think>", re.IGNORECASE)
_ANSWER = re.compile("<answer>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StateAnswer:
    """What a model says of one state in one window."""

    verdict: str
    """yes, no or unclear."""
    screen: int | None = None
    """The screen of the window that reaches it, from 1; None when the model names none."""
    reason: str = ""
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowsJudge(ModelJudge):
    """A judge by sliding windows."""

    size: int = 2
    interval: int = 1
    questions: str = EACH
    early_exit: bool = True
    in_order: bool = True
    needs_claim: bool = False

    def asking(self, trajectory: JudgedTrajectory, known: Known = NOTHING_KNOWN) -> Asking:
        """Ask about each window in turn, first to last."""
        run = _WindowsRun(self, trajectory, known)
        for window in run.windows:
            tried: set[str] = set()
            while questions := run.questions(window, tried):
                replies = yield questions
                for question, reply in zip(questions, replies, strict=True):
                    run.note(question, reply)
                run.settle(tried)
        return run.judgements()


class _WindowsRun:
    """The windows of one trajectory, and what was said of them."""

    def __init__(self, judge: WindowsJudge, trajectory: JudgedTrajectory, known: Known) -> None:
        self._judge, self._trajectory = judge, trajectory
        self._screens = judge.screens(trajectory)
        self.windows = sliding_windows(self._screens.count, judge.size, judge.interval)
        decided = frozenset({*known.reached, *known.missed})
        self.answers = StateAnswers(
            trajectory.states, trajectory.needed, judge.in_order, dict(known.reached), decided
        )
        self._windows: list[Judgement] = []
        self._why: dict[tuple[str, int], tuple[str, Window]] = {}
        """Id and step of each yes -> reason and window of the first that names them."""

    # -- questions -----------------------------------------------------------
    def questions(self, window: Window, tried: set[str]) -> list[Question]:
        """The next questions about a window; ``tried`` are the states that were asked about it already."""
        judge = self._judge
        states = self._untried(tried)
        tried.update(state.id for state in states)
        if not states or (judge.questions == ALL and len(tried) > len(states)):
            return []
        indexes = range(window.first, window.last + 1)
        if all(self._screens.hidden(index) for index in indexes):
            self._note_unseen(window, states)
            return []
        if judge.questions == ALL:
            return [self._question(window, states)]
        return [self._question(window, [state]) for state in states]

    def _untried(self, tried: set[str]) -> list[Rule]:
        judge = self._judge
        open_ = self.answers.open(early_exit=judge.early_exit, waiting=judge.questions == ALL)
        return [state for state in open_ if state.id not in tried]

    def _question(self, window: Window, states: Sequence[Rule]) -> Question:
        judge, ids = self._judge, tuple(state.id for state in states)
        read, schema = _reader(judge, ids, window)
        seen = [index for index in _indexes(window) if not self._screens.hidden(index)]
        pictures = 1 if judge.form.layout == COMPOSITE else len(seen)

        def messages() -> Sequence[Message]:
            return window_messages(judge, self._trajectory, self._screens, window, states)

        tokens = self._screens.tokens(pictures, len(_indexes(window)))
        return Question(judge.model, messages, read, schema, ids, window, pictures, tokens)

    # -- answers -------------------------------------------------------------
    def settle(self, tried: set[str]) -> None:
        """Work out which states are reached; those that are open now and not ``tried`` are asked before."""
        self.answers.settle(lambda: bool(self._untried(tried)))

    def note(self, question: Question, reply: ModelReply) -> None:
        """Note what came back for a question."""
        assert question.window is not None
        window = question.window
        for state_id in question.states:
            if reply.not_asked:
                self.answers.note_unknown(state_id)
                continue
            if reply.value is None:
                answer = StateAnswer(
                    strict.UNCLEAR, None, _("The answer cannot be read: {why}", why=reply.fault)
                )
            else:
                answer = self._believed(reply.value[state_id], window)
            self._note(window, state_id, answer, reply, first_id=question.states[0])

    def _believed(self, answer: StateAnswer, window: Window) -> StateAnswer:
        """The answer; a yes for a screen that cannot be seen is none."""
        index = self._step(answer, window)
        if answer.verdict == strict.YES and answer.screen is not None and self._screens.hidden(index):
            why = _("The model names step {step}, which cannot be seen", step=index + 1)
            return StateAnswer(strict.UNCLEAR, None, why)
        return answer

    def _step(self, answer: StateAnswer, window: Window) -> int:
        """The step that reaches a state: the screen that is named, else the last one that can be seen."""
        if answer.screen is not None:
            return window.first + answer.screen - 1
        return max(index for index in _indexes(window) if not self._screens.hidden(index))

    def _note(
        self, window: Window, state_id: str, answer: StateAnswer, reply: ModelReply, *, first_id: str
    ) -> None:
        # The answer, and what it cost, stand once: with the first of the states that it is about.
        is_first = state_id == first_id
        is_yes = answer.verdict == strict.YES
        doubt = answer.reason or _("The model cannot tell") if answer.verdict == strict.UNCLEAR else ""
        step = self._step(answer, window) if is_yes else None
        self.answers.note(state_id, window, step=step, doubt=doubt, confidence=answer.confidence)
        subject = Subject(WINDOW, state_id, window.first, window.last)
        verdict = REACHED if is_yes else UNDECIDED if doubt else MISSED
        judgement = self._judge.judgement(
            subject, verdict, answer.reason, reply if is_first else None, answer.confidence,
            screen=answer.screen, asked_with="" if is_first else first_id,
        )  # fmt: skip
        self._windows.append(judgement)
        if step is not None:
            self._why.setdefault((state_id, step), (answer.reason, window))

    def _note_unseen(self, window: Window, states: Sequence[Rule]) -> None:
        """Note that no screen of a window can be seen: no model is asked, and its states stay undecided."""
        for state in states:
            why = _("No screen of this window can be seen")
            self.answers.note(state.id, window, step=None, doubt=why)
            subject = Subject(WINDOW, state.id, window.first, window.last)
            self._windows.append(self._judge.judgement(subject, UNDECIDED, why))

    # -- verdicts ------------------------------------------------------------
    def judgements(self) -> list[Judgement]:
        """Those of the windows in the order they were asked, of the states, and of the task."""
        answers = self.answers
        answers.settle_anew()
        doubts, sure = answers.not_known(), answers.confidences()
        states = [
            self._on_state(state, doubts, sure.get(state.id))
            for state in self._trajectory.states
            if state.id not in answers.decided
        ]
        verdict, reason = verdict_of_states(
            self._trajectory, answers.reached, doubts, needs_claim=self._judge.needs_claim
        )
        confidence = answers.of_task(verdict) if verdict != UNDECIDED else None
        task = self._judge.judgement(Subject(TASK), verdict, reason, None, confidence)
        return [*self._windows, *states, task]

    def _on_state(self, state: Rule, doubts: Mapping[str, str], confidence: float | None) -> Judgement:
        judge, answers = self._judge, self.answers
        if state.id in answers.reached:
            return self._on_reached(state, answers.reached[state.id], confidence)
        if state.id in doubts:
            return judge.judgement(Subject(STATE, state.id), UNDECIDED, doubts[state.id])
        if missing := answers.missing_before(state.id):
            reason = _("It waits for {states}", states=", ".join(missing))
            return judge.judgement(Subject(STATE, state.id), MISSED, reason, None, confidence)
        if judge.early_exit and state.id in answers.replaced():
            reason = _("Not asked to the end: another state was reached of which it is an alternative")
            return judge.judgement(Subject(STATE, state.id), UNDECIDED, reason)
        reason = _("No window shows it; {count} were asked about", count=answers.asked.get(state.id, 0))
        return judge.judgement(Subject(STATE, state.id), MISSED, reason, None, confidence)

    def _on_reached(self, state: Rule, step: int, confidence: float | None) -> Judgement:
        reason, window = self._why.get((state.id, step), ("", Window(step, step)))
        if name := self.answers.alternative_of(state):
            reason = _("Its alternative {state} was reached", state=name)
        return self._judge.judgement(
            Subject(STATE, state.id, step, step), REACHED, reason, None, confidence, step=step,
            window=[window.first, window.last],
        )  # fmt: skip


# -- questions ----------------------------------------------------------------
def window_messages(
    judge: WindowsJudge, trajectory: JudgedTrajectory, screens: JudgedScreens, window: Window,
    states: Sequence[Rule],
) -> Sequence[Message]:  # fmt: skip
    """The messages of a question about some states in one window."""
    indexes = _indexes(window)
    # The action on the last screen leads out of the window: the model is not shown what it led to.
    marked = [index < window.last for index in indexes]
    sentences = [f"{state.id}: {_sentence(state)}" for state in states]
    values = {
        **task_values(trajectory), "state": fenced(_sentence(states[0])),
        "states": fenced("\n".join(sentences)), "shown": len(indexes),
    }  # fmt: skip
    parts = screen_parts(screens, indexes, layout=judge.form.layout, marked=marked)
    return messages_of(judge.prompt, values, parts)


# -- reading answers ---------------------------------------------------------
def _reader(
    judge: WindowsJudge, ids: Sequence[str], window: Window
) -> tuple[Callable[[str], dict[str, StateAnswer]], Mapping[str, Any] | None]:
    """How an answer is read, by the form that the prompt asks for, and its JSON schema."""
    count = len(_indexes(window))
    if judge.questions == EACH and judge.model.tagged:
        return (lambda text: {ids[0]: _of_tags(text)}), None
    if judge.questions == EACH:
        return (lambda text: {ids[0]: _of_object(strict.read_object(text, _keys(count)))}), _schema()
    return (lambda text: _of_list(text, ids, count)), _schema(ids)


def right_answer(judge: WindowsJudge, window: Window, screen: int | None) -> str:
    """The right answer to a question about one state, in the form that the judge's prompt asks for.

    ``screen`` of the window reaches the state, from 1; None when none does. In English, as prompts are.
    """
    verdict = strict.NO if screen is None else strict.YES
    text = f"<answer>{verdict}</answer>"
    if not judge.model.tagged:
        reason = "No screen shows it" if screen is None else f"Screen {screen} shows it"
        value = {"reason": reason, "reached": verdict, "screen": screen, "confidence": None}
        text = json.dumps(value, ensure_ascii=False)
    read, _schema_of_answer = _reader(judge, (STATE,), window)
    if read(text)[STATE].verdict != verdict:
        raise WrongAnswer(f"{text!r} is not read as {verdict}")
    return text


def _of_tags(text: str) -> StateAnswer:
    verdict = strict.read_tagged(text)
    thought = _AFTER_THINKING.split(_ANSWER.split(text)[0])[0]
    return StateAnswer(verdict, None, " ".join(thought.replace("<think>", "").split())[:_LONGEST_REASON])


def _keys(count: int) -> dict[str, strict.Check]:
    return {
        "reason": strict.text_up_to(), "reached": strict.word_of(strict.YES, strict.NO, strict.UNCLEAR),
        "screen": strict.number_up_to(count), "confidence": strict.share,
    }  # fmt: skip


def _of_object(value: Mapping[str, Any]) -> StateAnswer:
    if value["reached"] == strict.YES and value["screen"] is None:
        raise WrongAnswer("reached is yes, but screen names no screen")
    return StateAnswer(
        value["reached"], value["screen"], value["reason"][:_LONGEST_REASON], value["confidence"]
    )


def _of_list(text: str, ids: Sequence[str], count: int) -> dict[str, StateAnswer]:
    rows = strict.read_object(text, {"states": strict.listing})["states"]
    keys = {"id": strict.word_of(*ids), **_keys(count)}
    answers: dict[str, StateAnswer] = {}
    for row in rows:
        value = strict.checked_object(row, keys, "an entry of states")
        if value["id"] in answers:
            raise WrongAnswer(f"the state {value['id']!r} is there twice")
        answers[value["id"]] = _of_object(value)
    if missing := [name for name in ids if name not in answers]:
        raise WrongAnswer(f"the state {missing[0]!r} is missing")
    return answers


def _schema(ids: Sequence[str] = ()) -> dict[str, Any]:
    """Of an answer about one state, or about the states ``ids``: no other id is allowed."""
    answer = {
        "reason": strict.TEXT, "reached": strict.WORDS((strict.YES, strict.NO, strict.UNCLEAR)),
        "screen": strict.NUMBER_OR_NULL, "confidence": strict.SHARE_OR_NULL,
    }  # fmt: skip
    if not ids:
        return strict.schema_of(answer)
    row = strict.schema_of({"id": strict.WORDS(ids), **answer})
    return strict.schema_of({"states": strict.list_of(row)})


def _indexes(window: Window) -> range:
    return range(window.first, window.last + 1)


def _sentence(state: Rule) -> str:
    return state.description.strip() or state.id


# -- the kind ----------------------------------------------------------------
OPTIONS = (
    *MODEL_OPTIONS,
    PluginOption("window", int, 2, N_("Screens of a window")),
    PluginOption("interval", int, 1, N_("Screens between the beginnings of two windows")),
    PluginOption("questions", str, EACH, N_("One question for each state, or one for all"),
                 choices=(EACH, ALL)),
    LAYOUT_OPTION,
    PluginOption("early_exit", bool, True, N_("Ask no more about a state that was reached")),
    PluginOption("in_order", bool, True, N_("A state counts after those that it waits for")),
    claim_option(False),
)  # fmt: skip
_RANGES = {"window": (1.0, 32.0), "interval": (1.0, 32.0)}


def _create(options: Mapping[str, Any], project: Project | None) -> WindowsJudge:
    check_ranges(options, _RANGES)
    values, is_of_all = common_values(KIND.id, options, project), options["questions"] == ALL
    require_prompt(values["prompt"], ["states" if is_of_all else "state"], tags=not is_of_all)
    return WindowsJudge(
        **values, size=options["window"],
        interval=options["interval"], questions=options["questions"], early_exit=options["early_exit"],
        in_order=options["in_order"], needs_claim=options["needs_claim"],
    )  # fmt: skip


KIND = model_kind(
    "windows", N_("Model, by sliding windows of screens"),
    N_("Shows a model windows of screens, and asks which essential states they show (A3)"),
    _create, OPTIONS,
)  # fmt: skip
