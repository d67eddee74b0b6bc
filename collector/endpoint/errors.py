"""Errors of endpoints."""

from __future__ import annotations

from collector.model.errors import UserError


class EndpointUnavailable(UserError):  # noqa: N818 - a state, as DeviceOffline
    """The endpoint gave no answer of a model. It may later."""
