"""Memory, processor and frames of the phone: in Android's formats, and equal wherever they are printed."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from collector.virtual.device import VirtualDevice
from tests.helpers.shell import run
from tests.helpers.virtual import profile

SHOP, TODO = "com.waymark.shop", "com.waymark.todo"


@pytest.fixture(scope="module")
def device():
    device = VirtualDevice(profile("launcher", "shop", "todo"))
    yield device
    device.close()


@pytest.fixture(scope="module")
def sh(device):
    def shell(line):
        out, err, _status = run(device.machine, line)
        return out + err

    shell(
        f"am start -n {TODO}/.MainActivity; am start -n {SHOP}/.MainActivity; input swipe 360 1200 360 400 60"
    )
    return shell


def test_memory_of_an_app_adds_up(sh, device):
    text = sh(f"dumpsys meminfo {SHOP}")
    head = re.fullmatch(
        r"Applications Memory Usage \(in Kilobytes\):\nUptime: (\d+) Realtime: \1\n\n"
        rf"\*\* MEMINFO in pid {device.phone.pid_of(SHOP)} \[{SHOP}\] \*\*\n"
        r" {19}Pss  Private  Private  SwapPss      Rss     Heap     Heap     Heap\n"
        r" {17}Total    Dirty    Clean    Dirty    Total     Size    Alloc     Free\n"
        r" {16}------(   ------){7}\n"
        r"(?P<parts>( *[.\w ]+?(?: +\d+){5}(?:(?: +\d+){3}| {27})\n)+)"
        r" {8}TOTAL(?P<total>(?: +\d+){8})\n \n App Summary\n(?P<summary>(.|\n)+)",
        text,
    )
    assert head, text
    parts = [list(map(int, re.findall(r" (\d+)", line))) for line in head["parts"].splitlines()]
    total = list(map(int, head["total"].split()))
    assert [sum(part[column] for part in parts) for column in range(5)] == total[:5]
    assert total[6] + total[7] == total[5]
    summary = dict(re.findall(r"([A-Z][\w ]+?): +(\d+)", head["summary"]))
    names = ("Java Heap", "Native Heap", "Code", "Stack", "Graphics", "Private Other", "System")
    assert sum(int(summary[name]) for name in names) == int(summary["TOTAL PSS"]) == total[0]
    assert int(summary["TOTAL RSS"]) == total[4]
    assert (summary["Activities"], summary["ViewRootImpl"]) == ("1", "1")
    buffers = 3 * 720 * 1600 * 4 // 1024
    assert f"   EGL mtrack {buffers:>8} {buffers:>8}" in text
    assert "EGL mtrack" not in sh(f"dumpsys meminfo --package {TODO}"), "not drawn: it is behind the shop"
    short = sh(f"dumpsys meminfo -s {device.phone.pid_of(SHOP)}")
    assert "App Summary" in short
    assert "Native Heap " not in short
    assert sh("dumpsys meminfo com.nope") == "No process found for: com.nope\n"


def test_memory_of_all_processes_agrees_with_proc(sh, device):
    text = sh("dumpsys meminfo")
    by_process = re.search(r"Total PSS by process:\n(.*?)\n\n", text, re.DOTALL)[1]
    sizes = [int(size.replace(",", "")) for size in re.findall(r"^ +([\d,]+)K: ", by_process, re.MULTILINE)]
    assert sizes == sorted(sizes, reverse=True)
    adjusted = re.search(r"Total PSS by OOM adjustment:\n(.*?)\n\n", text, re.DOTALL)[1]
    groups = re.findall(r"^  +([\d,]+)K: ([A-Z]\w+)$", adjusted, re.MULTILINE)
    names = [name for _size, name in groups]
    assert names == ["Native", "System", "Persistent", "Foreground", "Visible", "Home", "Previous"]
    assert sum(int(size.replace(",", "")) for size, _name in groups) == sum(sizes)
    ram = {name: int(size.replace(",", "")) for name, size in re.findall(r"(\w+) RAM: +([\d,]+)K", text)}
    assert ram["Total"] == ram["Free"] + ram["Used"] + ram["Lost"]
    fields = dict(re.findall(r"(\S+): +(\d+) kB", sh("cat /proc/meminfo")))
    assert int(fields["MemTotal"]) == ram["Total"]
    assert abs(int(fields["MemFree"]) - (ram["Free"] - int(_part(text, "cached kernel")))) < 20_000
    status = dict(re.findall(r"(\w+):\s+(\d+) kB", sh(f"cat /proc/{device.phone.pid_of(TODO)}/status")))
    assert status["VmRSS"] == sh(f"ps -p {device.phone.pid_of(TODO)} -o RSS=").strip()


def _part(text, name):
    return re.search(rf"([\d,]+)K {name}", text)[1].replace(",", "")


def _cpu(sh):
    lines = sh("cat /proc/stat").splitlines()
    return [list(map(int, line.split()[1:])) for line in lines if line.startswith("cpu")]


def test_processor_time_only_grows_and_is_shared_by_processes(sh, device):
    before = _cpu(sh)
    sh("input swipe 360 1200 360 400 60")
    after = _cpu(sh)
    assert len(after) == 9
    assert [sum(core[column] for core in after[1:]) for column in range(10)] == after[0]
    assert all(new >= old for line in zip(before, after, strict=True) for old, new in zip(*line, strict=True))
    pids = [name for name in sh("ls /proc").split() if name.isdecimal()]
    assert str(device.phone.pid_of(SHOP)) in pids
    assert "1" in pids
    used = 0
    for pid in pids:
        fields = sh(f"cat /proc/{pid}/stat 2>/dev/null").split()
        if not fields:
            continue  # the `ls` that listed them
        assert len(fields) == 52
        assert fields[0] == pid
        used += int(fields[13]) + int(fields[14])
    total = _cpu(sh)[0]
    assert 0 < used <= total[0] + total[2] + 2
    uptime = float(sh("cat /proc/uptime").split()[0])
    assert uptime == pytest.approx(device.phone.clock.uptime_ns / 1e9, abs=2)
    assert re.fullmatch(r"\d+\.\d\d \d+\.\d\d \d+\.\d\d \d+/\d+ \d+\n", sh("cat /proc/loadavg"))
    assert sh("grep -c ^processor /proc/cpuinfo") == "8\n"
    assert (
        sh(f"cat /proc/{device.phone.pid_of(SHOP)}/task/{device.phone.pid_of(SHOP)}/comm")
        == "om.waymark.shop\n"
    )


def test_dumpsys_cpuinfo(sh, device):
    lines = sh("dumpsys cpuinfo").splitlines()
    assert re.fullmatch(r"Load: [\d.]+ / [\d.]+ / [\d.]+", lines[0])
    assert re.fullmatch(
        r"CPU usage from \d+ms to 0ms ago \(2026-11-20 [\d:.]{12} to 2026-11-20 [\d:.]{12}\):", lines[1]
    )
    share = re.compile(r"  [\d.]+% (\d+)/(\S+): [\d.]+% user \+ [\d.]+% kernel( / faults: \d+ minor)?")
    rows = [share.fullmatch(line) for line in lines[2:-1]]
    assert all(rows), lines
    assert (str(device.phone.pid_of(SHOP)), SHOP) in [(row[1], row[2]) for row in rows]
    assert re.fullmatch(
        r"[\d.]+% TOTAL: [\d.]+% user \+ [\d.]+% kernel \+ [\d.]+% iowait \+ [\d.]+% irq \+ [\d.]+% softirq",
        lines[-1],
    )


def test_frames_of_an_app(sh, device):
    text = sh(f"dumpsys gfxinfo {SHOP} framestats")
    total = int(re.search(r"Total frames rendered: (\d+)", text)[1])
    counts = map(int, re.findall(r"\d+ms=(\d+)", re.search(r"^HISTOGRAM: (.*)", text, re.MULTILINE)[1]))
    assert total == sum(counts) > 3
    late, share = re.search(r"Janky frames: (\d+) \(([\d.]+)%\)", text).groups()
    assert float(share) == pytest.approx(100 * int(late) / total, abs=0.01)
    assert re.search(r"50th percentile: [5-9]ms\n90th percentile: \d+ms\n95th", text)
    profile_data = text.split("---PROFILEDATA---")[1].strip().splitlines()
    names = profile_data[0].rstrip(",").split(",")
    rows = [dict(zip(names, map(int, row.rstrip(",").split(",")), strict=True)) for row in profile_data[1:]]
    assert len(rows) == total
    for row in rows:
        assert row["IntendedVsync"] < row["DrawStart"] < row["SwapBuffers"] < row["FrameCompleted"]
    assert all(old["Vsync"] < new["Vsync"] for old, new in pairwise(rows))
    latency = sh(f"dumpsys SurfaceFlinger --latency '{SHOP}/{SHOP}.MainActivity#0'").split("\n")
    assert latency[0] == "16666667"
    assert len([line for line in latency[1:] if re.fullmatch(r"\d+\t\d+\t\d+", line)]) == total
    sh(f"dumpsys gfxinfo {SHOP} reset")
    assert "Total frames rendered: 0\nJanky frames: 0 (0.00%)" in sh(f"dumpsys gfxinfo {SHOP}")
    assert sh("dumpsys gfxinfo com.nope") == "No process found for: com.nope\n"


def test_top_as_toybox_prints_it(sh, device):
    lines = sh("top -b -n 1 -m 40").splitlines()
    assert re.fullmatch(r"Tasks: \d+ total, +\d+ running, +\d+ sleeping, +0 stopped, +0 zombie", lines[0])
    assert re.fullmatch(r"  Mem: +\d+K total, +\d+K used, +\d+K free, +\d+K buffers", lines[1])
    assert re.fullmatch(r" Swap: +\d+K total, +0K used, +\d+K free, +\d+K cached", lines[2])
    shares = [int(share) for share in re.findall(r"(\d+)%\w+", lines[3])]
    assert lines[3].startswith("800%cpu")
    assert shares[0] == sum(shares[1:])
    assert lines[4].rstrip() == "  PID USER         PR  NI VIRT  RES  SHR S[%CPU] %MEM     TIME+ ARGS"
    row = next(line for line in lines if line.endswith(SHOP))
    pid, user = device.phone.pid_of(SHOP), sh(f"stat -c %U /proc/{device.phone.pid_of(SHOP)}").strip()
    assert re.fullmatch(
        rf" {pid} {user:<12} 10 -10  \d\dG [ \d.]+M [ \d.]+M S [ \d.]{{4}} [ \d.]{{5}}"
        rf" +\d+:\d\d\.\d\d {SHOP}",
        row,
    )
    pages = sh(f"top -b -n 2 -d 0.05 -p {pid} -o PID,%CPU,RES,ARGS -q")
    assert len(re.findall(rf"^ {pid} +[\d.]+ +[\d.]+M {SHOP}$", pages, re.MULTILINE)) == 2
    assert "bad -o" in sh("top -b -n 1 -o NOPE")
    narrow = sh("top -n 1").splitlines()
    assert max(map(len, narrow)) == 80
    assert any(line.endswith("+") for line in narrow)


@pytest.mark.parametrize(
    ("line", "pattern"),
    [
        # ppadb, airtest, SoloX, mobileperf, appium-adb: what each of them searches for.
        (f"dumpsys meminfo {SHOP}", r"\s*TOTAL\s*\d+\s*\d+\s*\d+\s*\d+\s*\d+\s*\d+\s*\d+"),
        (f"dumpsys meminfo {SHOP}", r"TOTAL PSS:\s*(\d+)"),
        (f"dumpsys meminfo {SHOP}", r"Native Heap\s*(\d+)"),
        ("cat /proc/stat", r"cpu\s+([\d]+)\s" + r"([\d]+)\s" * 9),
        ("dumpsys meminfo", r".*Total RAM:\s+(\S+)\s+"),
        ("df /data", r".*\s+(\S+)\s+\S+\s+\S+\s+\S+\s+\/data"),
        ("cat /proc/cpuinfo", r"Hardware\s+:\s+(\w+.*)"),
        ("cat /sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", r"^1804800$"),
        ("dumpsys SurfaceFlinger", r"GLES:\s+([^,]+), ([^,]+), (\S+\s+\S+\s+\S+)"),
        (
            "dumpsys SurfaceFlinger --list",
            r"^RequestedLayerState\{com\.waymark\.shop/[\w.]+MainActivity#\d+ parentId=\d+\}$",
        ),
        ("cat /proc/$(pidof com.waymark.shop)/net/dev", r"wlan0:\s*(\d+)" + r"\s+\d+" * 7 + r"\s+(\d+)"),
        ("dumpsys cpuinfo", r"[\d.]+% \d+/com\.waymark\.shop: [\d.]+% user \+ [\d.]+% kernel"),
        ("dumpsys gfxinfo com.waymark.shop", r"Total frames rendered: \d+\nJanky frames: \d+ \([\d.]+%\)\n"),
        ("dumpsys window displays", r"mCurrentFocus.+\s([^\s\/\}]+)\/([^\s,]+)\b"),
        ("dumpsys activity top", r"ACTIVITY com\.waymark\.shop/\.MainActivity \w+ pid=\d+"),
    ],
)
def test_what_tools_search_for_is_there(sh, line, pattern):
    assert re.search(pattern, sh(line), re.MULTILINE | re.DOTALL), line


def test_older_androids_print_no_rss():
    device = VirtualDevice(profile("todo", android="10", sdk=29))
    try:
        text = run(device.machine, f"am start -n {TODO}/.MainActivity >/dev/null; dumpsys meminfo {TODO}")[0]
    finally:
        device.close()
    assert "                   Pss  Private  Private  SwapPss     Heap     Heap     Heap\n" in text
    assert "RSS" not in text
