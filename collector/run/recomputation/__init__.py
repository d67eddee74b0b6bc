"""Stored episodes computed again: their decisions and verdicts, and which of them are stale."""
