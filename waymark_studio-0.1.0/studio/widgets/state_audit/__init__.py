"""The checklist of an auditor: is each essential state visible, critical, and are they sufficient?"""
