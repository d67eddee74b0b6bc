"""Keys and passwords that somebody wrote into the options of an agent or a judge."""

from __future__ import annotations

from typing import Any

import pytest

from collector.endpoint.written_secrets import secret_in

HEX = "0123456789abcdef0123"


@pytest.mark.parametrize(
    "options",
    [
        {"base_url": f"https://models.example.com/v1?key={HEX}"},
        {"base_url": f"https://models.example.com/v1?version=2&api-key={HEX}"},
        {"base_url": f"https://lin:{HEX}@models.example.com/v1"},
        {"query": {"key": HEX}},
        {"query": {"api-version": "2024-06-01", "api-key": HEX}},
        {"body": {"metadata": {"api_key": HEX}}},
        {"model": f"sk-{HEX}"},
    ],
)
def test_a_key_is_noticed_wherever_it_stands(options: dict[str, Any]) -> None:
    assert secret_in(options) == next(iter(options))


@pytest.mark.parametrize(
    "options",
    [
        {"base_url": "https://models.example.com/v1?api-version=2024-06-01"},
        {"base_url": "https://models.example.com/openai/deployments/gpt-4o/?code=12345678"},
        {"base_url": "https://models.example.com/v1?key=$MODELS_KEY"},
        {"query": {"api-version": "2024-06-01-preview"}},
        {"key": "gemini", "key_env": "GEMINI_API_KEY", "max_tokens": 4096},
        {"body": {"reasoning": {"key": "something long"}}},
    ],
)
def test_what_is_no_key_is_let_through(options: dict[str, Any]) -> None:
    assert not secret_in(options)
