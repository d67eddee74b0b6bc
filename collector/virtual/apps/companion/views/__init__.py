"""What the companion app shows: one file for each form of dialog"""
