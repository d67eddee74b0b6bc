"""A real Chromium without a screen, driven through its debugging pipe: keys, clicks, pictures, requests."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
_PATIENCE_S = 30.0
_KEYS = {
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35, "Escape": 27,
    "Enter": 13, "Tab": 9, " ": 32,
}  # fmt: skip
_ON_PIPES = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4);"
    "os.execvp(sys.argv[3], sys.argv[3:])"
)
"""The browser reads from descriptor 3 and writes to 4."""
Message = dict[str, Any]


def chromium_program() -> str | None:
    """The browser of this machine; None when it has none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class BrowserPage:
    """One tab. What it asks the network for, and what goes wrong in it, is written down."""

    def __init__(self, browser: Chromium, session: str) -> None:
        self._browser, self._session = browser, session
        self.requests: list[str] = []
        self.errors: list[str] = []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Message:
        return self._browser.call(method, parameters, self._session)

    def open(self, address: str) -> None:
        self.call("Page.navigate", url=address)
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + _PATIENCE_S
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < end, f"never true: {expression}"
            self.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 5)))")

    def text(self, selector: str) -> str:
        return str(self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent"))

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press and release a key as a person does."""
        code = _KEYS.get(key, ord(key.upper()) if len(key) == 1 else 0)
        values = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        typed = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown" if typed else "rawKeyDown", **values, **typed)
        self.call("Input.dispatchKeyEvent", type="keyUp", **values)

    def type(self, text: str) -> None:
        for letter in text:
            self.press(letter)

    def click(self, selector: str, across: float = 0.5, down: float = 0.5) -> None:
        """Click into the first element that fits, at a share of its width and height."""
        box = self.evaluate(
            f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            "return [box.x, box.y, box.width, box.height]; })()"
        )
        place = {"x": box[0] + across * box[2], "y": box[1] + down * box[3]}
        self.call("Input.dispatchMouseEvent", type="mouseMoved", **place)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)

    def resize(self, width: int, height: int, scale: float = 1) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=False,
        )

    def prefer(self, scheme: str) -> None:
        """Prefer a ``light`` or ``dark`` colour scheme."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def screenshot(self) -> bytes:
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def note(self, message: Message) -> None:
        """Write down an event of the tab."""
        method, values = message["method"], message["params"]
        if method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.errors.append(values["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning"):
            self.errors.append(str([item.get("value") for item in values["args"]]))
        elif method == "Page.javascriptDialogOpening":
            self.errors.append(f"a dialog opened: {values['message']}")
            self._browser.send("Page.handleJavaScriptDialog", {"accept": True}, self._session)


class Chromium:
    """A running browser. Messages are JSON texts that end with NUL, on two pipes."""

    def __init__(self, process: subprocess.Popen[bytes], into: int, out_of: int) -> None:
        self._process, self._into, self._out_of = process, into, out_of
        self._number, self._rest = 0, b""
        self._answers: dict[int, Message] = {}
        self._pages: dict[str, BrowserPage] = {}

    def page(self) -> BrowserPage:
        """A new tab with storage of its own."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", {"url": "about:blank", "browserContextId": context})[
            "targetId"
        ]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        page = BrowserPage(self, session)
        self._pages[session] = page
        return page

    def send(self, method: str, parameters: Message | None = None, session: str = "") -> int:
        """Send a request without waiting for its answer."""
        self._number += 1
        message: Message = {"id": self._number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        os.write(self._into, json.dumps(message).encode() + b"\0")
        return self._number

    def call(self, method: str, parameters: Message | None = None, session: str = "") -> Message:
        number = self.send(method, parameters, session)
        end = time.monotonic() + _PATIENCE_S
        while number not in self._answers:
            self._read(end)
        answer = self._answers.pop(number)
        assert "error" not in answer, f"{method}: {answer['error']}"
        return dict(answer["result"])

    def _read(self, end: float) -> None:
        ready, _, _ = select.select([self._out_of], [], [], max(0.0, end - time.monotonic()))
        assert ready, "Chromium does not answer"
        data = os.read(self._out_of, 1 << 20)
        assert data, f"Chromium ended with {self._process.wait()}"
        *whole, self._rest = (self._rest + data).split(b"\0")
        for message in map(json.loads, whole):
            if "id" in message:
                self._answers[message["id"]] = message
            elif message.get("sessionId") in self._pages:
                self._pages[message["sessionId"]].note(message)


def _above_four(descriptor: int) -> int:
    """Duplicate a file under a number that the browser does not need for itself."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved


@contextlib.contextmanager
def running_chromium(program: str) -> Iterator[Chromium]:
    """Start a browser with a profile of its own and no way to the network; it ends with the block."""
    their_in, our_out, our_in, their_out = map(_above_four, (*os.pipe(), *os.pipe()))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        words = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking", "--disable-component-update",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--force-color-profile=srgb", "--hide-scrollbars", "--lang=en", f"--user-data-dir={profile}",
            "--remote-debugging-pipe", "about:blank",
        ]  # fmt: skip
        # No shell: dash knows descriptors of one digit only.
        command = [sys.executable, "-c", _ON_PIPES, str(their_in), str(their_out), *words]
        process = subprocess.Popen(
            command, pass_fds=(their_in, their_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": profile},
        )  # fmt: skip
        os.close(their_in)
        os.close(their_out)
        try:
            yield Chromium(process, our_out, our_in)
        finally:
            process.terminate()
            process.wait(timeout=_PATIENCE_S)
            os.close(our_out)
            os.close(our_in)


def address_of(path: Path) -> str:
    return path.resolve().as_uri()
