"""An endpoint that speaks OpenAI's chat completions: a request with images, and the text that comes back.

Used by whatever asks a model, as the agent ``openai``. Faults of the endpoint are tried again a few times,
then raised as EndpointUnavailable; what a model answers is never an error.
"""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from collector.device.errors import CallCancelled
from collector.endpoint.chat_reply import (
    CONTENT_FILTER,
    ChatReply,
    NoReply,
    error_code,
    error_message,
    quoted,
    read_document,
    read_reply,
)
from collector.endpoint.endpoint_options import EndpointSettings
from collector.endpoint.http_address import HttpAddress
from collector.endpoint.http_client import HttpFault, HttpReply, post
from collector.endpoint.private_loop import PrivateLoop
from collector.endpoint.secret_value import SecretValue
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.usage import Usage

PATH = "chat/completions"
_MAX_REPLY = 8_000_000
_RETRIED = (408, 409, 425, 429)
_NO_QUOTA = ("insufficient_quota", "billing_hard_limit_reached")
_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")
"""What HTTP takes for a number of seconds; ``1e308`` is none."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
"""Before the second attempt, doubled for each further one, and at most."""
Message = Mapping[str, Any]
"""A message as the protocol has it: ``role`` and ``content``."""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """An answer, and what it took."""

    reply: ChatReply
    usage: Usage
    attempts: int = 1


class EndpointUnavailable(UserError):  # noqa: N818 - a state, as DeviceOffline
    """The endpoint gave no answer of a model. It may later."""


class _AttemptFailed(Exception):  # noqa: N818 - a state of the endpoint
    """A request that brought no answer of a model."""

    def __init__(
        self, why: str, to_do: str = "", wait_s: float | None = None, *, final: bool = False
    ) -> None:
        super().__init__(why)
        self.to_do = to_do
        self.wait_s = wait_s
        """What the endpoint asks to wait; None when it says nothing."""
        self.is_final = final
        """Whether another attempt would end the same way."""


class ChatEndpoint:
    """Asks one model. All calls on one thread; cancelled within a fifth of a second.

    Keeps no connection between two calls, and can be pickled before the first.
    """

    def __init__(self, settings: EndpointSettings, key: SecretValue | None = None) -> None:
        """Without ``key`` it is looked for by ``settings.key``. Raises UserError for one that is broken."""
        self.settings = settings
        self._key = key or settings.key.find()
        self._loop = PrivateLoop()

    def ask(
        self, messages: Sequence[Message], cancel: threading.Event | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> ModelAnswer:  # fmt: skip
        """Send ``messages`` and return the answer; ``fields`` are further ones of this request alone.

        Raises EndpointUnavailable when no attempt brought an answer, CallCancelled once ``cancel`` is set.
        """
        return self.send(self.request_body(messages, fields or {}), cancel)

    def send(self, body: bytes, cancel: threading.Event | None = None) -> ModelAnswer:
        """Send a body of :meth:`request_body`, as :meth:`ask` does."""
        cancel = cancel or threading.Event()
        began = time.monotonic()
        for attempt in range(1, self.settings.retries + 2):
            try:
                answered = self.settings.limits.wait(cancel)
                reply = self._attempt(body, cancel)
                answered((reply.input_tokens or 0) + (reply.output_tokens or 0))
                return ModelAnswer(self._masked(reply), self._usage(reply, began), attempt)
            except _AttemptFailed as fault:
                wait_s = min(FIRST_WAIT_S * 2 ** (attempt - 1) * _jitter(), LONGEST_WAIT_S)
                if fault.wait_s is not None:
                    wait_s = fault.wait_s
                if fault.is_final or attempt > self.settings.retries or wait_s > LONGEST_WAIT_S:
                    raise self._unavailable(fault, attempt) from None
                if cancel.wait(wait_s):
                    raise CallCancelled from None
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        """Free what the calls used."""
        self._loop.close()

    # -- one attempt ---------------------------------------------------------
    def _attempt(self, body: bytes, cancel: threading.Event) -> ChatReply:
        try:
            request = post(self.place, self._headers(), body, _MAX_REPLY)
            reply = self._loop.run(request, self.settings.timeout_s, cancel)
        except TimeoutError:
            seconds = f"{self.settings.timeout_s:g}"
            raise _AttemptFailed(
                _("it did not answer within {seconds} s", seconds=seconds),
                _("Raise `timeout_s`, or see whether the endpoint is busy"),
            ) from None
        except HttpFault as fault:
            raise _AttemptFailed(str(fault), _("Check base_url, and that the endpoint runs")) from None
        if reply.status == 200:
            try:
                return read_reply(reply)
            except NoReply as problem:
                to_do = _("Check that base_url is one of an OpenAI-compatible API")
                raise _AttemptFailed(str(problem), to_do) from None
        return self._refused(reply)

    def _refused(self, reply: HttpReply) -> ChatReply:
        """Raise what a status other than 200 means; a filter's refusal is an answer."""
        try:
            document, other = read_document(reply), ""
        except NoReply:
            document, other = {}, quoted(reply)
        message, code = error_message(document), error_code(document)
        if reply.status == 400 and code == CONTENT_FILTER:
            return ChatReply("", refusal=message, finish_reason=CONTENT_FILTER)
        said = f": {message}" if message else other
        if 300 <= reply.status < 400:
            place = reply.headers.get("location", "")[:200]
            raise _AttemptFailed(
                _("it sends requests on to {place}", place=repr(place)),
                _("A key is never sent on; write the right address as base_url"), final=True,
            )  # fmt: skip
        raise _status_fault(reply, said, code, self._advice(reply.status))

    def _advice(self, status: int) -> str:
        if status in (401, 403):
            return self.settings.key.advice()
        if status == 404:
            return _("Check base_url, which often ends in /v1, and the name of the model")
        return ""

    # -- parts of a request --------------------------------------------------
    def _headers(self) -> dict[str, str]:
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "waymark-studio",
        }
        if self._key is not None:
            bearer = self.settings.key_header.lower() == "authorization"
            headers[self.settings.key_header] = f"Bearer {self._key.value}" if bearer else self._key.value
        return headers

    @property
    def place(self) -> HttpAddress:
        """Where requests go."""
        return self.settings.address.below(PATH, dict(self.settings.query))

    def request_body(self, messages: Sequence[Message], fields: Mapping[str, Any]) -> bytes:
        """What is sent: the model, ``messages``, and further ``fields``. The same for the same arguments."""
        document = {"model": self.settings.model, "messages": list(messages), **fields, **self.settings.body}
        return json.dumps({name: value for name, value in document.items() if value is not None}).encode()

    def _usage(self, reply: ChatReply, began: float) -> Usage:
        counts = reply.input_tokens, reply.output_tokens
        prices = self.settings.price_input, self.settings.price_output
        parts = [
            count * price / 1_000_000
            for count, price in zip(counts, prices, strict=True)
            if count is not None and price is not None
        ]
        milliseconds = round((time.monotonic() - began) * 1000)
        cost = sum(parts) if parts else None
        return Usage(*counts, cost, "USD" if parts else "", milliseconds)

    # -- the key stays here --------------------------------------------------
    def _masked(self, reply: ChatReply) -> ChatReply:
        mask = self._mask
        return ChatReply(
            mask(reply.text), mask(reply.reasoning), mask(reply.refusal), mask(reply.finish_reason),
            mask(reply.model), reply.input_tokens, reply.output_tokens,
        )  # fmt: skip

    def _mask(self, text: str) -> str:
        return self._key.mask(text) if self._key is not None else text

    def _unavailable(self, fault: _AttemptFailed, attempts: int) -> EndpointUnavailable:
        why = self._mask(str(fault))
        if fault.wait_s is not None and fault.wait_s > LONGEST_WAIT_S:
            why = _("{why}; it asks to wait {seconds} s", why=why, seconds=f"{fault.wait_s:.0f}")
        if attempts > 1:
            why = _("{why}, in {count} attempts", why=why, count=attempts)
        place = self.settings.address.origin
        what = _("The model {model} at {place} gave no answer", model=self.settings.model, place=place)
        return EndpointUnavailable(what, why, fault.to_do)


def _status_fault(reply: HttpReply, said: str, code: str, to_do: str) -> _AttemptFailed:
    status = reply.status
    if status in (401, 403):
        return _AttemptFailed(_("it refuses the key ({status})", status=status) + said, to_do, final=True)
    if status == 404:
        return _AttemptFailed(
            _("it knows no such place or model ({status})", status=status) + said, to_do, final=True
        )
    if status == 429 and code in _NO_QUOTA:
        return _AttemptFailed(
            _("the account has no quota left ({status})", status=status) + said,
            _("See the account at the provider"), final=True,
        )  # fmt: skip
    if status == 429:
        return _AttemptFailed(
            _("it takes no more requests for now ({status})", status=status) + said,
            _("Use fewer workers, or resume the run later"), _asked_wait(reply.headers),
        )  # fmt: skip
    if status in _RETRIED or status >= 500:
        return _AttemptFailed(
            _("it failed ({status})", status=status) + said, _("See the log of the endpoint"),
            _asked_wait(reply.headers),
        )  # fmt: skip
    return _AttemptFailed(
        _("it refuses the request ({status})", status=status) + said,
        to_do or _("Correct the options of the model"), final=True,
    )  # fmt: skip


def _jitter() -> float:
    """By how much a wait differs, so that many who failed at once do not all ask again at once."""
    return random.uniform(0.75, 1.25)


def _asked_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds of ``Retry-After``, a number or a date; None without one that can be read."""
    text = headers.get("retry-after-ms") or headers.get("retry-after", "")
    if _SECONDS.fullmatch(text):
        return float(text) / (1000 if "retry-after-ms" in headers else 1)
    try:
        seconds = parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, seconds)
