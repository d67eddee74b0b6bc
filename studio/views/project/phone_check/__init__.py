"""The check of a phone in the window: what may disturb is asked, each step is shown live, then verdicts"""
