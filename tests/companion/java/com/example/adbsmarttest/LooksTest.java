package com.example.adbsmarttest;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.graphics.Rect;
import android.graphics.drawable.GradientDrawable;
import android.util.TypedValue;
import android.view.Gravity;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowManager;
import android.widget.ScrollView;
import android.widget.TextView;

import org.json.JSONObject;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.GraphicsMode;

/** Colours, direction, size and place of a dialog are those that the intent asks for. */
@RunWith(RobolectricTestRunner.class)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
@Config(sdk = 35, qualifiers = "w412dp-h892dp-xhdpi")
public final class LooksTest {
    private Phone phone;

    @Before
    public void setUp() {
        phone = new Phone();
    }

    @After
    public void tearDown() {
        phone.end();
    }

    private void start(String activity, String extras) throws Exception {
        phone.start(ContractCase.intent(activity, new JSONObject(extras)));
    }

    private int surface() {
        View card = ((ViewGroup) phone.front().findViewById(android.R.id.content)).getChildAt(0);
        return ((GradientDrawable) card.getBackground()).getColor().getDefaultColor();
    }

    private WindowManager.LayoutParams place() {
        return phone.front().getWindow().getAttributes();
    }

    @Test
    public void itIsDarkWhenThePhoneOrTheIntentIs() throws Exception {
        start("StorageWarningActivity", "{\"param_dialog\": \"d\"}");
        int light = surface();
        start("StorageWarningActivity", "{\"param_dialog\": \"d\", \"param_theme\": \"dark\"}");
        int dark = surface();
        assertTrue(light != dark);
        RuntimeEnvironment.setQualifiers("+night");
        start("StorageWarningActivity", "{\"param_dialog\": \"d\"}");
        assertEquals(dark, surface());
        start("StorageWarningActivity", "{\"param_dialog\": \"d\", \"param_theme\": \"light\"}");
        assertEquals(light, surface());
    }

    @Test
    public void itHasTheColorsOfTheIntent() throws Exception {
        start(
                "UpdateActivity",
                "{\"param_background\": \"#112233\", \"param_text_color\": \"#AABBCC\","
                        + " \"param_button_color\": \"#FFCC00\"}");
        assertEquals(0xFF112233, surface());
        assertEquals(0xFFAABBCC, ((TextView) phone.view("update_title")).getCurrentTextColor());
        assertEquals(0xFF1F1F1F, ((TextView) phone.view("update_accept_button")).getCurrentTextColor());
    }

    @Test
    public void itIsWrittenFromTheRight() throws Exception {
        start("UpdateActivity", "{\"param_direction\": \"rtl\", \"param_dialog\": \"d\"}");
        assertTrue(left("update_accept_button") < left("update_deny_button"));
        start("UpdateActivity", "{\"param_direction\": \"ltr\", \"param_dialog\": \"d\"}");
        assertTrue(left("update_accept_button") > left("update_deny_button"));
    }

    @Test
    public void aPhoneThatIsWrittenFromTheRightTurnsIt() throws Exception {
        RuntimeEnvironment.setQualifiers("+ar-ldrtl");
        start("UpdateActivity", "{}");
        assertTrue(left("update_accept_button") < left("update_deny_button"));
    }

    private int left(String name) {
        Rect place = new Rect();
        phone.view(name).getGlobalVisibleRect(place);
        return place.left;
    }

    @Test
    public void itsWordsAreAsLargeAsAsked() throws Exception {
        start("StorageWarningActivity", "{\"param_dialog\": \"d\"}");
        float usual = ((TextView) phone.view("storage_message")).getTextSize();
        start("StorageWarningActivity", "{\"param_dialog\": \"d\", \"param_font_scale\": 1.5}");
        assertTrue(((TextView) phone.view("storage_message")).getTextSize() > usual * 1.3f);
        start("StorageWarningActivity", "{\"param_dialog\": \"d\", \"param_font_scale\": 90}");
        assertTrue(((TextView) phone.view("storage_message")).getTextSize() <= usual * 2f);
    }

    @Test
    public void itStandsWhereItIsAskedTo() throws Exception {
        start(
                "StorageWarningActivity",
                "{\"param_position\": \"bottom_left\", \"param_offset_x\": 10, \"param_offset_y\": 5,"
                        + " \"param_width\": 200, \"param_dim\": 0.25}");
        assertEquals(Gravity.BOTTOM | Gravity.LEFT, place().gravity);
        assertEquals(px(34), place().x);
        assertEquals(px(19), place().y);
        assertEquals(px(200), place().width);
        assertEquals(0.25f, place().dimAmount, 0.001f);
    }

    @Test
    public void itStandsInTheMiddleWithoutAnything() throws Exception {
        start("StorageWarningActivity", "{}");
        assertEquals(Gravity.CENTER, place().gravity);
        assertEquals(0, place().x);
        assertEquals(px(412 - 48), place().width);
    }

    private int px(int dp) {
        return Math.round(
                TypedValue.applyDimension(
                        TypedValue.COMPLEX_UNIT_DIP,
                        dp,
                        phone.application.getResources().getDisplayMetrics()));
    }

    @Test
    public void aLongMessageScrollsAndTheButtonsStay() throws Exception {
        StringBuilder words = new StringBuilder();
        for (int line = 0; line < 200; line++) {
            words.append("A line of a long message. ");
        }
        start("LowBatteryActivity", "{\"param_message\": \"" + words + "\"}");
        View message = phone.view("low_battery_message");
        assertTrue(scroll(message).getHeight() < message.getHeight());
        assertWhole("ok_button");
        assertWhole("low_battery_title");
    }

    @Test
    @Config(qualifiers = "w720dp-h320dp-land-xhdpi")
    public void everyButtonCanBeReachedOnALowScreenWithLargeWords() throws Exception {
        start("PermissionActivity", "{\"param_font_scale\": 2, \"param_dialog\": \"d\"}");
        ScrollView scroll = scroll(phone.view("app_permission_title"));
        assertTrue(scroll.getHeight() < scroll.getChildAt(0).getHeight());
        scroll.fullScroll(View.FOCUS_DOWN);
        scroll.scrollTo(0, scroll.getChildAt(0).getHeight());
        assertWhole("app_permission_deny_button");
        start("LoginActivity", "{\"param_font_scale\": 2, \"param_dialog\": \"d\"}");
        assertWhole("login_button");
    }

    private ScrollView scroll(View view) {
        View parent = (View) view.getParent();
        return parent instanceof ScrollView ? (ScrollView) parent : scroll(parent);
    }

    private void assertWhole(String name) {
        View view = phone.view(name);
        Rect shown = new Rect();
        assertTrue(name, view.getGlobalVisibleRect(shown));
        assertEquals(name, view.getHeight(), shown.height());
    }

    @Test
    public void buttonsWithLongWordsStandOneAboveTheOther() throws Exception {
        String longWords = "A button with words that need a whole line";
        start(
                "LocationPermissionActivity",
                "{\"param_allow_btn_text\": \"" + longWords + "\", \"param_deny_btn_text\": \"" + longWords + "\"}");
        View allow = phone.view("allow_button");
        View deny = phone.view("deny_button");
        assertTrue(allow.getBottom() <= deny.getTop());
        assertFalse(allow.getWidth() > ((View) allow.getParent()).getWidth());
    }

    @Test
    public void theMarkOfAnAdvertisementIsAsSmallAsAsked() throws Exception {
        start("MockAdActivity", "{\"param_close_size\": 16, \"param_close_position\": \"bottom_left\"}");
        View mark = phone.view("btnClose");
        assertEquals(px(16), mark.getWidth());
        assertEquals(px(12), mark.getLeft());
        assertTrue(mark.getTop() > ((View) mark.getParent()).getHeight() / 2);
    }

    @Test
    public void aPictureThatTheAppDoesNotHaveIsItsOwn() throws Exception {
        start("MockAdActivity", "{\"image_res\": 2131165270}");
        assertTrue(phone.view("adImage").getHeight() > 0);
    }
}
