package com.example.adbsmarttest;

import android.graphics.Color;

/** Colours of Material's third version, the same on every phone; the intent may change three of them. */
final class Palette {
    final boolean dark;
    final int surface;
    final int title;
    final int text;
    final int primary;
    final int onPrimary;
    final int tonal;
    final int onTonal;
    final int outline;

    Palette(boolean dark, Parameters parameters) {
        this.dark = dark;
        int words = parameters.color("param_text_color", 0);
        int button = parameters.color("param_button_color", 0);
        surface = parameters.color("param_background", dark ? 0xFF282A2C : 0xFFE9EEF6);
        title = words != 0 ? words : dark ? 0xFFE3E3E3 : 0xFF1F1F1F;
        text = words != 0 ? words : dark ? 0xFFC4C7C5 : 0xFF444746;
        primary = button != 0 ? button : dark ? 0xFFA8C7FA : 0xFF0B57D0;
        onPrimary = button != 0 ? readableOn(button) : dark ? 0xFF062E6F : 0xFFFFFFFF;
        tonal = dark ? 0xFF004A77 : 0xFFC2E7FF;
        onTonal = dark ? 0xFFC2E7FF : 0xFF001D35;
        outline = dark ? 0xFF8E918F : 0xFF747775;
    }

    static int withAlpha(int color, float alpha) {
        return Color.argb(
                Math.round(255 * alpha), Color.red(color), Color.green(color), Color.blue(color));
    }

    private static int readableOn(int color) {
        double light =
                0.299 * Color.red(color) + 0.587 * Color.green(color) + 0.114 * Color.blue(color);
        return light > 150 ? 0xFF1F1F1F : 0xFFFFFFFF;
    }
}
