package com.example.adbsmarttest;

import android.util.DisplayMetrics;
import android.view.Gravity;
import android.view.WindowManager;

/** Where a dialog stands on the screen, how wide it is, and how dark it is behind it. */
final class WindowPlace {
    private static final int WIDEST = 560;
    private static final int MARGIN = 24;

    private WindowPlace() {}

    /** Sets place and size of the window; its height is that of its content. */
    static void apply(WindowManager.LayoutParams window, Appearance look, Parameters parameters) {
        DisplayMetrics screen = look.context.getResources().getDisplayMetrics();
        int most = screen.widthPixels - look.px(2 * MARGIN);
        int wanted = look.px(parameters.integer("param_width", WIDEST, 120, 4000));
        window.width = Math.min(wanted, parameters.has("param_width") ? screen.widthPixels : most);
        window.height = WindowManager.LayoutParams.WRAP_CONTENT;
        window.gravity = gravity(parameters.text("param_position", "center"));
        window.x = shift(parameters.integer("param_offset_x", 0), look, horizontal(window.gravity));
        window.y = shift(parameters.integer("param_offset_y", 0), look, vertical(window.gravity));
        window.flags |= WindowManager.LayoutParams.FLAG_DIM_BEHIND;
        window.dimAmount = Math.max(0f, Math.min(parameters.number("param_dim", 0.6f), 1f));
    }

    private static int gravity(String position) {
        int vertical =
                position.startsWith("top")
                        ? Gravity.TOP
                        : position.startsWith("bottom") ? Gravity.BOTTOM : Gravity.CENTER_VERTICAL;
        int horizontal =
                position.endsWith("_left")
                        ? Gravity.LEFT
                        : position.endsWith("_right") ? Gravity.RIGHT : Gravity.CENTER_HORIZONTAL;
        return vertical | horizontal;
    }

    /** 1 at the start of the screen, -1 at its end, from where a window counts backwards, 0 between. */
    private static int horizontal(int gravity) {
        int side = gravity & Gravity.HORIZONTAL_GRAVITY_MASK;
        return side == Gravity.LEFT ? 1 : side == Gravity.RIGHT ? -1 : 0;
    }

    private static int vertical(int gravity) {
        int side = gravity & Gravity.VERTICAL_GRAVITY_MASK;
        return side == Gravity.TOP ? 1 : side == Gravity.BOTTOM ? -1 : 0;
    }

    private static int shift(int dp, Appearance look, int side) {
        int margin = side == 0 ? 0 : look.px(MARGIN);
        return side < 0 ? margin - look.px(dp) : margin + look.px(dp);
    }
}
