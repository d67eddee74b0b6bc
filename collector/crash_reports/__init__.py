"""Crash reports: what stays on this computer of an error that nobody expected, by the window or a command"""
