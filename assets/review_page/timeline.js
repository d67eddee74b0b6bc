// The lanes of all trajectories on one timeline. Only the slots in sight have elements.
const GUTTER = 136;
const MARGIN = 12;
const SPEEDS = [0.5, 1, 2, 4, 8];

/** A row of the timeline: `cells(first, last)` makes the elements of the slots in sight. */
function lane(title, drawing, cells, className = "text-lane") {
  const track = el("div", { class: "track" });
  const element = el("div", { class: `lane ${className}` },
    el("div", { class: "gutter" }, icon(drawing), el("span", {}, title)), track);
  return { element, track, cells };
}

function placed(element, slot, span = 1) {
  element.style.left = `${leftOf(slot)}px`;
  element.style.width = `${leftOf(slot + span) - leftOf(slot)}px`;
  element.dataset.slot = String(slot);
  return element;
}

function filmLane(side) {
  const { letter, name, about, outcome, outcomeText } = sides[side];
  const row = lane(name, "camera", (first, last) => filmCells(side, first, last), "film-lane");
  row.element.firstChild.replaceChildren(
    el("span", { class: "letter" }, letter),
    el("div", { class: "group-name" }, el("strong", {}, name), data(about, "about"),
      outcome ? verdictBadge(outcome, outcomeText) : null));
  row.element.firstChild.addEventListener("click", () => selectSide(side));
  return row;
}

function filmCells(side, first, last) {
  const cells = [];
  for (let slot = first; slot <= last; slot += 1) {
    const [number, step] = [slots[slot][side], stepAt(slot, side)];
    const cell = placed(el("div", {
      class: "film-cell", onclick: () => { selectSide(side); goTo(slot); },
      title: step ? `${number + 1}  ${step.caption}` : words.gap,
    }), slot);
    if (!step) cell.append(el("div", { class: "thumb gap" }));
    else cell.append(thumb(step), el("div", { class: "beside" }, el("span", {}, String(number + 1)), worstMark(step)));
    cells.push(cell);
  }
  return cells;
}

function thumb(step) {
  const url = session.zoom >= 20 ? pictureUrl(step.picture) : "";
  if (!url) return el("div", { class: `thumb ${step.secure ? "black" : "empty"}` });
  return el("img", { class: "thumb", src: url, alt: "", loading: "lazy", decoding: "async", draggable: "false" });
}

function worstMark(step) {
  if (step.kind === "invalid") return icon("state-err");
  if (step.problem) return icon("state-warn");
  if (step.dialogs) return icon("zap", "warn");
  return null;
}

function actionLane(side) {
  return lane(words.actions, "tap", (first, last) => {
    const cells = [];
    for (let slot = first; slot <= last; slot += 1) {
      const step = stepAt(slot, side);
      if (!step) continue;
      const odd = differencesAt(slot, side).length > 0;
      cells.push(placed(el("div", { class: `mark-cell ${odd ? "odd" : ""}`, title: step.caption },
        icon(actionIcon(step)), data(shortCaption(step))), slot));
    }
    return cells;
  });
}

/** A lane of bars, each `{slot, span, draw}`; null when there is none. */
function barLane(title, drawing, bars) {
  if (!bars.length) return null;
  return lane(title, drawing, (first, last) => bars
    .filter((bar) => bar.slot <= last && bar.slot + bar.span > first)
    .map((bar) => placed(bar.draw(), bar.slot, bar.span)));
}

function thoughtLane(side) {
  const said = sides[side].steps.map((step, number) => ({ slot: slotOf(side, number), text: step.thought }))
    .filter(({ text }) => text);
  return barLane(words.thoughts, "thought", said.map(({ slot, text }, at) => {
    const until = said[at + 1] ? said[at + 1].slot : slot + 1;
    return { slot, span: Math.max(1, until - slot), draw: () => el("div", { class: "bar", title: text }, data(text)) };
  }));
}

const PART_ICONS = { inject: "zap", answer: "check", "follow-up": "play", undone: "undo" };

/** One lane, or more where anomalies overlap. */
function anomalyLanes(side) {
  const rows = [];
  for (const anomaly of sides[side].anomalies) {
    const [from, to] = [Math.max(0, slotOf(side, anomaly.first)), slotOf(side, anomaly.last)];
    const tip = anomaly.parts.map(([kind, text]) => `${kind}: ${text}`).join("\n");
    const draw = () => el("div", { class: "bar anomaly", title: tip },
      ...anomaly.parts.map(([kind, text]) => el("span", { class: "part" }, icon(PART_ICONS[kind]),
        data(kind === "undone" ? words.undone : text || kind))));
    const bar = { slot: from, span: Math.max(1, to - from + 1), draw };
    const free = rows.find((row) => row.every((each) => each.slot + each.span <= from));
    if (free) free.push(bar);
    else rows.push([bar]);
  }
  return rows.map((row) => barLane(words.anomalies, "zap", row));
}

function stateLane(side) {
  const bySlot = new Map();
  for (const state of sides[side].states) {
    const slot = state.step === null ? -1 : slotOf(side, state.step);
    if (slot >= 0) bySlot.set(slot, [...(bySlot.get(slot) || []), state]);
  }
  const marks = [...bySlot].sort((a, b) => a[0] - b[0]);
  return barLane(words.stateLane, "states", marks.map(([slot, reached], at) => {
    const until = marks[at + 1] ? marks[at + 1][0] : slots.length;
    const title = reached.map((state) => state.sentence).join("\n");
    return { slot, span: Math.max(1, until - slot), draw: () => el("div", { class: "mark-cell", title },
      ...reached.map((state) => icon(stateIcon(state))), data(reached.map((state) => state.sentence).join(" · "))) };
  }));
}

const MOMENT_ICONS = {
  fired: "state-fire", near: "state-near", suppressed: "state-never", phone_lost: "state-err", pause: "pause",
  resume: "play", taken_over: "hand", stopping: "stop", rotated: "rotate",
};

/** What happened at steps, one mark a step that lasts until the next. */
function momentLane(title, drawing, side, marks) {
  return barLane(title, drawing, marks.map(({ step, kinds, text, tip }, at) => {
    const slot = slotOf(side, step);
    const until = marks[at + 1] ? slotOf(side, marks[at + 1].step) : slots.length;
    return { slot, span: Math.max(1, until - slot), draw: () => el("div", { class: "mark-cell moment", title: tip },
      ...kinds.map((kind) => icon(MOMENT_ICONS[kind] || "flag")), data(text)) };
  }).filter((bar) => bar.slot >= 0));
}

function verdictLane(side) {
  const given = sides[side].verdicts;
  if (!given.length) return null;
  return barLane(words.verdicts, "done", [{ slot: 0, span: slots.length, draw: () => el("div", { class: "mark-cell judges" },
    ...given.map((each) => el("span", { class: "judge", title: each.reason }, icon(verdictIcon(each.verdict)),
      data(`${each.judge}: ${each.text}`)))) }]);
}

function latencyLane(side) {
  const waits = sides[side].steps.map((step, number) => ({ slot: slotOf(side, number), ms: (step.latency || {}).think }))
    .filter(({ ms }) => ms !== undefined);
  return barLane(words.latency, "clock", waits.map(({ slot, ms }) => ({
    slot, span: 1, draw: () => el("div", { class: "mark-cell quiet" }, ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`),
  })));
}

const lanes = sides.flatMap((_side, side) =>
  [filmLane(side), actionLane(side), thoughtLane(side), ...anomalyLanes(side), stateLane(side),
    momentLane(words.ruleHits, "tree", side, sides[side].hits), verdictLane(side),
    momentLane(words.deviceEvents, "phone", side, sides[side].events), latencyLane(side)].filter(Boolean));

const ruler = el("div", { class: "track" });
const cursor = el("div", { class: "cursor" });
const tint = el("div", { class: "tint" });
const divergence = el("div", { class: "divergence" });
const divergenceLabel = el("span", { class: "divergence-label", title: words.firstDivergence }, icon("split"), el("span", {}, words.firstDivergence),
  el("kbd", {}, "Home"));
const inner = el("div", { class: "lanes" },
  el("div", { class: "lane ruler" }, el("div", { class: "gutter" }, words.slot), ruler),
  ...lanes.map((row) => row.element), el("div", { class: "over" }, tint, divergence, cursor));
const scroller = el("div", {
  class: "timeline-scroll", role: "slider", tabindex: "0", "aria-label": words.timeline, "aria-valuemin": "1",
  "aria-valuemax": String(slots.length),
}, inner);

let drawn = [0, -1];

function rulerCells(first, last) {
  const cells = [];
  for (let slot = first; slot <= last; slot += 1) {
    const stop = review.stops.includes(slot) ? " stop" : "";
    const label = rulerLabel(slot);
    cells.push(placed(el("div", { class: `tick${stop}${slot === session.slot ? " current" : ""}` }, label), slot));
  }
  if (review.first !== null && first <= review.first && review.first <= last) {
    cells.push(divergenceLabel);
  }
  return cells;
}

/** Where the numbers or times of the ruler stand, in order: `[left, right]`. */
function labelsOnRuler() {
  const text = document.createRange();
  const from = ruler.getBoundingClientRect().left;
  return [...ruler.querySelectorAll(".tick")].filter((tick) => tick.textContent).map((tick) => {
    text.selectNodeContents(tick);
    const { left, right } = text.getBoundingClientRect();
    return [left - from, right - from];
  });
}

/** Put the flag of the first divergence beside the numbers: less of it where it would cover one. */
function placeDivergenceLabel() {
  if (!divergenceLabel.isConnected) return;
  const at = leftOf(review.first) + 4;
  const own = leftOf(review.first) + 11;
  const labels = labelsOnRuler();
  const before = labels.filter(([left]) => left <= own).map(([, right]) => right + 5);
  const next = labels.find(([left]) => left > own);
  const left = Math.max(at, ...before);
  const room = (next ? next[0] - 4 : Infinity) - left;
  divergenceLabel.style.left = `${left}px`;
  for (const shown of ["", "keyless", "short", "none"]) {
    divergenceLabel.className = `divergence-label ${shown}`;
    if (divergenceLabel.offsetWidth <= room) return;
  }
}

/** Make the elements of the slots in sight, unless they are there. */
function drawSlots(again = false) {
  const first = Math.max(0, slotAt(scroller.scrollLeft) - MARGIN);
  const right = scroller.scrollLeft + Math.max(400, scroller.clientWidth);
  const last = Math.min(slots.length - 1, slotAt(right) + MARGIN);
  if (!again && first >= drawn[0] && last <= drawn[1]) return;
  drawn = [first, last];
  ruler.replaceChildren(...rulerCells(first, last));
  placeDivergenceLabel();
  for (const { track, cells } of lanes) track.replaceChildren(...cells(first, last));
  drawMatching();
}

/** Hide the marks that the names of the lanes would cover. */
function clipMarks() {
  for (const mark of [tint, cursor, divergence]) {
    mark.style.visibility = parseFloat(mark.style.left) < scroller.scrollLeft + GUTTER ? "hidden" : "";
  }
}

function drawMatching() {
  for (const cell of inner.querySelectorAll(".film-cell, .tick")) {
    const slot = Number(cell.dataset.slot);
    cell.classList.toggle("dimmed", session.matching !== null && !session.matching.has(slot));
  }
}

function drawZoom() {
  measureSlots();
  inner.style.setProperty("--slot", `${session.zoom}px`);
  inner.style.width = `${GUTTER + leftOf(slots.length) + 24}px`;
  inner.classList.toggle("overview", session.zoom < 40);
  inner.classList.toggle("clock", session.axis === "clock");
  divergence.hidden = review.first === null;
  divergence.style.left = `${GUTTER + leftOf(review.first || 0)}px`;
  drawSlots(true);
  drawCursor();
}

function drawCursor() {
  const [from, to] = [leftOf(session.slot), leftOf(session.slot + 1)];
  tint.style.left = `${GUTTER + from}px`;
  tint.style.width = `${to - from}px`;
  cursor.style.left = `${GUTTER + from + Math.min(18, (to - from) / 2)}px`;
  for (const tick of ruler.querySelectorAll(".tick")) {
    tick.classList.toggle("current", Number(tick.dataset.slot) === session.slot);
  }
  const seen = scroller.clientWidth - GUTTER;
  if (from < scroller.scrollLeft) scroller.scrollLeft = Math.max(0, from - session.zoom);
  else if (to > scroller.scrollLeft + seen) scroller.scrollLeft = to - seen + session.zoom;
  scroller.setAttribute("aria-valuenow", String(session.slot + 1));
  scroller.setAttribute("aria-valuetext", slotSentence());
  drawSlots();
  clipMarks();
}

/** The slot and the step of each side in words. */
function slotSentence() {
  const steps = sides.map((side, number) => {
    const step = stepAt(session.slot, number);
    return `${side.letter} ${step ? step.caption : words.gap}`;
  });
  return `${words.slot} ${session.slot + 1} / ${slots.length}. ${steps.join(". ")}`;
}

function scrub(event) {
  const x = event.clientX - ruler.getBoundingClientRect().left;
  goTo(slotAt(x));
}

ruler.addEventListener("pointerdown", (event) => {
  ruler.setPointerCapture(event.pointerId);
  scrub(event);
});
ruler.addEventListener("pointermove", (event) => {
  if (event.buttons) scrub(event);
});
scroller.addEventListener("scroll", () => requestAnimationFrame(() => {
  drawSlots();
  clipMarks();
}), { passive: true });

const playButton = button(words.play, togglePlaying, { icon: "play", key: "Space", className: "outlined" });
const speedChoice = el("select", {
  "aria-label": words.speed, title: words.speed, onchange: (event) => change({ speed: Number(event.target.value) }),
}, ...SPEEDS.map((speed) => el("option", { value: speed, selected: speed === 1 }, `${speed}×`)));
const clockButton = button(words.clock, () => switchAxis(), {
  icon: "clock", key: "K", disabled: !hasTimes, "aria-pressed": "false",
});
const timelineElement = el("section", { class: "timeline", "aria-label": words.timeline },
  el("header", { class: "timeline-head" },
    el("h2", {}, words.timeline), data(review.about, "about"),
    el("div", { class: "transport" },
      button(words.first, () => goTo(0), { icon: "skipp" }),
      button(words.previous, () => goTo(session.slot - 1), { icon: "chevl", key: "←" }),
      playButton,
      button(words.next, () => goTo(session.slot + 1), { icon: "chevr", key: "→" }),
      button(words.last, () => goTo(slots.length - 1), { icon: "skipn", key: "End" }), speedChoice),
    el("span", { class: "space" }),
    el("span", { class: "about" }, review.count),
    button(words.nextDifference, () => goToDifference(), {
      icon: "chevr", text: true, key: "N", disabled: !review.stops.length,
    }),
    clockButton, button("−", () => zoomBy(-1), { text: true }), button("+", () => zoomBy(1), { text: true })),
  scroller);

function drawPlaying() {
  const label = session.playing ? words.pause : words.play;
  playButton.replaceChildren(icon(session.playing ? "pause" : "play"));
  playButton.setAttribute("aria-label", label);
  playButton.title = `${label} (Space)`;
}

function drawAxis() {
  clockButton.setAttribute("aria-pressed", String(session.axis === "clock"));
  drawZoom();
}

follow(["zoom"], drawZoom);
follow(["axis"], drawAxis);
follow(["slot"], drawCursor);
follow(["matching"], drawMatching);
follow(["playing"], drawPlaying);
