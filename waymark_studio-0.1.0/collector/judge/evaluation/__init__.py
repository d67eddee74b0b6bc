"""Evaluate a task's rules screen by screen, recorded or live, with reasons."""
