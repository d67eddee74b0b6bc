"""Environments for training: a virtual phone stepped in this process, without ADB and without waiting."""
