"""Frozen value types shared by every room; standard library only, imports nothing of ours."""
