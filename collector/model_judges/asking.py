"""Ask the questions of judges: kept answers first, then the endpoint; once more after no answer."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from collector.device.errors import CallCancelled
from collector.endpoint.chat_endpoint import ChatEndpoint
from collector.endpoint.chat_reply import ChatReply
from collector.endpoint.endpoint_options import EndpointSettings
from collector.endpoint.secret_value import SecretValue
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.usage import Usage
from collector.model.verdicts.judgement import Judgement
from collector.model_judges.answer_store import AnswerStore, hash_of
from collector.model_judges.asked_model import AskedModel
from collector.model_judges.prompt_values import asked_again
from collector.model_judges.questions import Asking, Message, ModelReply, Question, WrongAnswer

_CHARACTERS_PER_TOKEN = 4
_MORE_OF_UNKNOWN = 2.0
"""So many times what is estimated is set aside for what a model reads that was never asked before."""
_LOOK_S = 0.1
"""How often a paused run looks whether it was cancelled."""


class LimitReached(UserError):  # noqa: N818 - a state
    """The next question might cost more than may be spent."""


class Asker(Protocol):
    """Answers questions."""

    def ask(self, questions: Sequence[Question]) -> list[ModelReply]:
        """The replies, in order. Raises UserError when an endpoint gives no answer."""
        ...


def judged_by(asking: Asking, asker: Asker) -> list[Judgement]:
    """Run a method of judging to its end. Raises what the asker raises."""
    try:
        questions = next(asking)
        while True:
            questions = asking.send(asker.ask(questions))
    except StopIteration as end:
        judgements: list[Judgement] = end.value
        return judgements
    finally:
        asking.close()


@dataclass(frozen=True, slots=True)
class ExpectedCost:
    """What a question may cost, in USD."""

    model: str
    """The model that is asked, and where."""
    read: float
    """For what it reads, as it was estimated."""
    written: float
    """For the longest answer that it allows."""


@dataclass(slots=True)
class Spending:
    """What was asked and paid so far, and how much may be. Thread-safe."""

    limit_usd: float | None = None
    asked: int = 0
    """Requests that were sent and answered."""
    kept: int = 0
    """Questions whose answer was there."""
    usd: float = 0.0
    _reserved: float = 0.0
    _ratios: dict[str, float] = field(default_factory=dict)
    """Model -> by how much the dearest question cost more to read than was estimated, now or before."""
    _answered: set[str] = field(default_factory=set)
    _first: set[str] = field(default_factory=set)
    """Models whose first question is on its way: nobody knows yet how well they are estimated."""
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def reserve(self, expected: ExpectedCost, cancel: threading.Event) -> float:
        """Set aside what the next question may cost; wait for answers that may leave enough for it.

        Returns how much it is: what is ``expected``, corrected by the answers of the model so far; more for
        a model that was never asked. With a limit its first question is asked alone. Raises LimitReached,
        and CallCancelled once ``cancel`` is set.
        """
        with self._changed:
            while not self._has_room(expected):
                if cancel.is_set():
                    raise CallCancelled
                self._changed.wait(_LOOK_S)
            if self.limit_usd is not None and expected.model not in self._answered:
                self._first.add(expected.model)
            usd = self._corrected(expected)
            self._reserved += usd
            return usd

    def expect(self, model: str, dearest: Callable[[], float | None]) -> None:
        """Take from earlier runs by how much a model may cost more to read than is estimated.

        ``dearest`` gives None when no answer tells.
        """
        if self.limit_usd is None or model in self._ratios:
            return
        ratio = dearest()
        with self._changed:
            if ratio is not None:
                self._ratios.setdefault(model, ratio)

    def _has_room(self, expected: ExpectedCost) -> bool:
        """Whether a question can be asked now. Raises LimitReached when it never can."""
        if self.limit_usd is None:
            return True
        if expected.model in self._first:
            return False
        usd = self._corrected(expected)
        if self.usd + self._reserved + usd <= self.limit_usd:
            return True
        if self._reserved and self.usd + usd <= self.limit_usd:
            return False
        raise LimitReached(
            _("The limit of {limit} USD is reached", limit=f"{self.limit_usd:g}"),
            _(
                "{usd} USD are spent, and a question may cost {next}",
                usd=f"{self.usd:.4f}",
                next=f"{usd:.4f}",
            ),
            _("Raise it, and judge again: what was answered is not paid for twice"),
        )

    def _corrected(self, expected: ExpectedCost) -> float:
        return expected.read * self._ratios.get(expected.model, _MORE_OF_UNKNOWN) + expected.written

    def pay(self, usage: Usage, expected: ExpectedCost, reserved: float, read: float | None) -> float:
        """Note an answer, and return what it cost.

        ``read`` is what the model took for reading, None where the endpoint does not count. With a limit
        an answer that nobody counted costs all that was set aside for it.
        """
        with self._changed:
            is_counted = usage.input_tokens is not None and usage.output_tokens is not None
            usd = usage.cost or 0.0
            if self.limit_usd is not None and not is_counted:
                usd = max(usd, reserved)
            self.asked, self.usd = self.asked + 1, self.usd + usd
            more = read / expected.read if read is not None and expected.read > 0 else 1.0
            self._ratios[expected.model] = max(self._ratios.get(expected.model, 1.0), more)
            self._answered.add(expected.model)
        self.give_back(expected, reserved)
        return usd

    def give_back(self, expected: ExpectedCost, reserved: float) -> None:
        """Set aside no more for a question that was answered, or brought no answer."""
        with self._changed:
            self._first.discard(expected.model)
            self._reserved = max(0.0, self._reserved - reserved)
            self._changed.notify_all()

    def note_kept(self) -> None:
        """Note a question whose answer was there."""
        with self._changed:
            self.kept += 1


class ModelAsker:
    """Asks models at their endpoints, several questions at once. Thread-safe; close it at the end."""

    def __init__(
        self, store: AnswerStore, spending: Spending | None = None, workers: int = 4,
        cancel: threading.Event | None = None, going: threading.Event | None = None,
    ) -> None:  # fmt: skip
        """``workers`` questions are on their way at most; none is sent while ``going`` is not set."""
        self._going = going
        self.spending = spending or Spending()
        self._store, self._cancel = store, cancel or threading.Event()
        self._pool = ThreadPoolExecutor(workers, "model judge")
        self._local = threading.local()
        self._endpoints: list[ChatEndpoint] = []
        self._lock = threading.Lock()
        self._asking: dict[str, tuple[threading.Lock, int]] = {}
        """Hash of each request that is on its way -> who asks it, and how many want its answer."""

    def ask(self, questions: Sequence[Question]) -> list[ModelReply]:
        """Raises EndpointUnavailable, LimitReached, PictureError, and CallCancelled once cancelled."""
        futures = [self._pool.submit(self._reply, question) for question in questions]
        try:
            return [future.result() for future in futures]
        finally:
            for future in futures:
                future.cancel()

    def close(self) -> None:
        """Wait for the questions that are on their way, and close the connections."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        for endpoint in self._endpoints:
            endpoint.close()

    # -- one question --------------------------------------------------------
    def _reply(self, question: Question) -> ModelReply:
        return answered(question, self._answer)

    def _answer(self, question: Question, messages: Sequence[Message]) -> ModelReply:
        endpoint = self._endpoint(question.model.endpoint)
        body, key = _request(endpoint, question, messages)
        with self._alone(key):
            while (kept := _kept_answer(self._store, key)) is None:
                self._wait_while_paused()
                with self._store.asking(key) as is_ours:
                    # Whoever asked before has kept the answer by now.
                    if is_ours and _kept_answer(self._store, key) is None:
                        return self._asked(endpoint, question, messages, body, key)
                if not is_ours:
                    self._cancel.wait(_LOOK_S)
            self.spending.note_kept()
            return kept

    def _asked(
        self, endpoint: ChatEndpoint, question: Question, messages: Sequence[Message], body: bytes, key: str
    ) -> ModelReply:
        estimate = text_tokens(messages) + question.picture_tokens
        expected = _expected(question, estimate)
        judge = question.model.judge
        self.spending.expect(expected.model, lambda: self._store.experience(judge).dearest)
        reserved = self.spending.reserve(expected, self._cancel)
        try:
            answer = endpoint.send(body, self._cancel)
        except BaseException:
            self.spending.give_back(expected, reserved)
            raise
        self._store.keep(
            key, judge, answer.reply, answer.usage, estimate=estimate,
            pictures=question.pictures,
        )  # fmt: skip
        tokens, price = answer.usage.input_tokens, endpoint.settings.price_input or 0.0
        read = tokens * price / 1_000_000 if tokens is not None else None
        cost = self.spending.pay(answer.usage, expected, reserved, read)
        return _raw_reply(answer.reply, answer.usage, cost, key)

    @contextlib.contextmanager
    def _alone(self, key: str) -> Iterator[None]:
        """Let one thread at a time ask what has this hash: the others find its answer kept."""
        with self._lock:
            lock, users = self._asking.get(key, (threading.Lock(), 0))
            self._asking[key] = lock, users + 1
        try:
            with lock:
                yield
        finally:
            with self._lock:
                lock, users = self._asking.pop(key)
                if users > 1:
                    self._asking[key] = lock, users - 1

    def _wait_while_paused(self) -> None:
        while self._going is not None and not self._going.wait(_LOOK_S):
            if self._cancel.is_set():
                break
        if self._cancel.is_set():
            raise CallCancelled

    def _endpoint(self, settings: EndpointSettings) -> ChatEndpoint:
        """The connection of this thread to an endpoint."""
        known: list[ChatEndpoint] = getattr(self._local, "known", [])
        found = next((endpoint for endpoint in known if endpoint.settings is settings), None)
        if found is None:
            found = ChatEndpoint(settings)
            self._local.known = [*known, found]
            with self._lock:
                self._endpoints.append(found)
        return found


def answered(question: Question, answer: Callable[[Question, Sequence[Message]], ModelReply]) -> ModelReply:
    """The reply to a question, asked once more after no allowed answer. Raises what ``answer`` raises."""
    messages = list(question.compose())
    first = replace(answer(question, messages), words=words_digest(messages))
    try:
        return _read(question, first)
    except WrongAnswer as wrong:
        again = answer(question, asked_again(messages, first.raw, str(wrong)))
    both = replace(
        again, usage=first.usage + again.usage, paid=first.paid + again.paid, first_raw=first.raw,
        keys=(*first.keys, *again.keys), words=first.words,
    )  # fmt: skip
    try:
        return _read(question, both)
    except WrongAnswer as wrong:
        return replace(both, fault=str(wrong))


class NotKept(Exception):  # noqa: N818 - what it is
    """There is no kept answer to a question."""


class KeptAnswers:
    """Answers questions from the kept answers alone; nothing is sent, and no key is looked for."""

    def __init__(self, store: AnswerStore) -> None:
        self._store = store
        self._endpoints: dict[int, tuple[AskedModel, ChatEndpoint]] = {}

    def reply(self, question: Question) -> ModelReply:
        """What came back for a question, also when it was asked twice. Raises NotKept."""
        return answered(question, self._answer)

    def _answer(self, question: Question, messages: Sequence[Message]) -> ModelReply:
        model = question.model
        if id(model) not in self._endpoints:
            self._endpoints[id(model)] = (model, ChatEndpoint(model.endpoint, SecretValue("-")))
        endpoint = self._endpoints[id(model)][1]
        kept = _kept_answer(self._store, _request(endpoint, question, messages)[1])
        if kept is None:
            raise NotKept
        return kept


def words_digest(messages: Sequence[Message]) -> str:
    """A digest of all words of messages, in order, without their pictures."""
    texts = [message["content"] for message in messages]
    parts = [[{"text": text}] if isinstance(text, str) else text for text in texts]
    words = json.dumps([[part.get("text") for part in of_message] for of_message in parts])
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def _request(endpoint: ChatEndpoint, question: Question, messages: Sequence[Message]) -> tuple[bytes, str]:
    """What is sent for a question, and its hash."""
    body = endpoint.request_body(messages, question.model.fields_for(question.schema))
    return body, hash_of(str(endpoint.place), body)


def _kept_answer(store: AnswerStore, key: str) -> ModelReply | None:
    """The kept answer to what has this hash, as it was received; None when it was not asked."""
    kept = store.find(key)
    return _raw_reply(kept.reply, kept.usage, 0.0, key) if kept is not None else None


def text_tokens(messages: Sequence[Message]) -> int:
    """About how many tokens the words of messages take: four Latin letters, or one of another script."""
    return sum(_tokens_in(message["content"]) for message in messages)


def _tokens_in(content: Any) -> int:
    if not isinstance(content, str):
        return sum(_tokens_in(part.get("text", "")) for part in content)
    wide = sum(ord(letter) > 0x2E7F for letter in content)
    return wide + -(-(len(content) - wide) // _CHARACTERS_PER_TOKEN)


def _expected(question: Question, read: int) -> ExpectedCost:
    """What a question may cost that reads so many tokens."""
    endpoint = question.model.endpoint
    written = (question.model.longest_answer or 0) * (endpoint.price_output or 0) / 1_000_000
    model = f"{endpoint.address.origin} {endpoint.model}"
    return ExpectedCost(model, read * (endpoint.price_input or 0) / 1_000_000, written)


def _raw_reply(reply: ChatReply, usage: Usage, paid: float, key: str) -> ModelReply:
    fault = ""
    if reply.is_cut:
        fault = "it was cut at the limit of tokens"
    elif reply.is_filtered:
        fault = "a filter of the endpoint removed it"
    elif reply.refusal and not reply.text.strip():
        fault = f"the model refused: {reply.refusal}"
    elif not reply.text.strip():
        fault = "it is empty"
    raw = reply.text or reply.refusal
    return ModelReply(None, fault, raw, "", usage, paid, reply.model, keys=(key,))


def _read(question: Question, reply: ModelReply) -> ModelReply:
    """The reply with what it says. Raises WrongAnswer."""
    if reply.fault:
        raise WrongAnswer(reply.fault)
    return replace(reply, value=question.read(reply.raw))
