"""Judges by models behind the window: their files, what they ask and answer, and runs of judging."""
