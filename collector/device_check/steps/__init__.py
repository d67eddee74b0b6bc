"""The steps of a check of a phone, one module each, and their order"""
