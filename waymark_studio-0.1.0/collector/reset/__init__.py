"""Reset a phone before a recording: the app's data, the whole virtual phone, or what the project declares"""
