"""The packages of apps that LlamaTouch's annotations name as people do."""

from __future__ import annotations

from collector.model.phone.android_names import is_package

_PACKAGES = {
    "adobe acrobat reader": "com.adobe.reader",
    "amazon shopping": "com.amazon.mShop.android.shopping",
    "booking": "com.booking",
    "booking.com": "com.booking",
    "calculator": "com.google.android.calculator",
    "calendar": "com.google.android.calendar",
    "chrome": "com.android.chrome",
    "discord": "com.discord",
    "duolingo": "com.duolingo",
    "ebay": "com.ebay.mobile",
    "excel": "com.microsoft.office.excel",
    "expedia": "com.expedia.bookings",
    "facebook": "com.facebook.katana",
    "firefox": "org.mozilla.firefox",
    "google authenticator": "com.google.android.apps.authenticator2",
    "google calendar": "com.google.android.calendar",
    "google chrome": "com.android.chrome",
    "instagram": "com.instagram.android",
    "linkedin": "com.linkedin.android",
    "lyft": "me.lyft.android",
    "mcdonald's": "com.mcdonalds.app",
    "mcdonalds": "com.mcdonalds.app",
    "messenger": "com.facebook.orca",
    "microsoft excel": "com.microsoft.office.excel",
    "microsoft outlook": "com.microsoft.office.outlook",
    "microsoft powerpoint": "com.microsoft.office.powerpoint",
    "microsoft word": "com.microsoft.office.word",
    "netflix": "com.netflix.mediaclient",
    "pinterest": "com.pinterest",
    "reddit": "com.reddit.frontpage",
    "snapchat": "com.snapchat.android",
    "spotify": "com.spotify.music",
    "telegram": "org.telegram.messenger",
    "tiktok": "com.zhiliaoapp.musically",
    "twitter": "com.twitter.android",
    "uber": "com.ubercab",
    "walmart": "com.walmart.android",
    "whatsapp": "com.whatsapp",
    "yelp": "com.yelp.android",
    "youtube kids": "com.google.android.apps.youtube.kids",
    "youtube_kid": "com.google.android.apps.youtube.kids",
    "zoom": "us.zoom.videomeetings",
}


def package_of(app: str) -> str:
    """The package of an app with this name or package; empty when it is not known."""
    known = _PACKAGES.get(" ".join(app.casefold().split()), "")
    return known or (app if "." in app and is_package(app) else "")


def name_of(package: str) -> str:
    """What LlamaTouch's annotations call the app of a package; the package when they have no name for it."""
    return next((name for name, known in _PACKAGES.items() if known == package), package)
