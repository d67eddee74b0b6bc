// One screen with what is drawn over it. Marks keep their size whatever the size of the screen.
const FAR_APART = 8;

class Stage {
  constructor(side) {
    this.side = side;
    this.image = el("img", { alt: "", decoding: "async", draggable: "false" });
    this.overlay = svg("svg", { class: "overlay", "aria-hidden": "true" });
    this.message = el("p", { class: "stage-message" });
    this.screen = el("div", { class: "screen" }, this.image, this.overlay);
    this.element = el("div", {
      class: "stage", onclick: (event) => this.pick(event, true),
      onmousemove: (event) => this.pick(event, false), onmouseleave: () => this.leave(),
    }, this.screen, this.message);
    this.step = null;
    this.nodes = null;
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  /** Show the state of a step. `acts` says whether the action is drawn over it. */
  show(step, acts, shownStep) {
    if (this.step !== shownStep) this.nodes = null;
    this.step = shownStep;
    this.acting = acts ? step : null;
    const url = shownStep ? pictureUrl(shownStep.picture) : "";
    this.image.hidden = !url;
    if (url && this.image.src !== url) this.image.src = url;
    this.image.alt = shownStep ? `${sides[this.side].letter}: ${shownStep.caption}` : "";
    this.screen.hidden = !shownStep;
    this.element.classList.toggle("gap", !shownStep);
    this.message.hidden = Boolean(url);
    this.message.textContent = !shownStep ? words.gap : shownStep.secure ? words.secure : words.noPicture;
    this.fit();
    if (shownStep && shownStep.tree !== undefined && !this.nodes) {
      treeOf(shownStep.tree).then((nodes) => {
        if (this.step !== shownStep) return;
        this.nodes = nodes;
        this.draw();
      });
    }
  }

  fit() {
    if (!this.step) return;
    const [width, height] = screenSize(this.step);
    const [room, tall] = [this.element.clientWidth - 24, this.element.clientHeight - 24];
    const scale = Math.max(0.02, Math.min(room / width, tall / height));
    this.screen.style.width = `${Math.round(width * scale)}px`;
    this.screen.style.height = `${Math.round(height * scale)}px`;
    this.scale = scale;
    this.draw();
  }

  draw() {
    this.overlay.replaceChildren();
    if (!this.step || !this.scale) return;
    const shown = session.overlays;
    if (shown.nodes) for (const node of this.nodes || []) this.box(node.bounds, "node");
    for (const bounds of this.step.dialogs || []) this.box(bounds, "dialog", words.injected);
    if (shown.differences) this.drawDifferences();
    if (this.acting && shown.target) this.box(this.acting.target, "target");
    this.drawComments();
    this.drawNodes();
    if (this.acting && shown.touch) this.drawAction();
  }

  drawNodes() {
    if (this.side !== session.side || !this.nodes) return;
    const [hovered, selected] = [this.nodes[session.hoveredNode], this.nodes[session.node]];
    if (hovered && hovered !== selected) this.box(hovered.bounds, "hover", nodeTitle(hovered));
    if (selected) this.box(selected.bounds, "selected", nodeTitle(selected));
  }

  drawDifferences() {
    const difference = this.side === REFERENCE ? screenDifference(session.slot, session.side)
      : screenDifference(session.slot, this.side);
    if (!difference || !difference.tree) return;
    for (const node of this.side === REFERENCE ? difference.tree.removed : difference.tree.added) {
      this.box(node.bounds, this.side === REFERENCE ? "removed" : "added");
    }
    if (this.side !== REFERENCE) for (const node of difference.tree.changed) this.box(node.bounds, "changed");
  }

  drawComments() {
    const step = slots[session.slot][this.side];
    for (const comment of sides[this.side].comments) {
      if (comment.step === step && comment.bounds) this.box(comment.bounds, "comment", comment.who);
    }
  }

  drawAction() {
    const [own, run] = [this.acting, sides[this.side].run];
    const reference = this.side === REFERENCE ? null : stepAt(session.slot, REFERENCE);
    const other = reference && reference.point && session.overlays.golden ? this.scaled(reference) : null;
    if (own.path) this.arrow(own.path.map(([x, y]) => this.at(x, y)), run ? "agent" : "person");
    if (own.meant) this.mark(this.at(...own.meant), "next");
    if (other) this.mark(other, "golden");
    if (!own.point) return;
    const point = this.at(...own.point);
    if (other) this.distance(other, point, own);
    this.mark(point, run ? "agent" : "person");
  }

  /** The reference's point on this screen, which may have another size. */
  scaled(reference) {
    const [own, theirs] = [screenSize(this.step), screenSize(reference)];
    return this.at((reference.point[0] * own[0]) / theirs[0], (reference.point[1] * own[1]) / theirs[1]);
  }

  at(x, y) {
    return [x * this.scale, y * this.scale];
  }

  box(bounds, kind, tag = "") {
    if (!bounds) return;
    const [left, top] = this.at(bounds[0], bounds[1]);
    const [right, bottom] = this.at(bounds[2], bounds[3]);
    if (right <= left || bottom <= top) return;
    this.overlay.append(svg("rect", {
      class: `box ${kind}`, x: left.toFixed(1), y: top.toFixed(1),
      width: (right - left).toFixed(1), height: (bottom - top).toFixed(1),
    }));
    if (tag) this.tag(tag, left, top, kind);
  }

  tag(text, left, top, kind) {
    const words_ = text.length > 34 ? `${text.slice(0, 33)}…` : text;
    const wide = Math.min(this.screen.clientWidth, 8 + textWidth(words_));
    const x = Math.max(0, Math.min(left, this.screen.clientWidth - wide));
    const y = top >= 18 ? top - 18 : top;
    const group = svg("g", { class: `tag ${kind}` });
    group.append(svg("rect", { x, y, width: wide, height: 18 }), svg("text", { x: x + 4, y: y + 13 }, words_));
    this.overlay.append(group);
  }

  mark([x, y], kind) {
    for (const part of ["halo", "line"]) {
      const group = svg("g", { class: `mark ${kind} ${part}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
      if (kind === "agent") group.append(svg("path", { d: "M-6-6L6 6M6-6L-6 6" }));
      else if (kind === "next") group.append(svg("path", { d: "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0M4.5 0H13M-4.5 0H-13M0 4.5V13M0-4.5V-13" }));
      else group.append(svg("circle", { r: 11 }));
      if (kind === "person" && part === "line") group.append(svg("circle", { class: "dot", r: 3.5 }));
      this.overlay.append(group);
    }
  }

  arrow(points, kind) {
    const [from, to] = [points[points.length - 2] || points[0], points[points.length - 1]];
    const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
    const head = [0.5, -0.5].map((turn) =>
      `M${to[0]} ${to[1]}L${to[0] - 9 * Math.cos(angle + turn)} ${to[1] - 9 * Math.sin(angle + turn)}`);
    const line = `M${points.map((point) => point.join(" ")).join("L")}${head.join("")}`;
    for (const part of ["halo", "line"]) this.overlay.append(svg("path", { class: `mark ${kind} ${part}`, d: line }));
  }

  distance(other, point, own) {
    if (Math.hypot(point[0] - other[0], point[1] - other[1]) <= FAR_APART) return;
    const pixels = Math.round(Math.hypot(point[0] - other[0], point[1] - other[1]) / this.scale);
    this.overlay.append(svg("path", { class: "distance", d: `M${other.join(" ")}L${point.join(" ")}` }));
    const text = `${pixels} px`;
    const wide = 8 + textWidth(text);
    const x = Math.min(this.screen.clientWidth - wide, Math.max(0, Math.max(point[0], other[0]) + 16));
    const y = Math.max(0, (point[1] + other[1]) / 2 - 9);
    const group = svg("g", { class: "tag distance-tag" });
    group.append(svg("rect", { x, y, width: wide, height: 18, rx: 3 }), svg("text", { x: x + 4, y: y + 13 }, text));
    this.overlay.append(group);
    this.apart = own.point ? pixels : null;
  }

  /** Select the smallest node under the pointer, or light it. */
  pick(event, isClick) {
    if (isClick) selectSide(this.side);
    if (!this.nodes || !this.step) return;
    const box = this.screen.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / this.scale, (event.clientY - box.top) / this.scale];
    const order = nodeAt(this.nodes, x, y);
    if (isClick) change({ node: order, hoveredNode: null, tab: order === null ? session.tab : "tree" });
    else if (session.tab === "tree" && this.side === session.side) change({ hoveredNode: order });
  }

  leave() {
    if (this.side === session.side) change({ hoveredNode: null });
  }
}

/** The place of the smallest node at a point, the later of equal ones; null outside all. */
function nodeAt(nodes, x, y) {
  let [best, least] = [null, Infinity];
  for (const { order, bounds } of nodes) {
    if (!bounds || x < bounds[0] || y < bounds[1] || x >= bounds[2] || y >= bounds[3]) continue;
    const area = (bounds[2] - bounds[0]) * (bounds[3] - bounds[1]);
    if (area <= least) [best, least] = [order, area];
  }
  return best;
}

/** About how wide a tag's text is: Chinese characters are wider than letters. */
function textWidth(text) {
  return [...text].reduce((wide, letter) => wide + (letter.codePointAt(0) > 0x2e7f ? 11.5 : 6.4), 0);
}

function nodeTitle(node) {
  const type = node.type.slice(node.type.lastIndexOf(".") + 1);
  if (!node.bounds) return type;
  return `${type}  ${node.bounds[2] - node.bounds[0]} × ${node.bounds[3] - node.bounds[1]}`;
}
