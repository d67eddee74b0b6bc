"""What the phone's own windows say, in the phone's language (not that of the studio beside it)."""

from __future__ import annotations

import datetime as dt

_CHINESE = {
    "Airplane mode": "飞行模式",
    "Battery Saver": "省电模式",
    "Clear all": "全部清除",
    "Dark theme": "深色主题",
    "No notifications": "没有通知",
    "No recent items": "近期没有任何内容",
    "Off": "关闭",
    "On": "开启",
    "Passwords stay on this device": "密码只保存在此设备上",
    "Wi-Fi": "WLAN",
}
_WEEKDAYS = "一二三四五六日"


def say(text: str, language: str) -> str:
    """The phrase in a language; English where there is no other."""
    return _CHINESE.get(text, text) if language == "zh" else text


def long_date(day: dt.date, language: str) -> str:
    """``Friday 20 November``."""
    if language == "zh":
        return f"{day.month}月{day.day}日 星期{_WEEKDAYS[day.weekday()]}"
    return f"{day:%A} {day.day} {day:%B}"
