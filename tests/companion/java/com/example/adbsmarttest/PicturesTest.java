package com.example.adbsmarttest;

import static org.junit.Assert.assertTrue;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.util.DisplayMetrics;
import android.view.Gravity;
import android.view.View;
import android.view.WindowManager;

import org.json.JSONObject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.ParameterizedRobolectricTestRunner;
import org.robolectric.ParameterizedRobolectricTestRunner.Parameters;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/** Pictures of every dialog, drawn by Android itself: in English and Chinese, dark, large, wide and right to left. */
@RunWith(ParameterizedRobolectricTestRunner.class)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
@Config(sdk = 35, qualifiers = "w412dp-h892dp-xhdpi")
public final class PicturesTest {
    private static final String[][] DIALOGS = {
        {"LocationPermissionActivity", "{\"param_title\": \"流量提醒\", \"param_message\": \"当前正在使用移动网络\"}"},
        {"LowBatteryActivity", "{}"},
        {"CookieConsentActivity", "{}"},
        {"ProgressActivity", "{\"param_progress\": 40}"},
        {"LoginActivity", "{\"param_deny_btn_text\": \"Skip\"}"},
        {"MockAdActivity", "{}"},
        {"MockAdActivity-full", "{\"param_full_screen\": true}"},
        {"MockAdActivity-late", "{\"param_title\": \"Summer\", \"param_close_after_seconds\": 9, \"param_accept_btn_text\": \"Go\"}"},
        {"TargetPageActivity", "{}"},
        {"UpdateActivity", "{\"param_app\": \"Maps\", \"param_version\": \"9.0.1\"}"},
        {"RatingActivity", "{\"param_app\": \"Maps\"}"},
        {"PermissionActivity", "{\"param_app\": \"Maps\"}"},
        {"CrashActivity", "{\"param_app\": \"Maps\"}"},
        {"NotRespondingActivity", "{\"param_app\": \"Maps\"}"},
        {"BatteryWarningActivity", "{}"},
        {"StorageWarningActivity", "{}"},
        {"OverlayReceiver", "{}"},
        {"AskPermissionActivity", "{}"},
        {"StorageWarningActivity-bottom", "{\"param_position\": \"bottom\", \"param_width\": 300}"},
        {"LowBatteryActivity-long", "{\"param_message\": \"LONG\"}"},
    };
    private static final String[][] LOOKS = {
        {"en", "{}"},
        {"zh", "{\"param_language\": \"zh\"}"},
        {"dark", "{\"param_theme\": \"dark\"}"},
        {"large", "{\"param_font_scale\": 1.8}"},
        {"wide", "{}"},
        {"rtl", "{\"param_direction\": \"rtl\", \"param_theme\": \"dark\"}"},
    };

    private final String dialog;
    private final String extras;
    private Phone phone;

    public PicturesTest(String dialog, String extras) {
        this.dialog = dialog;
        this.extras = extras;
    }

    @Parameters(name = "{0}")
    public static Collection<Object[]> dialogs() {
        return new ArrayList<>(Arrays.asList((Object[][]) DIALOGS));
    }

    @Before
    public void setUp() {
        phone = new Phone();
    }

    @After
    public void tearDown() {
        phone.end();
    }

    @Test
    public void itIsDrawnInsideTheScreen() throws Exception {
        for (String[] look : LOOKS) {
            JSONObject all = new JSONObject(extras.replace("LONG", longText()));
            JSONObject more = new JSONObject(look[1]);
            for (Iterator<String> names = more.keys(); names.hasNext(); ) {
                String name = names.next();
                all.put(name, more.get(name));
            }
            all.put("param_dialog", "picture");
            RuntimeEnvironment.setQualifiers(look[0].equals("wide") ? "+land" : "+port");
            phone.start(ContractCase.intent(dialog.split("-")[0], all));
            draw(look[0]);
            phone.call("close", "");
        }
    }

    private static String longText() {
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < 90; line++) {
            text.append("Line ").append(line).append(" of a message that is too long for the screen. ");
        }
        return text.toString();
    }

    private void draw(String look) throws IOException {
        DisplayMetrics screen = phone.application.getResources().getDisplayMetrics();
        Bitmap picture = Bitmap.createBitmap(screen.widthPixels, screen.heightPixels, Bitmap.Config.ARGB_8888);
        Canvas canvas = new Canvas(picture);
        drawApp(canvas);
        List<View> windows = phone.windows();
        View window = windows.get(windows.size() - 1);
        WindowManager.LayoutParams place = (WindowManager.LayoutParams) window.getLayoutParams();
        canvas.drawColor(Color.argb(Math.round(255 * place.dimAmount), 0, 0, 0));
        assertTrue(dialog + " " + look, window.getHeight() <= screen.heightPixels && window.getHeight() > 0);
        int x = left(place, window, screen);
        int y = top(place, window, screen);
        assertTrue(dialog + " " + look, x >= 0 && y >= 0);
        canvas.translate(x, y);
        window.draw(canvas);
        File file = new File(System.getProperty("companion.pictures"), dialog + "-" + look + ".png");
        try (FileOutputStream stream = new FileOutputStream(file)) {
            picture.compress(Bitmap.CompressFormat.PNG, 100, stream);
        }
    }

    private static int left(WindowManager.LayoutParams place, View window, DisplayMetrics screen) {
        int free = screen.widthPixels - window.getWidth();
        int side = place.gravity & Gravity.HORIZONTAL_GRAVITY_MASK;
        return side == Gravity.LEFT ? place.x : side == Gravity.RIGHT ? free - place.x : free / 2 + place.x;
    }

    private static int top(WindowManager.LayoutParams place, View window, DisplayMetrics screen) {
        int free = screen.heightPixels - window.getHeight();
        int side = place.gravity & Gravity.VERTICAL_GRAVITY_MASK;
        return side == Gravity.TOP ? place.y : side == Gravity.BOTTOM ? free - place.y : free / 2 + place.y;
    }

    /** Something to stand behind the dialog. */
    private static void drawApp(Canvas canvas) {
        Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
        canvas.drawColor(0xFFFDFBFF);
        paint.setColor(0xFF0B57D0);
        canvas.drawRect(0, 0, canvas.getWidth(), 180, paint);
        for (int row = 0; row < 12; row++) {
            paint.setColor(row % 2 == 0 ? 0xFFD7E3F7 : 0xFFE8DEF8);
            canvas.drawRoundRect(32, 220 + row * 130, canvas.getWidth() - 32, 330 + row * 130, 24, 24, paint);
        }
    }
}
