"""Trust in shell commands: what they do, whether a person allowed them, and the gate they pass"""
