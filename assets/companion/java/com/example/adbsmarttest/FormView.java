package com.example.adbsmarttest;

import android.annotation.SuppressLint;
import android.view.Gravity;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.ImageView;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;

/** A dialog on the screen: a card with the words and buttons of a form. What is too tall scrolls. */
@SuppressLint("ViewConstructor")
final class FormView extends LinearLayout {
    /** Hears which button was touched. */
    interface Listener {
        void touched(Form.Button button);
    }

    private static final int PADDING = 24;

    private final Appearance look;
    private final Shapes shapes;
    private final Listener listener;

    FormView(Appearance look, Form form, Listener listener) {
        super(look.context);
        this.look = look;
        this.shapes = new Shapes(look);
        this.listener = listener;
        setOrientation(VERTICAL);
        setLayoutDirection(look.direction());
        setBackground(shapes.rounded(look.palette.surface, 28));
        setPadding(0, look.px(PADDING), 0, look.px(form.style == Form.Style.ROWS ? 12 : 20));
        LinearLayout body = column();
        boolean words = form.style == Form.Style.WORDS;
        addHead(words ? this : body, form);
        addMessage(body, form);
        if (form.middle != null) {
            body.addView(form.middle, wide(PADDING, 16));
        }
        ScrollView scroll = new ScrollView(look.context);
        scroll.addView(body);
        LayoutParams place = wide(0, 0);
        place.weight = 1;
        addView(scroll, place);
        addButtons(words ? this : body, form);
    }

    @Override
    protected void onMeasure(int widthSpec, int heightSpec) {
        int most = getResources().getDisplayMetrics().heightPixels - look.px(64);
        int given = MeasureSpec.getSize(heightSpec);
        boolean unbounded = MeasureSpec.getMode(heightSpec) == MeasureSpec.UNSPECIFIED;
        int height = unbounded ? most : Math.min(given, most);
        super.onMeasure(widthSpec, MeasureSpec.makeMeasureSpec(height, MeasureSpec.AT_MOST));
    }

    private void addHead(LinearLayout card, Form form) {
        if (form.icon != 0) {
            ImageView icon = shapes.icon(form.icon, look.palette.primary);
            LayoutParams place = new LayoutParams(look.px(24), look.px(24));
            place.gravity = Gravity.CENTER_HORIZONTAL;
            place.bottomMargin = look.px(16);
            card.addView(icon, place);
        }
        float size = form.style == Form.Style.WORDS ? 24 : 20;
        TextView title = shapes.text(form.titleId, form.title, size, look.palette.title);
        if (form.icon != 0) {
            title.setTextAlignment(TEXT_ALIGNMENT_CENTER);
        }
        card.addView(title, wide(PADDING, 0));
    }

    private void addMessage(LinearLayout body, Form form) {
        TextView message = shapes.text(form.messageId, form.message, 14, look.palette.text);
        if (form.icon != 0 && form.middle != null) {
            message.setTextAlignment(TEXT_ALIGNMENT_CENTER);
        }
        body.addView(message, wide(PADDING, 16));
    }

    private void addButtons(LinearLayout card, Form form) {
        boolean words = form.style == Form.Style.WORDS;
        ViewGroup bar = words ? new ButtonBar(look.context, look.px(8)) : column();
        for (final Form.Button one : form.buttons) {
            Button button = view(form, one);
            button.setOnClickListener(
                    new OnClickListener() {
                        @Override
                        public void onClick(View view) {
                            listener.touched(one);
                        }
                    });
            bar.addView(button, words ? new LayoutParams(-2, -2) : wide(0, 4));
        }
        boolean rows = form.style == Form.Style.ROWS;
        card.addView(bar, rows ? wide(12, 12) : wide(PADDING, 20));
    }

    private LinearLayout column() {
        LinearLayout column = new LinearLayout(look.context);
        column.setOrientation(VERTICAL);
        return column;
    }

    private Button view(Form form, Form.Button one) {
        if (form.style == Form.Style.ROWS) {
            return shapes.rowButton(one.id, one.text, one.icon);
        }
        if (form.style == Form.Style.WIDE) {
            return shapes.wideButton(one.id, one.text);
        }
        boolean first = one == form.buttons.get(0);
        return first && form.filled
                ? shapes.filledButton(one.id, one.text)
                : shapes.wordButton(one.id, one.text);
    }

    private LayoutParams wide(int side, int top) {
        LayoutParams place =
                new LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.WRAP_CONTENT);
        place.setMargins(look.px(side), look.px(top), look.px(side), 0);
        return place;
    }
}
