"""No search path of a process that Waymark starts names the current folder."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from collector.host import environment
from collector.host.environment import absolute_entries, safe_environment

HERE = os.pathsep.join


@pytest.mark.parametrize("name", ["PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "QT_PLUGIN_PATH", "XDG_DATA_DIRS"])
@pytest.mark.parametrize("place", ["", ".", "..", "bin", "./bin"])
def test_entries_that_depend_on_the_current_folder_go(name, place):
    absolute = os.path.abspath("/opt/tools")  # noqa: PTH100 - with a drive on Windows
    for entries in ([place, absolute], [absolute, place], [place, absolute, place]):
        assert safe_environment({name: HERE(entries)}) == {name: absolute}
    assert safe_environment({name: place}) == {}


@pytest.mark.parametrize("name", ["PYTHONHOME", "PYTHONPYCACHEPREFIX", "OPENSSL_CONF", "XDG_CONFIG_HOME"])
def test_a_relative_place_goes_and_an_absolute_one_stays(name, tmp_path):
    assert safe_environment({name: "conf"}) == {}
    assert safe_environment({name: str(tmp_path)}) == {name: str(tmp_path)}


def test_libraries_that_the_system_searches_stay():
    given = {"LD_PRELOAD": "libjemalloc.so.2 ./evil.so:/usr/lib/libc.so"}
    kept = safe_environment(given)["LD_PRELOAD"].split()
    assert "./evil.so" not in kept
    assert "libjemalloc.so.2" in kept


def test_all_other_variables_stay():
    given = {"LANG": "C", "HOME": "home", "WAYMARK_HOME": "mine", "EMPTY": ""}
    assert safe_environment(given) == given


def test_absolute_entries_of_nothing():
    assert absolute_entries("") == []


ISOLATE = """
import os, sys
from collector.host.environment import isolate_process
isolate_process()
print([entry for entry in sys.path if not os.path.isabs(entry)], os.environ.get("PATH"))
print(os.getcwd() in sys.path)
"""


def test_a_process_forgets_the_current_folder(tmp_path):
    environment = {**os.environ, "PATH": HERE([".", "/usr/bin"])}
    # -c puts an empty entry first.
    done = subprocess.run(
        [sys.executable, "-c", ISOLATE],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["[] /usr/bin", "False"]


def test_a_frozen_program_keeps_its_libraries_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "BUNDLE", "/app/_internal")
    given = {"LD_LIBRARY_PATH": "/app/_internal:/opt/lib", "_PYI_ARCHIVE_FILE": "/app/waymark", "HOME": "/h"}
    assert environment.safe_environment(given) == {"LD_LIBRARY_PATH": "/opt/lib", "HOME": "/h"}
