package com.example.adbsmarttest;

import android.graphics.drawable.Drawable;
import android.view.Gravity;
import android.view.View;
import android.view.WindowManager;
import android.widget.FrameLayout;
import android.widget.ImageButton;
import android.widget.ImageView;
import android.widget.LinearLayout;
import android.widget.TextView;

/** An advertisement: a card with a picture, or the whole screen, with a mark that closes it, perhaps late. */
public final class MockAdActivity extends DialogActivity {
    private boolean full;
    private ImageButton close;
    private TextView countdown;

    @Override
    int theme(boolean dark) {
        full = parameters.flag("param_full_screen", false);
        return full ? dark ? R.style.FullScreen_Dark : R.style.FullScreen_Light : super.theme(dark);
    }

    @Override
    boolean closesOutside() {
        return true;
    }

    @Override
    Form form() {
        Form form =
                new Form()
                        .texts(
                                R.id.ad_title, full ? words.title(R.string.ad_title) : given("param_title"),
                                R.id.ad_message,
                                full ? words.message(R.string.ad_message) : words.message())
                        .button(
                                Contract.DENY, R.id.btnClose, words.button("deny", R.string.close),
                                words.event("deny", ""));
        if (full || parameters.has("param_accept_btn_text")) {
            form.button(
                    Contract.ACCEPT, R.id.ad_accept_button, words.button("accept", R.string.ad_more),
                    words.event("accept", ""));
        }
        return form;
    }

    private String given(String name) {
        return parameters.text(name, "");
    }

    @Override
    void show(Form form) {
        Shapes shapes = new Shapes(look);
        FrameLayout card = new FrameLayout(look.context);
        card.setId(R.id.adCard);
        card.setLayoutDirection(look.direction());
        card.setBackground(full ? null : shapes.rounded(look.palette.surface, 28));
        card.setClipToOutline(!full);
        if (full) {
            card.setBackgroundColor(look.palette.surface);
        }
        card.addView(content(form, shapes), new FrameLayout.LayoutParams(-1, full ? -1 : -2));
        addClose(card, form.buttons.get(0), shapes);
        setContentView(card);
        if (full) {
            getWindow().addFlags(WindowManager.LayoutParams.FLAG_FULLSCREEN);
            card.setFitsSystemWindows(true);
        } else {
            WindowManager.LayoutParams window = getWindow().getAttributes();
            WindowPlace.apply(window, look, parameters);
            getWindow().setAttributes(window);
        }
        countDown();
    }

    private View content(Form form, Shapes shapes) {
        LinearLayout column = new LinearLayout(look.context);
        column.setOrientation(LinearLayout.VERTICAL);
        ImageView picture = new ImageView(look.context);
        picture.setId(R.id.adImage);
        picture.setContentDescription(form.title.isEmpty() ? words.own(R.string.ad_title) : form.title);
        picture.setScaleType(ImageView.ScaleType.CENTER_CROP);
        picture.setImageDrawable(image());
        int height = getResources().getDisplayMetrics().heightPixels / 3;
        column.addView(
                picture, new LinearLayout.LayoutParams(-1, full ? 0 : Math.min(height, look.px(280)), full ? 1 : 0));
        addText(column, shapes.text(R.id.ad_title, form.title, 24, look.palette.title));
        addText(column, shapes.text(R.id.ad_message, form.message, 16, look.palette.text));
        if (form.buttons.size() > 1) {
            final Form.Button more = form.buttons.get(1);
            View button = shapes.filledButton(more.id, more.text);
            button.setOnClickListener(answering(more));
            addText(column, button);
        }
        column.setPadding(0, 0, 0, look.px(column.getChildCount() > 1 && column.getChildAt(1).getVisibility() == View.VISIBLE ? 24 : 0));
        return column;
    }

    private void addText(LinearLayout column, View view) {
        LinearLayout.LayoutParams place = new LinearLayout.LayoutParams(-1, -2);
        place.setMargins(look.px(24), look.px(16), look.px(24), 0);
        column.addView(view, place);
    }

    private Drawable image() {
        int resource = parameters.integer("image_res", 0);
        try {
            Drawable drawable = resource == 0 ? null : look.context.getDrawable(resource);
            return drawable == null ? new AdPicture() : drawable;
        } catch (RuntimeException error) {
            return new AdPicture();
        }
    }

    private View.OnClickListener answering(final Form.Button button) {
        return new View.OnClickListener() {
            @Override
            public void onClick(View view) {
                answer(button);
            }
        };
    }

    private void addClose(FrameLayout card, Form.Button button, Shapes shapes) {
        int size = look.px(parameters.integer("param_close_size", 40, 8, 96));
        close = new ImageButton(look.context);
        close.setId(button.id);
        close.setContentDescription(button.text);
        close.setImageDrawable(shapes.tinted(R.drawable.ic_close, 0xFFFFFFFF));
        close.setScaleType(ImageView.ScaleType.FIT_CENTER);
        close.setBackground(shapes.touchable(0x99000000, 0xFFFFFFFF, 48));
        close.setPadding(size / 4, size / 4, size / 4, size / 4);
        close.setOnClickListener(answering(button));
        card.addView(close, corner(size, size));
        countdown = shapes.text(R.id.ad_countdown, " ", 13, 0xFFFFFFFF);
        countdown.setBackground(shapes.rounded(0x99000000, 16));
        countdown.setPadding(look.px(12), look.px(6), look.px(12), look.px(6));
        card.addView(countdown, corner(-2, -2));
    }

    private FrameLayout.LayoutParams corner(int width, int height) {
        String position = parameters.text("param_close_position", "top_right");
        FrameLayout.LayoutParams place = new FrameLayout.LayoutParams(width, height);
        place.gravity =
                (position.startsWith("bottom") ? Gravity.BOTTOM : Gravity.TOP)
                        | (position.endsWith("left") ? Gravity.LEFT : Gravity.RIGHT);
        int margin = look.px(12);
        place.setMargins(margin, margin, margin, margin);
        return place;
    }

    private void countDown() {
        long left = 1000L * parameters.integer("param_close_after_seconds", 0, 0, 3600) - elapsed();
        close.setVisibility(left > 0 ? View.GONE : View.VISIBLE);
        countdown.setVisibility(left > 0 ? View.VISIBLE : View.GONE);
        if (left <= 0) {
            return;
        }
        long seconds = (left + 999) / 1000;
        countdown.setText(words.own(R.string.ad_wait).replace("{seconds}", String.valueOf(seconds)));
        handler.postDelayed(
                new Runnable() {
                    @Override
                    public void run() {
                        countDown();
                    }
                },
                left - 1000 * (seconds - 1));
    }
}
