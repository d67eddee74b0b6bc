package com.example.adbsmarttest;

import android.content.Intent;
import android.os.Bundle;

import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** One case of tests/companion/contract_cases.json, which the virtual phone's companion passes, too. */
final class ContractCase {
    final JSONObject json;

    private ContractCase(JSONObject json) {
        this.json = json;
    }

    static List<ContractCase> all() throws IOException, JSONException {
        byte[] bytes = Files.readAllBytes(Paths.get(System.getProperty("companion.cases")));
        JSONArray list = new JSONArray(new String(bytes, StandardCharsets.UTF_8));
        List<ContractCase> cases = new ArrayList<>();
        for (int index = 0; index < list.length(); index++) {
            cases.add(new ContractCase(list.getJSONObject(index)));
        }
        return cases;
    }

    Intent intent() throws JSONException {
        return intent(json.getString("start"), json.optJSONObject("extras"));
    }

    /** An intent as {@code am} makes it from the flags of its types. */
    static Intent intent(String activity, JSONObject extras) throws JSONException {
        Bundle bundle = new Bundle();
        Iterator<String> names = extras == null ? new JSONObject().keys() : extras.keys();
        while (names.hasNext()) {
            String name = names.next();
            Object value = extras.get(name);
            if (value instanceof Integer) {
                bundle.putInt(name, (Integer) value);
            } else if (value instanceof Number) {
                bundle.putFloat(name, ((Number) value).floatValue());
            } else if (value instanceof Boolean) {
                bundle.putBoolean(name, (Boolean) value);
            } else {
                bundle.putString(name, value.toString());
            }
        }
        Intent intent = new Intent().putExtras(bundle);
        return intent.setClassName(Contract.PACKAGE, Contract.PACKAGE + "." + activity);
    }

    @Override
    public String toString() {
        return json.optString("name");
    }
}
