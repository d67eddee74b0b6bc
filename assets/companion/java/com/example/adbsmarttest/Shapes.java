package com.example.adbsmarttest;

import android.content.res.ColorStateList;
import android.graphics.Color;
import android.graphics.Typeface;
import android.graphics.drawable.ClipDrawable;
import android.graphics.drawable.Drawable;
import android.graphics.drawable.GradientDrawable;
import android.graphics.drawable.LayerDrawable;
import android.graphics.drawable.RippleDrawable;
import android.text.TextUtils;
import android.util.TypedValue;
import android.view.Gravity;
import android.view.View;
import android.widget.Button;
import android.widget.ImageView;
import android.widget.TextView;

/** The views that dialogs are made of, in the sizes and shapes of Material. */
final class Shapes {
    /** A radius that no button exceeds. */
    private static final int PILL = 100;

    private final Appearance look;

    Shapes(Appearance look) {
        this.look = look;
    }

    TextView text(int id, String words, float size, int color) {
        TextView view = new TextView(look.context);
        view.setId(id);
        view.setText(words);
        view.setTextSize(TypedValue.COMPLEX_UNIT_SP, size);
        view.setTextColor(color);
        view.setTextAlignment(View.TEXT_ALIGNMENT_VIEW_START);
        view.setLineSpacing(look.px(2), 1f);
        view.setVisibility(words.isEmpty() ? View.GONE : View.VISIBLE);
        return view;
    }

    ImageView icon(int resource, int color) {
        ImageView view = new ImageView(look.context);
        view.setImageDrawable(tinted(resource, color));
        view.setImportantForAccessibility(View.IMPORTANT_FOR_ACCESSIBILITY_NO);
        return view;
    }

    Drawable tinted(int resource, int color) {
        Drawable drawable = look.context.getDrawable(resource).mutate();
        drawable.setTint(color);
        return drawable;
    }

    /** A button of words alone. */
    Button wordButton(int id, String words) {
        return button(id, words, look.palette.primary, Color.TRANSPARENT, PILL);
    }

    Button filledButton(int id, String words) {
        return button(id, words, look.palette.onPrimary, look.palette.primary, PILL);
    }

    /** A wide one, as in Android's question for a permission. */
    Button wideButton(int id, String words) {
        Button button = button(id, words, look.palette.onTonal, look.palette.tonal, 16);
        button.setMinHeight(look.px(56));
        button.setTextSize(TypedValue.COMPLEX_UNIT_SP, 16);
        return button;
    }

    /** A row with an icon before its words. */
    Button rowButton(int id, String words, int icon) {
        Button button = button(id, words, look.palette.title, Color.TRANSPARENT, 12);
        button.setTextSize(TypedValue.COMPLEX_UNIT_SP, 16);
        button.setTypeface(Typeface.DEFAULT);
        button.setGravity(Gravity.CENTER_VERTICAL | Gravity.START);
        button.setMinHeight(look.px(52));
        Drawable drawable = tinted(icon, look.palette.primary);
        drawable.setBounds(0, 0, look.px(24), look.px(24));
        button.setCompoundDrawablesRelative(drawable, null, null, null);
        button.setCompoundDrawablePadding(look.px(16));
        return button;
    }

    private Button button(int id, String words, int color, int fill, int radius) {
        Button button = new Button(look.context);
        button.setId(id);
        button.setText(words);
        button.setAllCaps(false);
        button.setTextColor(color);
        button.setTextSize(TypedValue.COMPLEX_UNIT_SP, 14);
        button.setTypeface(Typeface.create("sans-serif-medium", Typeface.NORMAL));
        button.setLetterSpacing(0.007f);
        button.setMaxLines(2);
        button.setEllipsize(TextUtils.TruncateAt.END);
        button.setStateListAnimator(null);
        button.setElevation(0);
        button.setMinWidth(look.px(48));
        button.setMinimumWidth(look.px(48));
        button.setMinHeight(look.px(40));
        button.setMinimumHeight(look.px(40));
        int side = look.px(fill == Color.TRANSPARENT ? 12 : 24);
        button.setBackground(touchable(fill, color, radius));
        button.setPadding(side, look.px(10), side, look.px(10));
        return button;
    }

    /** A rounded ground that shows touches. */
    Drawable touchable(int fill, int touch, int radius) {
        Drawable ground = fill == Color.TRANSPARENT ? null : rounded(fill, radius);
        return new RippleDrawable(
                ColorStateList.valueOf(Palette.withAlpha(touch, 0.16f)),
                ground,
                rounded(Color.WHITE, radius));
    }

    /** The bar of a progress, on its track. */
    Drawable progress() {
        Drawable done = rounded(look.palette.primary, 2);
        Drawable track = rounded(Palette.withAlpha(look.palette.primary, 0.24f), 2);
        int start = look.rightToLeft ? Gravity.RIGHT : Gravity.LEFT;
        LayerDrawable layers =
                new LayerDrawable(
                        new Drawable[] {track, new ClipDrawable(done, start, ClipDrawable.HORIZONTAL)});
        layers.setId(0, android.R.id.background);
        layers.setId(1, android.R.id.progress);
        for (int layer = 0; layer < 2; layer++) {
            layers.setLayerHeight(layer, look.px(4));
            layers.setLayerGravity(layer, Gravity.CENTER_VERTICAL | Gravity.FILL_HORIZONTAL);
        }
        return layers;
    }

    GradientDrawable rounded(int color, float radius) {
        GradientDrawable shape = new GradientDrawable();
        shape.setColor(color);
        shape.setCornerRadius(look.px(radius));
        return shape;
    }
}
