package com.example.adbsmarttest;

/** D-GARA's dialog with one button. */
public final class LowBatteryActivity extends DialogActivity {
    @Override
    boolean closesOutside() {
        return true;
    }

    @Override
    Form form() {
        return new Form()
                .texts(
                        R.id.low_battery_title, words.title(R.string.title),
                        R.id.low_battery_message, words.message(R.string.message))
                .button(
                        Contract.ACCEPT, R.id.ok_button, words.onlyButton(R.string.ok),
                        words.onlyEvent("EVENT:LOW_BATTERY_ACKNOWLEDGED"));
    }
}
