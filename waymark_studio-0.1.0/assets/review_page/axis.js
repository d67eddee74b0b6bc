// Where slots lie on the timeline: side by side, or by one clock on which a slot lasts as long as it took.
const ZOOMS = [14, 26, 40, 58, 84, 120];
const LEAST_SLOT = 6;
const LEAST_LABEL = 44;
const LAST_STEP_MS = 1000;

const hasTimes = sides.some((side) => side.steps.some((step) => step.time));

/** The left edge of each slot in pixels, and the right edge of the last. */
let edges = [0];
/** The time of each slot in milliseconds. */
let times = [0];
/** The slots whose times are written on the ruler: those with room for it. */
let labelled = new Set();

function measureSlots() {
  const took = slots.map((_slot, slot) => slotTime(slot) || (slot === slots.length - 1 ? LAST_STEP_MS : 0));
  const perMs = (slots.length * session.zoom) / Math.max(1, took.reduce((sum, each) => sum + each, 0));
  [edges, times, labelled] = [[0], [0], new Set()];
  let free = 0;
  took.forEach((ms, slot) => {
    if (edges[slot] >= free) {
      labelled.add(slot);
      free = edges[slot] + LEAST_LABEL;
    }
    edges.push(edges[slot] + (session.axis === "clock" ? Math.max(LEAST_SLOT, ms * perMs) : session.zoom));
    times.push(times[slot] + ms);
  });
}

/** The left edge of a slot in pixels; of the number of slots the right edge of the last. */
function leftOf(slot) {
  return edges[Math.max(0, Math.min(edges.length - 1, slot))];
}

/** The slot at a distance in pixels from the first. */
function slotAt(x) {
  let [low, high] = [0, slots.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (edges[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

function rulerLabel(slot) {
  if (session.axis === "clock") return labelled.has(slot) ? timeText(times[slot]) : "";
  return slot % (session.zoom >= 26 ? 1 : 5) === 0 ? String(slot + 1) : "";
}

function switchAxis() {
  if (hasTimes) change({ axis: session.axis === "clock" ? "step" : "clock" });
}

function zoomBy(places) {
  const at = ZOOMS.indexOf(session.zoom);
  change({ zoom: ZOOMS[Math.max(0, Math.min(ZOOMS.length - 1, at + places))] });
}

measureSlots();
