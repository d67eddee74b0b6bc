"""Check what works on a phone, step by step, leave it as it was, and say which workspaces can use it"""
