"""The health of a project: what in it tells nothing or no longer holds, and suspicious runs"""
