"""A variation of the phone being edited: its text, and edits of single keys of it"""
