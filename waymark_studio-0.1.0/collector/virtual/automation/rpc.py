"""JSON-RPC 2.0 as the server speaks it: errors carry the names of Java exceptions."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

_log = logging.getLogger(__name__)

Method = Callable[..., Any]

_PARSE_ERROR = -32700
_INVALID_REQUEST = -32600
_NO_METHOD = -32601
_BAD_PARAMETERS = -32602
_INTERNAL = -32603
_EXCEPTION = -32001
NOT_FOUND = -32002


class JavaError(Exception):
    """An exception of the server: its Java class name and its message."""

    def __init__(self, name: str, message: str, code: int = _EXCEPTION) -> None:
        super().__init__(f"{name}: {message}")
        self.code = code


class ObjectNotFoundError(JavaError):
    """No element matches a selector."""

    def __init__(self, selector: str) -> None:
        super().__init__("androidx.test.uiautomator.UiObjectNotFoundException", selector, NOT_FOUND)


def answer(body: bytes, methods: Mapping[str, Method]) -> bytes:
    """The JSON-RPC response to one request."""
    number: object = None
    try:
        request = json.loads(body)
        if not isinstance(request, dict) or not isinstance(request.get("method"), str):
            return _error(None, _INVALID_REQUEST, "Invalid Request")
        number = request.get("id")
        method = methods.get(request["method"])
        if method is None:
            return _error(number, _NO_METHOD, "method not found")
        result = _call(method, request.get("params"))
    except ValueError:
        return _error(number, _PARSE_ERROR, "JSON parse error")
    except TypeError as error:
        _log.debug("parameters do not fit: %s", error)
        return _error(number, _BAD_PARAMETERS, "method parameters invalid")
    except JavaError as error:
        return _error(number, error.code, str(error))
    except Exception as error:  # noqa: BLE001 - the server lives on, as on a phone
        _log.exception("a call of the automation failed")
        return _error(number, _INTERNAL, f"java.lang.RuntimeException: {error}")
    return json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode()


def _call(method: Method, parameters: object) -> Any:
    if isinstance(parameters, dict):
        return method(**parameters)
    return method(*(parameters if isinstance(parameters, list) else []))


def _error(number: object, code: int, message: str) -> bytes:
    trace = f"{message}\n\tat com.wetest.uia2.stub.AutomatorServiceImpl(Unknown Source)\n"
    error = {"code": code, "message": message, "data": trace}
    return json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode()
