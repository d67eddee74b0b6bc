"""Command lines give the results of mksh, checked through a complete shell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.virtual.shell.language.interpreter import Shell
from collector.virtual.shell.pipes import BytesReader, Collector, Streams
from collector.virtual.shell.process_table import CancelScope
from tests.helpers.shell import bare_machine

MACHINE = bare_machine()


def run(line, stdin=b""):
    out, err = Collector(), Collector()
    shell = Shell(MACHINE, CancelScope(), MACHINE.environment())
    status = shell.run_text(line, Streams(BytesReader(stdin), out, err))
    return out.data.decode("utf-8", "surrogateescape"), err.data.decode(), status


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("echo a  b", "a b\n"),
        (r"echo -e '1\c' 2; echo -e '\\c\n3'", "1\\c\n3\n"),
        ("echo 'a  b' \"c  d\" e\\ f", "a  b c  d e f\n"),
        ("echo \"$USER\" '$USER' \\$USER ${USER}x", "shell $USER $USER shellx\n"),
        ("x=3; echo $x ${x:-4} ${y:-4} ${y}- ${#x}", "3 3 4 - 1\n"),
        ("x='a b'; for i in $x \"$x\"; do echo [$i]; done", "[a]\n[b]\n[a b]\n"),
        ("echo $(echo a; echo b) `echo c`", "a b c\n"),
        ("echo \"$(printf 'a\\nb')\"", "a\nb\n"),
        ("false; echo $?; true; echo $?", "1\n0\n"),
        ("false && echo no || echo yes", "yes\n"),
        ("true && echo yes || echo no", "yes\n"),
        ("! false && echo turned", "turned\n"),
        ("case 1 in 1) echo a;; *) echo b;; esac", "a\n"),
        ("x=foo.txt; case $x in (*.png|*.jpg) echo picture;; *.t?t) echo text; esac", "text\n"),
        ("case '*' in '*') echo star;; esac; case a in '*') echo no;; esac; echo $?", "star\n0\n"),
        ("case x in\n  a) echo a ;;\n  x)\n    echo x\n    ;;\nesac", "x\n"),
        ("f() { echo \"<$1>\" $#; return 3; echo never; }; f 'a b' c; echo $?", "<a b> 2\n3\n"),
        ("function g { local x=2; y=$x; }; x=1; g; echo $x $y", "1 2\n"),
        ("f() { f; }; (f 2>/dev/null); echo $?", "1\n"),
        ("f() (cd /sdcard; pwd); f | cat; pwd", "/sdcard\n/\n"),
        ("printf 'a 1\\nb 2\\n' | sed -n 's/^b //p'", "2\n"),
        ("printf 'a\\nb\\nc\\nd\\n' | sed -n '/b/,/c/p'", "b\nc\n"),
        ("printf 'a\\nb\\nc\\n' | sed -e '1d' -e '$!s/b/[&]/'", "[b]\nc\n"),
        ("printf 'a\\nb\\nc\\n' | sed '2q'; printf 'x/y' | sed 's|/|-|;s/x/\\//'", "a\nb\n/-y"),
        ("echo aaa | sed 's/a/b/2'; echo key=val | sed -E 's/(.*)=(.*)/\\2 \\1/'", "aba\nval key\n"),
        ("printf 'a\\nb\\nc\\nd\\n' | sed -n '2,3p;$='", "b\nc\n4\n"),
        ("echo a; echo b;", "a\nb\n"),
        ("echo a # comment", "a\n"),
        ("echo a#b", "a#b\n"),
        ("echo hello | cat | wc -c", "6\n"),
        ("(cd /sdcard; pwd); pwd", "/sdcard\n/\n"),
        ("{ echo a; echo b; } | grep b", "b\n"),
        ("if [ 1 -lt 2 ]; then echo less; else echo more; fi", "less\n"),
        ("i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done", "0\n1\n2\n"),
        ("for i in 1 2 3; do [ $i = 2 ] && continue; [ $i = 3 ] && break; echo $i; done", "1\n"),
        ("echo $((2+3*4)) $((7/2)) $((-7/2)) $((7%3)) $((1<2))", "14 3 -3 1 1\n"),
        ("A=1 env | grep ^A=", "A=1\n"),
        ("x='n=A{1 u0 p/.M}'; x=${x#*A{* * }; echo ${x%%/*} ${x%\\}*} ${y:-${x#*{}}", "p p/.M p/.M}\n"),
        ("x=b; echo ${x#$(echo '}' | tr '}' b)}- ${y-a{b}c}", "- a{bc}\n"),
        ("x=a.b.c; echo ${x%.*} ${x%%.*} ${x#*.} ${x##*.}", "a.b a b.c c\n"),
        ("echo /system/e*c /nope*", "/system/etc /nope*\n"),
        ("echo '*' \"/s*\"", "* /s*\n"),
        ("cat <<E\n$USER\nE\n", "shell\n"),
        ("cat <<'E'\n$USER\nE\n", "$USER\n"),
        ("echo -n a; echo -e 'b\\tc'", "ab\tc\n"),
        ("printf '%s=%d\\n' a 1 b 2", "a=1\nb=2\n"),
        ("sh -c 'echo $0 $1' x y", "x y\n"),
        ("eval 'echo a' b", "a b\n"),
        ("set -- a 'b c'; for i in \"$@\"; do echo [$i]; done; echo $#", "[a]\n[b c]\n2\n"),
        ("[ -d /sdcard -a ! -e /nope ] && echo ok", "ok\n"),
        ("echo ok > /sdcard/t; cat < /sdcard/t; echo more >> /sdcard/t; wc -l < /sdcard/t", "ok\n2\n"),
        ("echo a 2>&1 >/dev/null", ""),
        ("nope 2>/dev/null; echo $?", "127\n"),
        ("nope 2>&1", "/system/bin/sh: nope: inaccessible or not found\n"),
        ("echo $'a\\tb'", "a\tb\n"),
        ("echo a | { read x; echo got $x; }", "got a\n"),
        ("echo 3 1 2 | tr ' ' '\\n' | sort -r | head -2", "3\n2\n"),
        ("echo \"a'b\" 'c\"d'", "a'b c\"d\n"),
    ],
)
def test_output(line, expected):
    out, err, _status = run(line)
    assert (out, err) == (expected, "")


@pytest.mark.parametrize(
    ("line", "error", "status"),
    [
        ("foo", "/system/bin/sh: foo: inaccessible or not found\n", 127),
        ("./foo", "/system/bin/sh: ./foo: inaccessible or not found\n", 127),
        ("cat /nope", "cat: /nope: No such file or directory\n", 1),
        ("ls /nope", "ls: /nope: No such file or directory\n", 1),
        ("rm /nope", "rm: /nope: No such file or directory\n", 1),
        ("rm -f /nope", "", 0),
        ("mkdir /sdcard", "mkdir: '/sdcard': File exists\n", 1),
        ("echo > /system/x", "/system/bin/sh: can't create /system/x: Read-only file system\n", 1),
        ("cat < /nope", "/system/bin/sh: can't open /nope: No such file or directory\n", 1),
        ("exit 7", "", 7),
        ("echo 'open", "/system/bin/sh: no closing quote\n", 1),
        ("cd /nope", "/system/bin/sh: cd: /nope: No such file or directory\n", 2),
        ("ls --wat -Z", "ls: Unknown option 'Z' (see \"ls --help\")\n", 1),
        ("grep -A x a /etc/hosts", "grep: not integer: x\n", 2),
        ("sed 's/(a/b/' /etc/hosts", "", 0),
        ("sed -E 's/(a/b/' /etc/hosts", "sed: bad regex '(a'\n", 1),
        ("find / -maxdepth x", "find: not integer: x\n", 1),
        ("grep '[' /etc/hosts", "grep: bad regex '[': brackets ([ ]) not balanced\n", 2),
        ("/sdcard", "/system/bin/sh: /sdcard: can't execute: Is a directory\n", 126),
    ],
)
def test_errors_and_exit_statuses(line, error, status):
    assert run(line)[1:] == (error, status)


def test_a_reader_that_leaves_ends_the_writer():
    assert run("while true; do echo y; done | head -2") == ("y\ny\n", "", 0)


def test_stdin_reaches_commands():
    assert run("cat - | md5sum", b"abc")[0] == "900150983cd24fb0d6963f7d28e17f72  -\n"


def test_endless_recursion_is_refused():
    assert "nested too deeply" in run("x='eval $x'; eval $x")[1]


def test_an_interruption_ends_a_loop():
    interruption = CancelScope()
    interruption.set()
    shell = Shell(MACHINE, interruption, {})
    from collector.virtual.shell.process_table import Interrupted

    with pytest.raises(Interrupted):
        shell.run_text("while true; do :; done", Streams(BytesReader(b""), Collector(), Collector()))


@given(st.text(alphabet="ab $'\"\\`(){};&|<>#!*?[]=\n012/~", max_size=40))
def test_any_line_ends_in_a_status(line):
    if "while" in line or "/" in line:
        return
    assert isinstance(run(line)[2], int)


@pytest.mark.expected_log("command .* failed")
def test_a_bug_in_a_command_leaves_the_shell_standing():
    MACHINE.programs["buggy"] = lambda process: 1 // 0
    assert run("buggy; echo $?") == ("134\n", "buggy: Aborted\n", 0)
