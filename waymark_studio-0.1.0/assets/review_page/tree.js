// The tree of the selected column's screen: expand, search, and select a node here or on the screen.
const ROW = 24;

class TreePanel {
  constructor() {
    this.nodes = null;
    this.collapsed = new Set();
    this.rows = [];
    this.number = null;
    this.search = el("input", {
      type: "search", class: "field", placeholder: words.searchTree, "aria-label": words.searchTree,
      spellcheck: "false", autocomplete: "off", oninput: () => this.layOut(),
      onkeydown: (event) => this.searchKey(event),
    });
    this.space = el("div", { class: "tree-space" });
    this.list = el("div", {
      class: "tree-rows", role: "tree", tabindex: "0", "aria-label": words.tree, onkeydown: (event) => this.key(event),
    }, this.space);
    this.list.addEventListener("scroll", () => requestAnimationFrame(() => this.drawRows()), { passive: true });
    this.attributes = el("div", { class: "attributes" });
    this.message = el("p", { class: "empty" }, words.noTree);
    this.element = el("div", { class: "tree-panel" },
      el("div", { class: "tree-tools" }, this.search,
        button(words.expandAll, () => this.setAll(false), { icon: "chevd" }),
        button(words.collapseAll, () => this.setAll(true), { icon: "chevr" })),
      this.message, this.list, this.attributes);
  }

  /** Show the tree of the step at the cursor. */
  async draw() {
    const step = stepAt(session.slot, session.side);
    const shown = session.phase === "after" && step
      ? sides[session.side].steps[slots[session.slot][session.side] + 1] || step : step;
    const number = shown ? shown.tree : undefined;
    if (number === this.number && this.nodes) {
      this.drawRows();
      return;
    }
    this.number = number;
    const nodes = number === undefined ? undefined : await treeOf(number);
    if (this.number !== number) return;
    this.nodes = nodes || null;
    this.message.hidden = Boolean(nodes);
    this.message.textContent = nodes === null ? words.treeUnreadable : words.noTree;
    this.list.hidden = !nodes;
    this.attributes.replaceChildren();
    this.collapsed.clear();
    this.layOut();
  }

  setAll(collapsed) {
    this.collapsed.clear();
    if (collapsed) for (const node of this.nodes || []) if (node.children.length) this.collapsed.add(node.order);
    this.layOut();
  }

  /** Which nodes have a row: those whose parents are expanded, or all that the search finds. */
  layOut() {
    const wanted = this.search.value.trim().toLowerCase();
    const rows = [];
    const hidden = new Set();
    for (const node of this.nodes || []) {
      if (wanted) {
        if (nodeText(node).includes(wanted)) rows.push(node);
      } else if (!hidden.has(node.parent)) {
        rows.push(node);
        if (this.collapsed.has(node.order)) hidden.add(node.order);
      } else {
        hidden.add(node.order);
      }
    }
    this.rows = rows;
    this.isSearch = Boolean(wanted);
    this.space.style.height = `${rows.length * ROW}px`;
    this.drawRows();
  }

  drawRows() {
    const first = Math.max(0, Math.floor(this.list.scrollTop / ROW) - 4);
    const last = Math.min(this.rows.length, first + Math.ceil((this.list.clientHeight || 400) / ROW) + 8);
    this.space.replaceChildren(...this.rows.slice(first, last).map((node, at) => this.row(node, first + at)));
    this.drawAttributes();
  }

  row(node, place) {
    const type = node.type.slice(node.type.lastIndexOf(".") + 1);
    const { "resource-id": id = "", text = "", "content-desc": description = "" } = node.attributes;
    const expanded = node.children.length && !this.isSearch ? String(!this.collapsed.has(node.order)) : null;
    const row = el("div", {
      class: `tree-row${node.order === session.node ? " selected" : ""}`, role: "treeitem", id: `node-${node.order}`,
      "aria-level": node.depth + 1, "aria-expanded": expanded, "aria-selected": String(node.order === session.node),
      onclick: () => change({ node: node.order }), ondblclick: () => this.toggle(node),
      onmouseenter: () => change({ hoveredNode: node.order }), onmouseleave: () => change({ hoveredNode: null }),
    });
    row.style.top = `${place * ROW}px`;
    row.style.paddingLeft = `${8 + (this.isSearch ? 0 : Math.min(node.depth, 20) * 10)}px`;
    const twist = el("span", { class: `twist${expanded === "true" ? " open" : ""}`, onclick: (event) => {
      event.stopPropagation();
      this.toggle(node);
    } });
    if (expanded !== null) twist.append(icon("chevr"));
    row.append(twist, data(type, "type"));
    if (id) row.append(data(`#${id.slice(id.lastIndexOf("/") + 1)}`, "node-id"));
    if (text || description) row.append(data(text || description, "node-text"));
    return row;
  }

  toggle(node) {
    if (!node.children.length || this.isSearch) return;
    if (!this.collapsed.delete(node.order)) this.collapsed.add(node.order);
    this.layOut();
  }

  drawAttributes() {
    const node = this.nodes ? this.nodes[session.node] : null;
    this.attributes.hidden = !node;
    if (!node) return;
    const rows = [["class", node.type], ["bounds", node.bounds ? `[${node.bounds.join(", ")}]` : "-"],
      ...Object.entries(node.attributes)];
    this.attributes.replaceChildren(el("table", {}, el("caption", {}, words.attributes),
      ...rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, data(name)), el("td", {}, data(value))))));
  }

  /** Bring the selected node into sight, its parents expanded. */
  reveal() {
    const node = this.nodes ? this.nodes[session.node] : null;
    if (!node) {
      this.drawRows();
      return;
    }
    if (!this.rows.includes(node)) {
      this.search.value = "";
      for (let at = node.parent; at >= 0; at = this.nodes[at].parent) this.collapsed.delete(at);
      this.layOut();
    }
    const top = this.rows.indexOf(node) * ROW;
    const tall = this.list.clientHeight;
    if (top < this.list.scrollTop || top + ROW > this.list.scrollTop + tall) this.list.scrollTop = Math.max(0, top - tall / 2);
    this.list.setAttribute("aria-activedescendant", `node-${node.order}`);
    this.drawRows();
  }

  key(event) {
    const at = this.rows.findIndex((node) => node.order === session.node);
    const node = this.rows[at];
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12, Home: -at, End: this.rows.length };
    if (event.key in steps) {
      const next = this.rows[Math.max(0, Math.min(this.rows.length - 1, at + steps[event.key]))];
      if (next) change({ node: next.order });
    } else if (event.key === "ArrowRight" && node) {
      if (this.collapsed.has(node.order)) this.toggle(node);
      else if (node.children.length) change({ node: node.children[0] });
    } else if (event.key === "ArrowLeft" && node) {
      if (node.children.length && !this.collapsed.has(node.order)) this.toggle(node);
      else if (node.parent >= 0) change({ node: node.parent });
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  searchKey(event) {
    if (event.key === "Escape") {
      this.search.value = "";
      this.layOut();
      this.search.blur();
    } else if (event.key === "Enter" || event.key === "ArrowDown") {
      if (this.rows.length) change({ node: this.rows[0].order });
      this.list.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

function nodeText(node) {
  const { "resource-id": id = "", text = "", "content-desc": description = "", hint = "" } = node.attributes;
  return `${node.type} ${id} ${text} ${description} ${hint}`.toLowerCase();
}

const treePanel = new TreePanel();
