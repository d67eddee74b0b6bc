package com.example.adbsmarttest;

import android.os.Bundle;

/** Asks for a rating of an app, from one star to five. */
public final class RatingActivity extends DialogActivity {
    private static final String STARS = "companion_stars";
    private StarRow stars;
    private int kept;

    @Override
    protected void onCreate(Bundle state) {
        kept = state == null ? 0 : state.getInt(STARS);
        super.onCreate(state);
    }

    @Override
    Form form() {
        stars = new StarRow(look, words.own(R.string.star), kept);
        return new Form()
                .icon(R.drawable.ic_star)
                .texts(
                        R.id.rating_title, words.title(R.string.rating_title),
                        R.id.rating_message, words.message(R.string.rating_message))
                .middle(stars)
                .button(
                        Contract.ACCEPT, R.id.rating_accept_button,
                        words.button("accept", R.string.rating_accept),
                        words.event("accept", "EVENT:RATING_ACCEPTED"))
                .button(
                        Contract.DENY, R.id.rating_deny_button,
                        words.button("deny", R.string.rating_deny),
                        words.event("deny", "EVENT:RATING_DENIED"));
    }

    @Override
    String value(Form.Button touched) {
        return stars == null || stars.chosen() == 0 ? "" : String.valueOf(stars.chosen());
    }

    @Override
    protected void onSaveInstanceState(Bundle state) {
        super.onSaveInstanceState(state);
        state.putInt(STARS, stars == null ? kept : stars.chosen());
    }
}
