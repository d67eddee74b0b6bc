// The differences of the selected side, of all sides for the reference, and both screens at the cursor.
const KIND_ICONS = {
  anomaly: "zap", loop: "undo", invalid: "state-err", detour: "split", left_out: "x", ended: "flag", other_action: "diff",
};

function differencePanel() {
  const own = review.differences.filter((each) => session.side === REFERENCE || each.side === session.side);
  const list = own.length
    ? el("ol", { class: "difference-list" }, ...own.map(differenceRow))
    : el("p", { class: "empty" }, sides.length > 1 ? words.nothingDiffers : words.onlyOne);
  return session.side === REFERENCE ? [list] : [list, ...screensPart()];
}

function differenceRow(difference) {
  const here = difference.first <= session.slot && session.slot <= difference.last;
  return el("li", { class: here ? "here" : "" }, el("button", { type: "button", onclick: () => {
    goTo(difference.first);
    selectSide(difference.side);
  } },
    icon(KIND_ICONS[difference.kind] || "diff"),
    session.side === REFERENCE ? el("span", { class: "letter" }, sides[difference.side].letter) : null,
    el("span", { class: "place" }, String(difference.first + 1)), data(difference.reason)));
}

function screensPart() {
  const [mine, other] = [slots[session.slot][REFERENCE], slots[session.slot][session.side]];
  if (mine === null || other === null) return [section(words.tree, "", el("p", { class: "empty" }, words.noCounterpart))];
  const about = `A ${mine + 1} → ${sides[session.side].letter} ${other + 1}`;
  const difference = screenDifference(session.slot, session.side);
  if (!difference) return [section(words.tree, about, el("p", { class: "empty" }, words.sameScreens))];
  const parts = [treePart(difference, about), textPart(difference)];
  if (difference.pixels) parts.push(pixelPart(difference.pixels));
  return parts.filter(Boolean);
}

function section(title, about, ...children) {
  return el("section", { class: "part" }, el("header", {}, el("h3", {}, title), el("span", { class: "about" }, about)), ...children);
}

function treePart(difference, about) {
  const rows = [];
  if (difference.place) rows.push(changeRow("changed", difference.place[0], `→ ${difference.place[1]}`));
  const tree = difference.tree;
  if (!tree) return rows.length ? section(words.app, about, ...rows) : null;
  for (const kind of ["added", "removed"]) for (const node of tree[kind]) rows.push(nodeRow(kind, node));
  for (const node of tree.changed) {
    const changes = node.attributes.map(([name, old, now]) => `${name} ${old || "-"} → ${now || "-"}`).join(", ");
    rows.push(nodeRow("changed", node, changes));
  }
  const listed = tree.added.length + tree.removed.length + tree.changed.length;
  const left = tree.counts.reduce((sum, count) => sum + count, 0) - listed;
  if (left) rows.push(el("p", { class: "padded about" }, `${left} ${words.more}`));
  if (tree.moved) rows.push(el("p", { class: "padded about" }, `${tree.moved} ${words.moved}`));
  const [added, removed, changed] = tree.counts;
  const part = section(words.tree, about, ...rows);
  part.firstChild.append(el("span", { class: "counts" }, el("b", { class: "ok" }, `+${added}`), " ",
    el("b", { class: "err" }, `−${removed}`), " ", el("b", { class: "warn" }, `~${changed}`)));
  return part;
}

const SIGNS = { added: "+", removed: "−", changed: "~" };

function nodeRow(kind, node, more = "") {
  const id = node.id ? `#${node.id}` : "";
  return changeRow(kind, [node.class, id].filter(Boolean).join(" "), more || node.words);
}

function changeRow(kind, name, more) {
  return el("p", { class: `change ${kind}`, title: `${words[kind]}: ${name} ${more}` },
    el("span", { class: "sign", "aria-label": words[kind] }, SIGNS[kind]), data(name), data(more, "about"));
}

function textPart(difference) {
  const { added_texts: added, removed_texts: removed } = difference;
  if (!added.length && !removed.length) return null;
  return section(words.texts, "", ...added.map((text) => changeRow("added", text, "")),
    ...removed.map((text) => changeRow("removed", text, "")));
}

function pixelPart(pixels) {
  const percent = (100 * pixels.share).toFixed(pixels.share < 0.01 ? 2 : 0);
  const part = section(words.pixels, `${percent} % ${words.differ}`, pictureComparison());
  part.firstChild.append(segmented(words.pixels, { slider: words.slider, blink: words.blink, heat: words.heat },
    session.picture, (picture) => change({ picture })));
  return part;
}

function pictureComparison() {
  const steps = [stepAt(session.slot, REFERENCE), stepAt(session.slot, session.side)];
  const [below, above] = steps.map((step) => el("img", { src: pictureUrl(step.picture), alt: step.caption, draggable: "false" }));
  if (!below.getAttribute("src") || !above.getAttribute("src")) return el("p", { class: "empty" }, words.noPicture);
  const box = el("div", { class: `comparison ${session.picture}` }, below);
  if (session.picture === "heat") {
    const canvas = el("canvas", { role: "img", "aria-label": words.heat });
    box.append(canvas);
    Promise.all([below.decode(), above.decode()]).then(() => drawHeat(canvas, below, above)).catch(() => canvas.remove());
    return box;
  }
  box.append(above);
  if (session.picture === "slider") {
    const slider = el("input", { type: "range", min: 0, max: 100, value: 50, "aria-label": words.sliderPosition });
    const place = () => {
      box.style.setProperty("--split", `${slider.value}%`);
    };
    slider.addEventListener("input", place);
    place();
    box.append(el("div", { class: "split-line" }), slider);
  }
  return box;
}

/** Paint what differs red over the reference's picture. */
function drawHeat(canvas, below, above) {
  const [width, height] = [below.naturalWidth, below.naturalHeight];
  const [first, second] = [below, above].map((picture) => {
    const sheet = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    sheet.drawImage(picture, 0, 0, width, height);
    return sheet.getImageData(0, 0, width, height).data;
  });
  [canvas.width, canvas.height] = [width, height];
  const heat = new ImageData(width, height);
  for (let at = 0; at < heat.data.length; at += 4) {
    const apart = Math.max(Math.abs(first[at] - second[at]), Math.abs(first[at + 1] - second[at + 1]),
      Math.abs(first[at + 2] - second[at + 2]));
    if (apart <= 24) continue;
    heat.data.set([242, 60, 40, Math.min(235, 110 + apart)], at);
  }
  canvas.getContext("2d").putImageData(heat, 0, 0);
}
