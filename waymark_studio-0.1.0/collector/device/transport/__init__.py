"""Reach a phone: adb server, device list, connections, shell results, files, the emulator's console."""
