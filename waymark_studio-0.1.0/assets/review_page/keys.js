// The keyboard. Keys that a field or a list needs for itself stay with it.
const HELP = [
  ["← →", words.keyStep], ["Shift ← →", words.keyFar], ["Home", words.keyHome], ["End", words.keyEnd],
  ["N", words.keyNext], ["Space", words.keyPlay], ["1 2 3 4", words.keyColumns], ["↑ ↓", words.keySide],
  ["K", words.keyClock], ["P", words.keyPhase], ["/", words.keyFilter], ["T", words.keyTree], ["D", words.differences], ["V", words.verdicts],
  ["C", words.comments], ["O", words.overlayNodes], ["?", words.help], ["Esc", words.keyEscape],
];
const PHASES = ["before", "action", "after"];

const helpDialog = el("dialog", { class: "help", "aria-label": words.help },
  el("header", {}, el("h2", {}, words.help), button(words.close, () => helpDialog.close(), { icon: "x" })),
  el("dl", {}, ...HELP.flatMap(([keys, what]) =>
    [el("dt", {}, ...keys.split(" ").map((key) => el("kbd", {}, key))), el("dd", {}, what)])),
  el("p", { class: "about" }, words.madeWith));

function nextPhase() {
  change({ phase: PHASES[(PHASES.indexOf(session.phase) + 1) % PHASES.length] });
}

function openTree() {
  change({ tab: "tree" });
  treePanel.list.focus();
}

/** Leave what is open, then clear what is selected. */
function leave() {
  if (document.activeElement && document.activeElement !== document.body) document.activeElement.blur();
  if (session.playing) togglePlaying();
  else if (session.node !== null) change({ node: null });
  else if (session.matching !== null) {
    filterField.value = "";
    applyFilter();
  }
}

const KEYS = {
  ArrowLeft: (event) => goTo(session.slot - (event.shiftKey ? 10 : 1)),
  ArrowRight: (event) => goTo(session.slot + (event.shiftKey ? 10 : 1)),
  ArrowUp: () => selectSide(session.side - 1),
  ArrowDown: () => selectSide(session.side + 1),
  Home: () => goToFirstDivergence(),
  End: () => goTo(slots.length - 1),
  " ": () => togglePlaying(),
  "/": () => filterField.focus(),
  "?": () => helpDialog.showModal(),
  Escape: () => leave(),
  n: (event) => goToDifference(!event.shiftKey),
  p: () => nextPhase(),
  k: () => switchAxis(),
  t: () => openTree(),
  d: () => change({ tab: "differences" }),
  v: () => change({ tab: "verdicts" }),
  c: () => change({ tab: "comments" }),
  o: () => change({ overlays: { ...session.overlays, nodes: !session.overlays.nodes } }),
};

function handleKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || helpDialog.open) return;
  const target = event.target;
  const isField = target.matches && target.matches("input, select, textarea");
  if (isField && event.key !== "Escape") return;
  if (target.matches && target.matches("button, a") && (event.key === " " || event.key === "Enter")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (/^[1-4]$/.test(key)) change({ columns: Math.min(sides.length, Number(key)) });
  else if (Object.hasOwn(KEYS, key)) KEYS[key](event);
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", handleKey);
