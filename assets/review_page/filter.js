// The filter of steps: words, and `key:value` with `-` for "not", as in `action:type -app:launcher "sign in"`.
const FILTERS = {
  action: (step, value) => (step.kind || "").includes(value),
  text: (step, value) => [step.caption, step.thought, step.reply, step.detail, step.note, step.intention]
    .some((text) => (text || "").toLowerCase().includes(value)),
  app: (step, value) => (step.app || "").toLowerCase().includes(value),
  activity: (step, value) => (step.activity || "").toLowerCase().includes(value),
  anomaly: (step, value, side, number) => sides[side].anomalies.some((each) =>
    each.first <= number && number <= each.last && each.id.toLowerCase().includes(value)),
  state: (step, value, side, number) => sides[side].states.some((state) => {
    if (value === "missed") return state.reached === false && number === sides[side].steps.length - 1;
    const named = `${state.id} ${state.sentence}`.toLowerCase();
    return state.step === number && (value === "reached" ? state.reached !== false : named.includes(value));
  }),
  verdict: (step, value, side) => [sides[side].outcome, ...sides[side].verdicts.map((each) => each.verdict)].includes(value),
  difference: (step, value, side, number) =>
    differencesAt(slotOf(side, number), side).some((each) => value === "any" || each.kind.startsWith(value)),
};
const TERM = /(-?)(?:([a-z_]+):)?(?:"([^"]*)"?|(\S+))/gi;

/** The terms of a filter: what is not wanted, the key, and the value in lower case. */
function termsOf(text) {
  return [...text.matchAll(TERM)].map(([, not, key, quoted, plain]) => ({
    not: Boolean(not), key: (key || "text").toLowerCase(), value: (quoted ?? plain).toLowerCase(),
  })).filter((term) => term.value);
}

/** The slots where a side has a step that fits all terms; null for an empty filter. */
function matchingSlots(text) {
  const terms = termsOf(text);
  if (!terms.length) return null;
  const found = new Set();
  slots.forEach((slot, number) => {
    const fits = sides.some((side, at) => slot[at] !== null && terms.every(({ not, key, value }) =>
      FILTERS[key](side.steps[slot[at]], value, at, slot[at]) !== not));
    if (fits) found.add(number);
  });
  return found;
}

const filterField = el("input", {
  type: "search", class: "field", placeholder: words.filter, "aria-label": words.filter, "aria-keyshortcuts": "/",
  spellcheck: "false", autocomplete: "off", oninput: () => applyFilter(), onkeydown: (event) => filterKey(event),
});
const filterCount = el("span", { class: "about", role: "status" });

function applyFilter() {
  const unknown = termsOf(filterField.value).find((term) => !Object.hasOwn(FILTERS, term.key));
  filterField.setAttribute("aria-invalid", String(Boolean(unknown)));
  if (unknown) {
    filterCount.textContent = `${words.unknownKey}: ${unknown.key}. ${Object.keys(FILTERS).join(", ")}`;
    change({ matching: null });
    return;
  }
  const matching = matchingSlots(filterField.value);
  filterCount.textContent = matching === null ? "" : matching.size ? `${matching.size} / ${slots.length}` : words.noMatch;
  change({ matching });
}

/** Enter goes to the next slot that matches, Escape clears the filter and leaves it. */
function filterKey(event) {
  if (event.key === "Enter" && session.matching && session.matching.size) {
    const ordered = [...session.matching].sort((a, b) => a - b);
    const next = ordered.find((slot) => slot > session.slot);
    goTo(next === undefined ? ordered[0] : next);
  } else if (event.key === "Escape") {
    filterField.value = "";
    applyFilter();
    filterField.blur();
  } else {
    return;
  }
  event.preventDefault();
}
