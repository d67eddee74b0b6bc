"""Versions of Android as the SDK numbers by which the virtual phone behaves like one or another."""

ANDROID_6, ANDROID_7, ANDROID_8, ANDROID_9 = 23, 24, 26, 28
ANDROID_10, ANDROID_11, ANDROID_12, ANDROID_13 = 29, 30, 31, 33
ANDROID_14, ANDROID_15 = 34, 35
