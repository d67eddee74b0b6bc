"""The virtual Android device: a simulated phone that real clients accept as one."""
