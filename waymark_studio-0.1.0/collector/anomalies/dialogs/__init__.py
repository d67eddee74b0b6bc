"""Injected dialogs: their forms, their buttons on the screen, and following them until they are over"""
