"""Real and virtual phones through adb: frames, trees, input, device information and the doctor."""
