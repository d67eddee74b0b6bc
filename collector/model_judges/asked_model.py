"""The model that a judge asks: its endpoint, and the fields of each request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.endpoint.endpoint_options import EndpointSettings, check_ranges, read_endpoint

_RANGES = {"temperature": (-1.0, 10.0), "max_tokens": (0.0, 1_000_000.0)}
_LIMITS = ("max_tokens", "max_completion_tokens")
"""The fields of a request by which endpoints limit an answer."""


@dataclass(frozen=True, slots=True)
class AskedModel:
    """A model behind an endpoint."""

    judge: str
    """Name of the judge that asks it."""
    endpoint: EndpointSettings
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Of each request: temperature and the like."""
    structured: bool = False
    """Whether the endpoint can be given the JSON schema of an answer."""
    tagged: bool = False
    """Whether the judge's prompt asks for a word between answer tags, and not for JSON."""

    @classmethod
    def of(cls, judge: str, options: Mapping[str, Any], *, tagged: bool = False) -> AskedModel:
        """The model that the options of a judge name. Raises UserError."""
        check_ranges(options, _RANGES)
        temperature, most, seed = (options.get(name) for name in ("temperature", "max_tokens", "seed"))
        fields = {
            "temperature": temperature if temperature is not None and temperature >= 0 else None,
            "max_tokens": most or None,
            "seed": seed,
        }
        given = {name: value for name, value in fields.items() if value is not None}
        return cls(judge, read_endpoint(options), given, bool(options.get("structured")), tagged)

    @property
    def longest_answer(self) -> int | None:
        """The most tokens of an answer, as a request says it; None without a limit."""
        sent = {**self.fields, **self.endpoint.body}
        limits = [value for name in _LIMITS if isinstance(value := sent.get(name), int) and value > 0]
        return max(limits, default=None)

    def fields_for(self, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        """The fields of a request whose answer has a JSON schema, or none."""
        fields = dict(self.fields)
        if schema is not None and self.structured:
            form = {"name": "answer", "strict": True, "schema": dict(schema)}
            fields["response_format"] = {"type": "json_schema", "json_schema": form}
        return fields
