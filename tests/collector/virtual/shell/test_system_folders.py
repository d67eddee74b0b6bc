"""System folders have what commands find, and are refused as on a user build."""

from tests.helpers.shell import bare_machine, run


def test_the_folder_of_programs_agrees_with_what_is_found():
    machine = bare_machine()
    machine.programs["screenrecord"] = lambda process: 0
    names = run(machine, "ls /system/bin")[0].split()
    assert {"ls", "am", "getprop", "printf", "screenrecord", "sh"} <= set(names)
    assert not {"cd", "export", "let", "trap"} & set(names)
    tests = " && ".join(f"[ -f /system/bin/{name} -a -x $(which {name}) ]" for name in names)
    assert run(machine, tests)[1:] == ("", 0)
    assert run(machine, "command -v ls cd; command -v curl; echo $?")[0] == "/system/bin/ls\ncd\n1\n"


def test_the_folders_of_apps_are_refused():
    refused = "ls: {0}: Permission denied\n"
    for folder in ("/data", "/data/app", "/data/data", "/data/local"):
        assert run(bare_machine(), f"ls {folder}") == ("", refused.format(folder), 1)
    assert run(bare_machine(), "cd /data; pwd; ls local/tmp") == ("/data\n", "", 0)
