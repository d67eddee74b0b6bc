"""Processes, sockets, web addresses and the desktop are reached through the modules made for them alone.

What those modules hold to (absolute programs, safe environments, private folders, consent) would be lost
with the first call beside them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GATEWAYS: dict[str, tuple[set[str], tuple[str, ...]]] = {
    "processes": (
        {f"collector/host/{name}.py" for name in ("programs", "connected_program", "python_processes")},
        (
            "subprocess.Popen", "subprocess.run", "subprocess.call", "subprocess.check_call",
            "subprocess.check_output", "subprocess.getoutput", "subprocess.getstatusoutput", "os.system",
            "os.popen", "os.startfile", "os.execv", "os.execve", "os.execl", "os.execlp", "os.execvp",
            "os.execvpe", "os.spawnv", "os.spawnl", "os.posix_spawn", "os.posix_spawnp", "os.fork",
            "os.forkpty", "pty.spawn", "multiprocessing.Process", "multiprocessing.Pool",
            "multiprocessing.get_context", "multiprocessing.Manager", "multiprocessing.Queue",
            "concurrent.futures.ProcessPoolExecutor", "asyncio.create_subprocess_exec",
            "asyncio.create_subprocess_shell", "*.subprocess_exec", "*.subprocess_shell",
            "PySide6.QtCore.QProcess", "shutil.which",
        ),
    ),
    "sockets": (
        {"collector/host/sockets.py"},
        (
            "socket.socket", "socket.create_connection", "socket.create_server", "socket.fromfd",
            "socketserver.TCPServer", "http.server.HTTPServer", "asyncio.start_server",
            "asyncio.open_unix_connection", "asyncio.start_unix_server", "PySide6.QtNetwork.QTcpServer",
            "PySide6.QtNetwork.QTcpSocket", "PySide6.QtNetwork.QUdpSocket",
        ),
    ),
    "the socket of the window": (
        {f"studio/app/{name}.py" for name in ("single_instance", "demo/studio_process", "demo/qt_driver")},
        ("PySide6.QtNetwork.QLocalServer", "PySide6.QtNetwork.QLocalSocket"),
    ),
    "web addresses": (
        {"collector/endpoint/http_client.py"},
        (
            "urllib.request.urlopen", "urllib.request.Request", "urllib.request.urlretrieve",
            "http.client.HTTPConnection", "http.client.HTTPSConnection", "httpx.Client", "httpx.AsyncClient",
            "httpx.get", "httpx.post", "requests.get", "requests.post", "requests.Session",
            "asyncio.open_connection", "PySide6.QtNetwork.QNetworkAccessManager",
        ),
    ),
    "the desktop": (
        {"studio/bridge/desktop.py"},
        ("PySide6.QtGui.QDesktopServices", "webbrowser.open", "webbrowser.get"),
    ),
    "databases": ({"collector/host/own_database.py"}, ("sqlite3.connect", "*.enable_load_extension")),
    "values and code made from texts": (
        {"collector/located_yaml/safe_load.py", "collector/virtual/ui/content.py"},
        (
            "eval", "exec", "pickle.loads", "pickle.load", "marshal.loads", "shelve.open", "yaml.load",
            "yaml.full_load", "yaml.unsafe_load", "runpy.run_path", "runpy.run_module",
        ),
    ),
}  # fmt: skip
"""What is reached: the modules that may, and the names that no other module uses."""
TYPES = frozenset(("subprocess.Popen", "socket.socket"))
"""Names that others may use for the type of a value, but not call."""


_WORDS = {
    frozenset(name.removeprefix("*.").split(".")) for _modules, names in GATEWAYS.values() for name in names
}
"""The words of each name. A module without all words of one uses none of them, and need not be parsed."""


@cache
def names_by_module() -> dict[str, list[tuple[str, int]]]:
    """The names that each module of the product uses."""
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for package in ("collector", "rule_editor", "studio")
        for path in (ROOT / package).rglob("*.py")
    }
    return {
        module: list(used_names(ast.parse(text))) if _may_reach(text) else []
        for module, text in texts.items()
    }


def _may_reach(text: str) -> bool:
    words = set(re.findall(r"\w+", text))
    return any(name <= words for name in _WORDS)


def used_names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The full names of what a module uses of its imports, and of what it calls, with their lines.

    ``*.name`` stands for an attribute of anything. A name of TYPES counts where it is called.
    """
    nodes = list(ast.walk(tree))
    imported = dict(_imports(nodes))
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        if not isinstance(node, ast.Attribute | ast.Name):
            continue
        first, *rest = _chain(node)
        name = ".".join([imported.get(first, first), *rest])
        if id(node) in called or (first in imported and name not in TYPES):
            yield name, node.lineno
        if isinstance(node, ast.Attribute):
            yield f"*.{node.attr}", node.lineno


def _chain(node: ast.expr) -> list[str]:
    """The names of ``a.b.c``, from the first; of what is no chain of names, those at its end."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node.id if isinstance(node, ast.Name) else "*", *reversed(names)]


def _imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """What each imported name stands for."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (first, first)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


@pytest.mark.parametrize("reached", GATEWAYS)
def test_only_the_gateway_reaches(reached: str) -> None:
    modules, names = GATEWAYS[reached]
    found = {
        f"{module}:{line} uses {name}"
        for module, used in names_by_module().items()
        if module not in modules
        for name, line in used
        if name in names
    }
    assert found == set()
    assert modules <= set(names_by_module())


@pytest.mark.parametrize("source", [
    "import subprocess\nsubprocess.run(['adb'])",
    "import subprocess as s\ns.run(['adb'])",
    "from subprocess import run\nrun(['adb'])",
    "from subprocess import run as start\nstart(['adb'])",
    "import subprocess\nstart = subprocess.run\nstart(['adb'])",
    "import subprocess\nsubprocess.Popen(['adb'])",
    "import os\nos.system('adb')",
    "import concurrent.futures\nconcurrent.futures.ProcessPoolExecutor()",
    "async def f(loop):\n    await loop.subprocess_exec(None, 'adb')",
])  # fmt: skip
def test_a_process_started_elsewhere_is_found(source: str) -> None:
    names = {name for name, _line in used_names(ast.parse(source))}
    assert names.intersection(GATEWAYS["processes"][1])


@pytest.mark.parametrize("source", [
    "import subprocess\nsubprocess.DEVNULL",
    "import subprocess\ndef f(process: subprocess.Popen[bytes]) -> None: ...",
    "def run(words): ...\nrun(['adb'])",
    "from collector.host.programs import run_program\nrun_program(['adb'], seconds=1)",
])  # fmt: skip
def test_what_starts_none_is_not(source: str) -> None:
    names = {name for name, _line in used_names(ast.parse(source))}
    assert not names.intersection(GATEWAYS["processes"][1])
