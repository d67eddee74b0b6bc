"""The options of an endpoint, as an experiment or the command line writes them, and checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.consent.transfer import Transfer
from collector.endpoint.http_address import HttpAddress, read_address
from collector.endpoint.key_source import KeySource, key_source
from collector.endpoint.key_store import check_name
from collector.endpoint.rate_limits import RateLimits, shared_limits
from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.plugins.options import PluginOption

DEFAULT_ADDRESS = "https://api.openai.com/v1"
ENDPOINT_OPTIONS = (
    PluginOption("model", str, None, N_("Name of the model, as the endpoint knows it"), required=True,
                 other_names=("llm", "engine", "deployment", "checkpoint")),
    PluginOption("base_url", str, DEFAULT_ADDRESS, N_("Address of the endpoint, up to /v1 as a rule"),
                 other_names=("url", "endpoint", "address", "host", "server", "api_base", "api_url")),
    PluginOption("key", str, "", N_("Name of the key in the keyring, or in WAYMARK_KEY_NAME")),
    PluginOption("key_env", str, "", N_("Environment variable that holds the key")),
    PluginOption("key_header", str, "Authorization", N_("Header that carries the key, such as api-key")),
    PluginOption("timeout_s", float, 120.0, N_("Seconds that an answer may take"),
                 other_names=("deadline", "wait", "max_wait")),
    PluginOption("retries", int, 3, N_("Further attempts when the endpoint fails"),
                 other_names=("attempts", "max_attempts", "max_tries", "tries")),
    PluginOption("requests_per_minute", int, 0, N_("Requests a minute of this process; 0 for any number")),
    PluginOption("tokens_per_minute", int, 0, N_("Tokens a minute of this process; 0 for any number")),
    PluginOption("price_input", float, None, N_("USD for a million tokens of input")),
    PluginOption("price_output", float, None, N_("USD for a million tokens of output")),
    PluginOption("query", dict, None, N_("Words after the ? of the address, such as api-version")),
    PluginOption("body", dict, None, N_("Further fields of each request; null removes one")),
)  # fmt: skip
"""What agents and judges that ask a model declare beside their own options."""
Ranges = Mapping[str, tuple[float, float]]
"""By name of an option its least and its greatest number."""
_RANGES: Ranges = {
    "timeout_s": (0.1, 3600), "retries": (0, 10), "price_input": (0, 1e6), "price_output": (0, 1e6),
    "requests_per_minute": (0, 1e6), "tokens_per_minute": (0, 1e9),
}  # fmt: skip
_ENVIRONMENT_NAME = re.compile(r"[A-Z_][A-Z0-9_]*")
_HEADER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_HEADERS_OF_HTTP = frozenset((
    "accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "expect",
    "host", "keep-alive", "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding",
    "upgrade", "user-agent", "via",
))  # fmt: skip
"""Headers that decide where a request goes, and where it ends."""
_RESERVED = ("messages", "model", "stream", "n")
"""Fields of a request that no option replaces."""


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """How a model is asked. Holds no key."""

    address: HttpAddress
    """The base, as in ``https://api.openai.com/v1``."""
    model: str
    key: KeySource = field(default_factory=KeySource)
    key_header: str = "Authorization"
    """``Authorization`` sends the key as a bearer token, any other name sends it as it is."""
    timeout_s: float = 120.0
    """For one answer, from connecting to its last byte."""
    retries: int = 3
    body: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of the request; one that is None is not sent."""
    query: Mapping[str, str] = field(default_factory=dict)
    price_input: float | None = None
    """USD for a million tokens."""
    price_output: float | None = None
    requests_per_minute: int = 0
    """Of all who ask the model in one process; 0 for no limit."""
    tokens_per_minute: int = 0
    """As ``requests_per_minute``, of tokens read and written."""

    @property
    def limits(self) -> RateLimits:
        """How often the model is asked."""
        return shared_limits(
            self.address.origin, self.model, self.requests_per_minute, self.tokens_per_minute
        )

    @property
    def transfer(self) -> Transfer:
        """What a person allows before the model is asked: the endpoint, and the key that is sent to it."""
        return Transfer(self.address.origin, self.key.labels)


def read_endpoint(values: Mapping[str, Any]) -> EndpointSettings:
    """The endpoint that options name. Raises UserError."""
    if not isinstance(values.get("model"), str) or not values["model"].strip():
        raise UserError(_("No model is named"), "", _("Name one with the option `model`"))
    address = read_address(values.get("base_url") or DEFAULT_ADDRESS)
    key, variable = values.get("key") or "", values.get("key_env") or ""
    if key:
        check_name(key)
    if variable and not _ENVIRONMENT_NAME.fullmatch(variable):
        # Not shown: it may be the key itself, which many would write here by mistake.
        raise UserError(
            _("The option key_env is no name of an environment variable"), "",
            _("Write the name alone, as in OPENAI_API_KEY, never the key"),
        )  # fmt: skip
    header = values.get("key_header") or "Authorization"
    if not _HEADER_NAME.fullmatch(header):
        raise UserError(_("{value} is no name of a header", value=repr(header[:80])))
    if header.lower() in _HEADERS_OF_HTTP:
        raise UserError(
            _("The header {name} cannot carry a key", name=header), _("HTTP itself uses it"),
            _("Write the name that the endpoint documents, such as api-key"),
        )  # fmt: skip
    check_ranges(values, _RANGES)
    body, query = values.get("body") or {}, values.get("query") or {}
    if problem := _wrong_field(body):
        raise UserError(_("The options of the model are wrong"), problem)
    return EndpointSettings(
        address, values["model"], key_source(key, variable, address), header,
        float(values.get("timeout_s") or 120), int(values.get("retries", 3)), dict(body),
        {str(name): str(value) for name, value in query.items()},
        values.get("price_input"), values.get("price_output"),
        int(values.get("requests_per_minute") or 0), int(values.get("tokens_per_minute") or 0),
    )  # fmt: skip


def check_ranges(values: Mapping[str, Any], ranges: Ranges) -> None:
    """Raise UserError for the first number that is out of its range; None is in every range."""
    for name, (least, most) in ranges.items():
        value = values.get(name)
        if value is not None and not least <= value <= most:
            raise UserError(
                _("The options of the model are wrong"),
                _("{name} is {value}", name=name, value=value),
                _("Use a number from {least} to {most}", least=f"{least:g}", most=f"{most:g}"),
            )


def _wrong_field(body: Mapping[str, Any]) -> str:
    """Why ``body`` cannot be part of every request; empty when it can."""
    wrong = next((name for name in body if name in _RESERVED), "")
    if wrong:
        return _("`body` cannot replace {name}", name=wrong)
    try:
        json.dumps(body, allow_nan=False)
    except (TypeError, ValueError):
        return _("`body` has a value that JSON cannot hold")
    return ""
