"""Detect unexpected log records of WARNING or above."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field


@dataclass
class Expectation:
    """A record that the test causes; ``records`` holds the matches so far."""

    pattern: re.Pattern[str]
    logger: str = ""
    required: bool = True
    records: list[logging.LogRecord] = field(default_factory=list)

    def covers(self, record: logging.LogRecord) -> bool:
        within = record.name == self.logger or record.name.startswith(f"{self.logger}.") or not self.logger
        return within and bool(self.pattern.search(record.getMessage()))

    def __str__(self) -> str:
        return f"/{self.pattern.pattern}/" + (f" from {self.logger}" if self.logger else "")


class LogWatch(logging.Handler):
    """Root handler that collects the warnings of one test from all threads."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.unexpected: list[logging.LogRecord] = []
        self.expectations: list[Expectation] = []

    def expect(self, pattern: str, logger: str = "", *, required: bool = True) -> Expectation:
        """Allow records whose message matches ``pattern``; a required one must also appear."""
        expectation = Expectation(re.compile(pattern), logger, required)
        self.expectations.append(expectation)
        return expectation

    def emit(self, record: logging.LogRecord) -> None:
        for expectation in self.expectations:
            if expectation.covers(record):
                expectation.records.append(record)
                return
        self.unexpected.append(record)

    def complaint(self) -> str:
        """Report unexpected and missing records; empty when there are none."""
        render = logging.Formatter("%(levelname)s %(name)s: %(message)s")
        lines = [f"unexpected log record: {render.format(record)}" for record in self.unexpected]
        lines += [
            f"expected log record never came: {expectation}"
            for expectation in self.expectations
            if expectation.required and not expectation.records
        ]
        return "\n".join(lines)
