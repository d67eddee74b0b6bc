"""Texts of the system's own windows, in the phone's language."""

from __future__ import annotations

import datetime as dt

_CHINESE = {
    "ADB Keyboard": "ADB 键盘",
    "Airplane mode": "飞行模式",
    "Allow": "允许",
    "Allow {app} to {permission}?": "要允许{app}{permission}吗？",
    "Android Keyboard": "Android 键盘",
    "Android System": "Android 系统",
    "Answer": "接听",
    "App is not available": "应用无法使用",
    "App info": "应用信息",
    "Battery Saver": "省电模式",
    "Battery low": "电池电量低",
    "Battery {level} percent": "电池电量为百分之 {level}",
    "Battery {level} percent, charging": "正在充电，电池电量为百分之 {level}",
    "Call in progress": "正在通话",
    "Choose input method": "选择输入法",
    "Clear all": "全部清除",
    "Close app": "关闭应用",
    "Compact Keyboard": "紧凑键盘",
    "Dark theme": "深色主题",
    "Decline": "拒接",
    "Do Not Disturb": "勿扰",
    "Don't allow": "不允许",
    "End call": "挂断",
    "Incoming call": "来电",
    "Location": "位置信息",
    "Location off": "位置信息已关闭",
    "Messages": "信息",
    "Mobile data off": "移动数据已关闭",
    "Mobile network": "移动网络",
    "No internet connection": "无法连接到互联网",
    "No notifications": "没有通知",
    "No recent items": "近期没有任何内容",
    "No thanks": "不用了",
    "Off": "关闭",
    "On": "开启",
    "Ongoing call": "正在通话",
    "Only this time": "仅限这一次",
    "Passwords stay on this device": "密码只保存在此设备上",
    "Phone": "电话",
    "Phone is getting warm": "手机温度上升中",
    "Phone is hot": "手机过热",
    "Shell": "Shell",
    "Some features limited while phone cools down": "降温时，部分功能的使用会受限制",
    "Some system functions may not work": "某些系统功能可能无法正常使用",
    "Storage space running out": "存储空间不足",
    "To extend battery life, Battery Saver turns on Dark theme and restricts "
    "background activity, some visual effects and some network connections.": (
        "为延长电池续航时间，省电模式会开启深色主题，并限制后台活动、部分视觉效果和部分网络连接。"
    ),
    "Turn on": "开启",
    "Turn on Battery Saver": "开启省电模式",
    "Turn on Battery Saver?": "要开启省电模式吗？",
    "Wait": "等待",
    "While using the app": "仅在使用该应用时允许",
    "Wi-Fi": "WLAN",
    "access photos and videos on this device": "访问此设备上的照片和视频",
    "access this device's approximate location": "获取此设备的大致位置信息",
    "access this device's location": "获取此设备的位置信息",
    "access your calendar": "访问你的日历",
    "access your contacts": "访问你的通讯录",
    "make and manage phone calls": "拨打电话和管理通话",
    "record audio": "录音",
    "send and view SMS messages": "发送和查看短信",
    "send you notifications": "向你发送通知",
    "take pictures and record video": "拍摄照片和录制视频",
    "{app} is not available right now.": "{app}目前无法使用。",
    "{app} has stopped": "{app}已停止运行",
    "{app} isn't responding": "{app}无响应",
    "{app} keeps stopping": "{app}屡次停止运行",
    "{level}% remaining": "剩余 {level}%",
    "uiautomator2 Keyboard": "uiautomator2 键盘",
}
_WEEKDAYS = "一二三四五六日"


def say(text: str, language: str, **values: object) -> str:
    """The phrase in a language with its values inserted; English when the language is missing."""
    phrase = _CHINESE.get(text, text) if language == "zh" else text
    return phrase.format(**values) if values else phrase


def long_date(day: dt.date, language: str) -> str:
    """``Friday 20 November``."""
    if language == "zh":
        return f"{day.month}月{day.day}日 星期{_WEEKDAYS[day.weekday()]}"
    return f"{day:%A} {day.day} {day:%B}"
