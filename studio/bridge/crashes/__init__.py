"""Errors of the window that nobody caught, and crashes of its process: each becomes a crash report"""
