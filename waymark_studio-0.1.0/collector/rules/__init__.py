"""Rules: one grammar for when to inject, when a task is done and which states are essential.

Read, lint, evaluate with proof, explain, suggest and back-test; D-GARA's own verdicts on request.
"""
