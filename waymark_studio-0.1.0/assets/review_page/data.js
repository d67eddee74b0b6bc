// The data of the page, and its pictures and trees, unpacked when they are looked at.
const review = JSON.parse(document.getElementById("review-data").textContent);
const { words, sides, slots } = review;
const REFERENCE = 0;

const pictureUrls = new Map();
const trees = new Map();

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** The address of a picture of this page; empty for a step without one. */
function pictureUrl(number) {
  const picture = number === undefined ? null : review.pictures[number];
  if (!picture || !picture.length) return "";
  if (!pictureUrls.has(number)) {
    const blob = new Blob([bytesOf(picture[2])], { type: "image/webp" });
    pictureUrls.set(number, URL.createObjectURL(blob));
  }
  return pictureUrls.get(number);
}

/** The nodes of a tree, with their children, place and depth; null when the browser cannot unpack it. */
function treeOf(number) {
  if (!trees.has(number)) trees.set(number, unpackedTree(review.trees[number]));
  return trees.get(number);
}

async function unpackedTree(packed) {
  const rows = await unpacked(packed);
  return rows === null ? null : linked(rows);
}

/** What was packed; null in a browser that cannot unpack it. */
async function unpacked(packed) {
  if (typeof DecompressionStream === "undefined") return null;
  try {
    const stream = new Blob([bytesOf(packed)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  } catch (error) {
    return null;
  }
}

function linked(rows) {
  const nodes = rows.map(([parent, type, bounds, attributes], order) => ({
    order, parent, type, bounds, attributes, children: [], depth: 0,
  }));
  for (const node of nodes) {
    if (node.parent < 0) continue;
    node.depth = nodes[node.parent].depth + 1;
    nodes[node.parent].children.push(node.order);
  }
  return nodes;
}

/** The step of a side at a slot; null for a gap. */
function stepAt(slot, side) {
  const number = slots[slot] ? slots[slot][side] : null;
  return number === null || number === undefined ? null : sides[side].steps[number];
}

/** Milliseconds that a slot took: the longest that one of the sides needed for its step. */
function slotTime(slot) {
  return Math.max(...sides.map((side, number) => {
    const step = slots[slot][number];
    const next = step === null ? null : side.steps[step + 1];
    return next ? (next.time || 0) - (side.steps[step].time || 0) : 0;
  }));
}

/** The slot of a step of a side; -1 when there is none. */
function slotOf(side, step) {
  return slots.findIndex((slot) => slot[side] === step);
}

/** The size of a step's screen in device pixels. */
function screenSize(step) {
  const [width, height] = step.size || [0, 0];
  if (width > 0 && height > 0) return [width, height];
  const picture = step.picture === undefined ? null : review.pictures[step.picture];
  return picture && picture.length ? [picture[0], picture[1]] : [1080, 2400];
}

let screenDifferences = {};

/** What differs between a side's screen and the reference's at a slot; null when nothing does. */
function screenDifference(slot, side) {
  return screenDifferences[`${slot}.${side}`] || null;
}

/** The differences of trajectories that a slot belongs to. */
function differencesAt(slot, side) {
  return review.differences.filter(
    (each) => (side === undefined || each.side === side) && each.first <= slot && slot <= each.last,
  );
}
