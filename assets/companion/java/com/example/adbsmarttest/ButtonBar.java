package com.example.adbsmarttest;

import android.content.Context;
import android.view.View;
import android.view.ViewGroup;

/**
 * Buttons at the end of a dialog: side by side, the first at the end; or one above the other, the first
 * on top, where they need more room.
 */
final class ButtonBar extends ViewGroup {
    private final int gap;
    private boolean stacked;

    ButtonBar(Context context, int gap) {
        super(context);
        this.gap = gap;
    }

    @Override
    protected void onMeasure(int widthSpec, int heightSpec) {
        int width = MeasureSpec.getSize(widthSpec);
        int free = MeasureSpec.makeMeasureSpec(0, MeasureSpec.UNSPECIFIED);
        int sum = -gap;
        int tallest = 0;
        for (int index = 0; index < getChildCount(); index++) {
            View child = getChildAt(index);
            child.measure(free, free);
            sum += child.getMeasuredWidth() + gap;
            tallest = Math.max(tallest, child.getMeasuredHeight());
        }
        stacked = sum > width;
        setMeasuredDimension(width, stacked ? measureStack(width) : tallest);
    }

    private int measureStack(int width) {
        int height = 0;
        for (int index = 0; index < getChildCount(); index++) {
            View child = getChildAt(index);
            child.measure(
                    MeasureSpec.makeMeasureSpec(width, MeasureSpec.AT_MOST),
                    MeasureSpec.makeMeasureSpec(0, MeasureSpec.UNSPECIFIED));
            height += child.getMeasuredHeight() + gap / 2;
        }
        return height;
    }

    @Override
    protected void onLayout(boolean changed, int left, int top, int right, int bottom) {
        int width = right - left;
        boolean rightToLeft = getLayoutDirection() == LAYOUT_DIRECTION_RTL;
        int used = 0;
        for (int index = 0; index < getChildCount(); index++) {
            View child = getChildAt(index);
            int x = stacked ? 0 : used;
            int y = stacked ? used : 0;
            int start = rightToLeft ? x : width - x - child.getMeasuredWidth();
            child.layout(
                    start, y, start + child.getMeasuredWidth(), y + child.getMeasuredHeight());
            used += stacked ? child.getMeasuredHeight() + gap / 2 : child.getMeasuredWidth() + gap;
        }
    }
}
