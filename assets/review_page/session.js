// What is selected on the page. Every part draws itself again when something that it shows changes.
const session = {
  slot: review.first === null ? 0 : review.first,
  side: firstSide(),
  phase: "action",
  columns: sides.length,
  tab: "verdicts",
  playing: false,
  speed: 1,
  node: null,
  hoveredNode: null,
  matching: null,
  picture: "slider",
  zoom: 58,
  axis: "step",
  compared: false,
  trace: { asked: "folded", thought: "folded", raw: "folded", caption: "folded" },
  overlays: { touch: true, target: true, golden: true, nodes: false, differences: false },
};
const listeners = [];

/** The side that differs first; the last one when none does. */
function firstSide() {
  const found = review.differences.find((each) => each.first === review.first);
  return found ? found.side : sides.length - 1;
}

/** Call `draw` now and whenever one of the properties changes. */
function follow(properties, draw) {
  listeners.push({ properties, draw });
}

function change(values) {
  const changed = Object.keys(values).filter((name) => session[name] !== values[name]);
  if (!changed.length) return;
  Object.assign(session, values);
  for (const { properties, draw } of listeners) {
    if (properties.some((name) => changed.includes(name))) draw();
  }
}

function goTo(slot) {
  const next = Math.max(0, Math.min(slots.length - 1, slot));
  if (next !== session.slot) change({ slot: next, node: null, hoveredNode: null });
}

function goToFirstDivergence() {
  goTo(review.first === null ? 0 : review.first);
}

/** Go to the next slot where a difference begins, or the one before; after the last comes the first. */
function goToDifference(forward = true) {
  const stops = review.stops;
  if (!stops.length) return;
  const found = forward
    ? stops.find((stop) => stop > session.slot)
    : [...stops].reverse().find((stop) => stop < session.slot);
  const slot = found !== undefined ? found : stops[forward ? 0 : stops.length - 1];
  goTo(slot);
  const begin = review.differences.filter((each) => each.first === slot).map((each) => each.side);
  if (!begin.includes(session.side)) selectSide(begin[0]);
}

function selectSide(side) {
  const next = (side + sides.length) % sides.length;
  if (next !== session.side) change({ side: next, node: null, hoveredNode: null });
}

/** The sides in sight: the selected one is always among them, the reference as far as there is room. */
function shownSides() {
  const all = sides.map((_side, number) => number);
  if (session.columns >= sides.length) return all;
  if (session.columns === 1) return [session.side];
  const first = [REFERENCE, session.side, ...all].filter((side, at, list) => list.indexOf(side) === at);
  return first.slice(0, session.columns).sort((a, b) => a - b);
}

let timer = 0;

/** Play from step to step as fast as they were recorded, but never too fast or too slow to follow. */
function togglePlaying() {
  if (!session.playing && session.slot >= slots.length - 1) goTo(0);
  change({ playing: !session.playing });
  clearTimeout(timer);
  if (session.playing) timer = setTimeout(playOn, playTime(session.slot));
}

function playOn() {
  if (!session.playing) return;
  if (session.slot >= slots.length - 1) {
    change({ playing: false });
    return;
  }
  goTo(session.slot + 1);
  timer = setTimeout(playOn, playTime(session.slot));
}

/** Milliseconds that a slot is shown: as long as it took, but never too short or too long to follow. */
function playTime(slot) {
  return Math.max(400, Math.min(4000, slotTime(slot))) / session.speed;
}
