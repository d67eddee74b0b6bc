// Elements. Texts of recordings only ever become text nodes or attributes that no browser runs.
const SVG = "http://www.w3.org/2000/svg";

/** An element with properties, listeners (`onclick`) and children; texts become text nodes. */
function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** A text of a recording: it keeps its direction to itself. */
function data(text, className = "", tag = "span") {
  return el(tag, { class: `data ${className}`, dir: "auto" }, String(text));
}

function icon(name, className = "") {
  const drawing = svg("svg", { class: `icon ${className}`, "aria-hidden": "true", focusable: "false" });
  drawing.append(svg("use", { href: `#i-${name}` }));
  return drawing;
}

function svg(tag, attributes = {}, text = "") {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  if (text) element.textContent = text;
  return element;
}

/** A button that a click of the mouse does not focus, so that Space goes on playing. */
function button(label, act, { icon: drawing = "", text = false, key = "", className = "", ...more } = {}) {
  const made = el("button", {
    type: "button", class: `button ${className}`, title: key ? `${label} (${key})` : label,
    "aria-label": label, "aria-keyshortcuts": key || null, onclick: act,
    onmousedown: (event) => event.preventDefault(), ...more,
  });
  if (drawing) made.append(icon(drawing));
  if (text) made.append(el("span", {}, label));
  if (text && key) made.append(el("kbd", {}, key));
  return made;
}

/** Buttons of which one is pressed. `choices` maps values to labels. */
function segmented(label, choices, chosen, choose) {
  return el("div", { class: "segmented", role: "group", "aria-label": label },
    ...Object.entries(choices).map(([value, words_]) =>
      el("button", {
        type: "button", "aria-pressed": String(value === String(chosen)), onclick: () => choose(value),
        onmousedown: (event) => event.preventDefault(),
      }, words_)));
}

/** The icon of a verdict; files may have any. */
function verdictIcon(verdict) {
  return Object.hasOwn(VERDICT_ICONS, verdict) ? VERDICT_ICONS[verdict] : "state-todo";
}

const VERDICT_ICONS = {
  success: "state-ok", reached: "state-ok", failure: "state-err", missed: "state-err",
  uncompleted: "state-unc", undecided: "state-unc",
};
const VERDICT_TONES = { success: "ok", reached: "ok", failure: "err", missed: "err", uncompleted: "warn" };

function verdictBadge(verdict, text) {
  const tone = Object.hasOwn(VERDICT_TONES, verdict) ? VERDICT_TONES[verdict] : "";
  return el("span", { class: `badge ${tone}` }, icon(verdictIcon(verdict)), data(text));
}

/** Judges that differ have a mark of their own. */
function stateIcon(state) {
  return state.reached ? "state-ok" : state.reached === false ? "state-err" : "state-near";
}

const ACTION_ICONS = {
  tap: "tap", double_tap: "tap", long_press: "hand", pinch: "fit", type: "type", key: "keyb", open_app: "phone",
  wait: "clock", answer: "thought", complete: "done", impossible: "x", invalid: "state-err",
};
const WAYS = { up: "swipe", down: "swipe-down", left: "swipe-left", right: "swipe-right" };

function actionIcon(step) {
  if (!step.kind) return "flag";
  if (step.kind === "scroll") return WAYS[step.direction] || "swipe-down";
  if (step.path) {
    const [from, to] = [step.path[0], step.path[step.path.length - 1]];
    const [across, down] = [to[0] - from[0], to[1] - from[1]];
    if (Math.abs(across) > Math.abs(down)) return across > 0 ? "swipe-right" : "swipe-left";
    return down > 0 ? "swipe-down" : "swipe";
  }
  return ACTION_ICONS[step.kind] || "tap";
}

/** The caption without its verb, as in `Sign in` of `Tap 'Sign in'`. */
function shortCaption(step) {
  for (const [open, close] of [["'", "'"], ["“", "”"], ['"', '"']]) {
    const [first, last] = [step.caption.indexOf(open), step.caption.lastIndexOf(close)];
    if (first >= 0 && first < last - 1) return step.caption.slice(first + 1, last);
  }
  return step.caption;
}

function timeText(milliseconds) {
  const tenths = Math.floor(Math.max(0, milliseconds || 0) / 100);
  const rest = (tenths % 600) / 10;
  return `${Math.floor(tenths / 600)}:${rest < 10 ? "0" : ""}${rest.toFixed(1)}`;
}
