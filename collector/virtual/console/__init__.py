"""The console of an emulator: commands in lines over a port of the loopback interface, behind ``adb emu``.

Words, order and answers are those of ``android/android-emu/android/console.cpp`` of the Android emulator
(AOSP, platform/external/qemu); the commands stand in :mod:`collector.virtual.console.commands`.
"""
