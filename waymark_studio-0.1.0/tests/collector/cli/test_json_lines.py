"""Standard output of ``--json`` has lines of JSON and nothing else, whatever libraries print."""

from __future__ import annotations

import json
import subprocess
import sys

from collector.cli.json_lines import json_lines_alone

NOISY = """
import os, subprocess, sys
from collector.cli.json_lines import json_lines_alone
print("before")
with json_lines_alone() as lines:
    print("from python")
    os.write(1, b"from C\\n")
    subprocess.run([sys.executable, "-c", "print('from a child')"])
    lines.print({"text": "\\u4e2d\\n"})
    sys.stdout.write("the rest")
print("after")
"""


def test_what_others_print_goes_to_standard_error():
    done = subprocess.run([sys.executable, "-c", NOISY], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["before", '{"text": "\\u4e2d\\n"}', "after"]
    for words in ("from python", "from C", "from a child", "the rest"):
        assert words in done.stderr


def test_a_stream_without_a_descriptor_is_kept_clean_too(capsys):
    with json_lines_alone() as lines:
        sys.stdout.write("Token authentication is enabled\n")
        lines.print({"kind": "plan"})
    output = capsys.readouterr()
    assert json.loads(output.out) == {"kind": "plan"}
    assert output.err == "Token authentication is enabled\n"
