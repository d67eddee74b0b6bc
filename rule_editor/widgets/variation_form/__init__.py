"""The form of a variation: a field for each key of appearance and noise, of one app or of all"""
