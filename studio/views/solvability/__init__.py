"""Solvability, for the whole window: what to survey, how far it is, and the matrix of what was found"""
