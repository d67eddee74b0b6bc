package com.example.adbsmarttest;

import android.graphics.Canvas;
import android.graphics.ColorFilter;
import android.graphics.LinearGradient;
import android.graphics.Paint;
import android.graphics.Path;
import android.graphics.PixelFormat;
import android.graphics.Rect;
import android.graphics.Shader;
import android.graphics.drawable.Drawable;

/** The picture of an advertisement: a beach in the evening, drawn for any size. */
final class AdPicture extends Drawable {
    private final Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);

    @Override
    public void draw(Canvas canvas) {
        Rect area = getBounds();
        float width = area.width();
        float height = area.height();
        canvas.save();
        canvas.translate(area.left, area.top);
        paint.setShader(
                new LinearGradient(
                        0, 0, 0, height * 0.62f, 0xFFFF7A59, 0xFFFFD08A, Shader.TileMode.CLAMP));
        canvas.drawRect(0, 0, width, height, paint);
        paint.setShader(null);
        paint.setColor(0xFFFFF3D6);
        canvas.drawCircle(width * 0.5f, height * 0.5f, Math.min(width, height) * 0.17f, paint);
        wave(canvas, 0.58f, 0xFF2A9DB0);
        wave(canvas, 0.68f, 0xFF1F7F96);
        wave(canvas, 0.82f, 0xFFF2C98B);
        canvas.restore();
    }

    private void wave(Canvas canvas, float level, int color) {
        float width = getBounds().width();
        float height = getBounds().height();
        Path path = new Path();
        path.moveTo(0, height * level);
        path.cubicTo(
                width * 0.3f, height * (level - 0.06f),
                width * 0.6f, height * (level + 0.06f),
                width, height * (level - 0.02f));
        path.lineTo(width, height);
        path.lineTo(0, height);
        path.close();
        paint.setColor(color);
        canvas.drawPath(path, paint);
    }

    @Override
    public void setAlpha(int alpha) {}

    @Override
    public void setColorFilter(ColorFilter filter) {}

    @Override
    public int getOpacity() {
        return PixelFormat.OPAQUE;
    }
}
