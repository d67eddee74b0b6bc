package com.example.adbsmarttest;

import android.view.Gravity;
import android.view.View;
import android.widget.ImageButton;
import android.widget.ImageView;
import android.widget.LinearLayout;

/** Five stars to touch. */
final class StarRow extends LinearLayout {
    private static final int[] IDS = {
        R.id.rating_star_1, R.id.rating_star_2, R.id.rating_star_3, R.id.rating_star_4, R.id.rating_star_5
    };
    private final Appearance look;
    private int chosen;

    /** {@code caption} says {number} where the number of a star stands. */
    StarRow(Appearance look, String caption, int chosen) {
        super(look.context);
        this.look = look;
        setGravity(Gravity.CENTER);
        for (int number = 1; number <= IDS.length; number++) {
            ImageButton star = star(number);
            star.setContentDescription(caption.replace("{number}", String.valueOf(number)));
            addView(star, new LayoutParams(0, look.px(48), 1));
        }
        choose(chosen);
    }

    int chosen() {
        return chosen;
    }

    private ImageButton star(final int number) {
        ImageButton star = new ImageButton(look.context);
        star.setId(IDS[number - 1]);
        star.setBackground(new Shapes(look).touchable(0, look.palette.primary, 24));
        star.setScaleType(ImageView.ScaleType.FIT_CENTER);
        star.setPadding(0, look.px(8), 0, look.px(8));
        star.setOnClickListener(
                new OnClickListener() {
                    @Override
                    public void onClick(View view) {
                        choose(number);
                    }
                });
        return star;
    }

    private void choose(int number) {
        chosen = number;
        Shapes shapes = new Shapes(look);
        for (int index = 0; index < IDS.length; index++) {
            boolean full = index < number;
            ImageButton star = (ImageButton) getChildAt(index);
            star.setSelected(full);
            star.setImageDrawable(
                    full
                            ? shapes.tinted(R.drawable.ic_star, look.palette.primary)
                            : shapes.tinted(R.drawable.ic_star_empty, look.palette.outline));
        }
    }
}
