"""A finding can repeat what an error says, with the code and the severity of a check."""

from __future__ import annotations

from collector.model.errors import UserError
from collector.model.finding import Finding


def test_a_finding_repeats_an_error():
    error = UserError("It does not answer", "the cable is loose", "Plug it in again")
    assert Finding.from_error("no_answer", "problem", error, "PHONE1") == Finding(
        "no_answer", "problem", "It does not answer", "the cable is loose", "Plug it in again", "PHONE1"
    )
