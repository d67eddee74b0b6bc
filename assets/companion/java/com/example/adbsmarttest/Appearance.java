package com.example.adbsmarttest;

import android.content.Context;
import android.content.res.Configuration;
import android.text.TextUtils;
import android.util.TypedValue;
import android.view.ContextThemeWrapper;
import android.view.View;

import java.util.Locale;

/** How a dialog looks: language, light or dark, direction and size of its words, as the intent asks. */
final class Appearance {
    /** Has the language, the size of text and the theme of the dialog. */
    final Context context;

    final Palette palette;
    final boolean rightToLeft;

    private Appearance(Context context, Palette palette, boolean rightToLeft) {
        this.context = context;
        this.palette = palette;
        this.rightToLeft = rightToLeft;
    }

    static Appearance of(Context base, Parameters parameters) {
        Configuration wanted = new Configuration(base.getResources().getConfiguration());
        String language = parameters.text("param_language", "");
        if (language.equals("en") || language.equals("zh")) {
            wanted.setLocale(language.equals("zh") ? Locale.SIMPLIFIED_CHINESE : Locale.ENGLISH);
        }
        float scale = parameters.number("param_font_scale", wanted.fontScale);
        wanted.fontScale = Math.max(0.8f, Math.min(scale, 2f));
        boolean dark = isDark(base, parameters);
        int night = dark ? Configuration.UI_MODE_NIGHT_YES : Configuration.UI_MODE_NIGHT_NO;
        wanted.uiMode = (wanted.uiMode & ~Configuration.UI_MODE_NIGHT_MASK) | night;
        boolean rightToLeft = isRightToLeft(parameters, wanted.locale);
        Context context =
                new ContextThemeWrapper(
                        base.createConfigurationContext(wanted),
                        dark ? R.style.Dialog_Dark : R.style.Dialog_Light);
        return new Appearance(context, new Palette(dark, parameters), rightToLeft);
    }

    static boolean isDark(Context base, Parameters parameters) {
        int mode = base.getResources().getConfiguration().uiMode & Configuration.UI_MODE_NIGHT_MASK;
        String theme = parameters.text("param_theme", "");
        return theme.equals("dark")
                || !theme.equals("light") && mode == Configuration.UI_MODE_NIGHT_YES;
    }

    private static boolean isRightToLeft(Parameters parameters, Locale locale) {
        String direction = parameters.text("param_direction", "");
        boolean usual =
                TextUtils.getLayoutDirectionFromLocale(locale) == View.LAYOUT_DIRECTION_RTL;
        return direction.equals("rtl") || !direction.equals("ltr") && usual;
    }

    int px(float dp) {
        return Math.round(
                TypedValue.applyDimension(
                        TypedValue.COMPLEX_UNIT_DIP, dp, context.getResources().getDisplayMetrics()));
    }

    int direction() {
        return rightToLeft ? View.LAYOUT_DIRECTION_RTL : View.LAYOUT_DIRECTION_LTR;
    }
}
