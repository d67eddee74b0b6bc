// The panel at the right: verdicts, differences, the tree, and comments of the selected side.
const TABS = { verdicts: words.verdicts, differences: words.differences, tree: words.tree, comments: words.comments,
  trace: words.trace };
const JUDGE_ICONS = { rule: "rules", model: "cpu", person: "user" };

const tabList = el("div", { class: "tabs", role: "tablist", "aria-label": words.details });
const panelBody = el("div", { class: "panel-body", role: "tabpanel", tabindex: "-1", id: "panel-body" });
const panelElement = el("aside", { class: "panel", "aria-label": words.details }, tabList, panelBody);

const tabButtons = Object.entries(TABS).map(([tab, title]) => el("button", {
  type: "button", role: "tab", id: `tab-${tab}`, "aria-controls": "panel-body", onclick: () => change({ tab }),
  onkeydown: (event) => tabKey(event), onmousedown: (event) => event.preventDefault(),
}, title));
tabList.append(...tabButtons);

function tabKey(event) {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!way) return;
  const names = Object.keys(TABS);
  const next = (names.indexOf(session.tab) + way + names.length) % names.length;
  change({ tab: names[next] });
  tabButtons[next].focus();
  event.preventDefault();
  event.stopPropagation();
}

function drawPanel() {
  const names = Object.keys(TABS);
  tabButtons.forEach((each, at) => {
    const chosen = names[at] === session.tab;
    each.setAttribute("aria-selected", String(chosen));
    each.tabIndex = chosen ? 0 : -1;
  });
  const count = sides[session.side].comments.length;
  tabButtons[3].replaceChildren(words.comments, count ? el("span", { class: "count" }, String(count)) : "");
  panelBody.setAttribute("aria-labelledby", `tab-${session.tab}`);
  if (session.tab === "tree") {
    panelBody.replaceChildren(sideHead(), treePanel.element);
    treePanel.draw();
    return;
  }
  const content = { verdicts: verdictPanel, differences: differencePanel, comments: commentPanel, trace: tracePanel }[session.tab];
  panelBody.replaceChildren(sideHead(), ...content());
}

function sideHead() {
  const side = sides[session.side];
  return el("header", { class: "side-head" }, el("span", { class: "letter" }, side.letter), el("strong", {}, side.name),
    data(side.id, "about"));
}

function verdictPanel() {
  const side = sides[session.side];
  const judges = side.verdicts.map((each) => el("div", { class: "verdict-row" },
    icon(verdictIcon(each.verdict)),
    el("div", {}, el("p", {}, data(each.judge, "", "strong"), " ", icon(JUDGE_ICONS[each.kind] || "user"), " ", data(each.text),
      each.confidence === null ? "" : ` ${each.confidence.toFixed(2)}`,
      each.settles ? el("span", { class: "badge info" }, words.settled) : ""),
    each.reason ? data(each.reason, "prose", "p") : null)));
  const marks = side.tags.map((tag) => el("span", { class: "badge" }, data(tag)));
  if (side.review) marks.unshift(el("span", { class: "badge info" }, side.review));
  const parts = marks.length ? [el("p", { class: "marks" }, ...marks)] : [];
  if (side.hidden) judges.unshift(el("p", { class: "empty" }, side.hidden));
  parts.push(section(words.verdicts, "", ...(judges.length ? judges : [el("p", { class: "empty" }, words.notJudged)])));
  if (side.reason && !side.verdicts.some((each) => each.reason === side.reason)) {
    parts[parts.length - 1].append(data(side.reason, "prose padded", "p"));
  }
  parts.push(section(words.states, "", ...(side.states.length ? side.states.map(stateRow)
    : [el("p", { class: "empty" }, words.noStates)])));
  const back = review.recoveries.filter((each) => each.side === session.side);
  if (back.length) parts.push(section(words.recovery, "", ...back.map((each) => data(each.reason, "prose padded", "p"))));
  if (side.problems.length) parts.push(section(words.problems, "", ...side.problems.map((each) => data(each, "prose padded", "p"))));
  return parts;
}

function stateRow(state) {
  const word = state.reached ? words.reached : state.reached === false ? words.missed : words.disputed;
  const said = state.judges.map((each) => `${each.judge}: ${each.text}${each.step === null ? "" : ` (${each.step + 1})`}`);
  const row = el("button", { type: "button", class: "state-line", title: said.join("\n"), onclick: () => {
    if (state.step !== null) goTo(slotOf(session.side, state.step));
  } }, icon(stateIcon(state)), el("span", {}, data(state.sentence), el("span", { class: "about" }, ` ${word}`)),
  state.step === null ? null : el("span", { class: "place" }, String(state.step + 1)));
  return row;
}

function commentPanel() {
  const comments = sides[session.side].comments;
  if (!comments.length) return [el("p", { class: "empty" }, words.noComments)];
  return comments.map((comment) => el("article", { class: "comment" },
    el("header", {}, icon("user"), data(comment.who, "", "strong"),
      comment.step === null ? el("span", { class: "about" }, words.onTrajectory)
        : el("button", { type: "button", class: "link", onclick: () => goTo(slotOf(session.side, comment.step)) },
          `${words.step} ${comment.step + 1}${comment.node ? `, ${comment.node}` : ""}`)),
    data(comment.text, "prose", "p")));
}

follow(["side", "tab"], drawPanel);
follow(["slot", "phase", "picture", "compared"], () => {
  if (session.tab === "differences" || session.tab === "tree") drawPanel();
});
follow(["node"], () => session.tab === "tree" && treePanel.reveal());
