package com.example.adbsmarttest;

/** Looks like Android's question at a low battery. */
public final class BatteryWarningActivity extends DialogActivity {
    private static final int USUAL_PERCENT = 15;

    @Override
    Form form() {
        int percent = parameters.integer("param_percent", USUAL_PERCENT);
        String message = words.own(R.string.battery_message).replace("{percent}", String.valueOf(percent));
        return new Form()
                .icon(R.drawable.ic_battery)
                .texts(
                        R.id.battery_title, words.title(R.string.battery_title),
                        R.id.battery_message, words.message(message))
                .button(
                        Contract.ACCEPT, R.id.battery_accept_button,
                        words.button("accept", R.string.battery_accept),
                        words.event("accept", "EVENT:BATTERY_ACCEPTED"))
                .button(
                        Contract.DENY, R.id.battery_deny_button,
                        words.button("deny", R.string.battery_deny),
                        words.event("deny", "EVENT:BATTERY_DENIED"));
    }
}
