// The columns: a head, the screen, and what was done, for each trajectory in sight.
class Column {
  constructor(side) {
    this.side = side;
    this.stage = new Stage(side);
    this.facts = el("div", { class: "facts" });
    const { letter, name, about, outcome, outcomeText } = sides[side];
    this.element = el("section", {
      class: "column", "aria-label": `${letter} ${name}`, onclick: () => selectSide(side),
    },
    el("header", { class: "column-head" },
      el("span", { class: "letter" }, letter),
      el("h2", {}, name), data(about, "about"),
      verdictBadge(outcome, outcome ? outcomeText : words.notJudged)),
    el("div", { class: "column-body" }, this.stage.element, this.facts));
  }

  draw() {
    const step = stepAt(session.slot, this.side);
    const number = slots[session.slot][this.side];
    const after = step ? sides[this.side].steps[number + 1] || null : null;
    const shown = session.phase === "after" && step ? after || step : step;
    this.stage.show(step, session.phase === "action", shown);
    this.element.classList.toggle("selected", this.side === session.side);
    this.facts.replaceChildren(phaseSwitch(), ...(step ? this.stepFacts(step, number) : this.gapFacts()));
  }

  stepFacts(step, number) {
    const facts = [
      fact(words.action, el("p", { class: "caption" }, icon(actionIcon(step)), data(step.caption)),
        step.detail ? data(step.detail, "detail", "p") : null,
        el("p", { class: "detail" }, `${words.step} ${number + 1} · ${timeText(step.time)}`),
        this.distanceFact(step)),
    ];
    for (const name of ["thought", "reply", "intention", "note", "problem"]) {
      if (step[name]) facts.push(fact(words[name], data(step[name], "prose", "p")));
    }
    if (step.redacted) facts.push(el("p", { class: "badge info" }, icon("redact"), words.redacted));
    const states = stateRows(this.side, number);
    if (states.length) facts.push(fact(words.states, ...states));
    facts.push(fact(words.app, data([step.app, step.activity].filter(Boolean).join(" / ") || "-", "detail", "p")));
    return facts;
  }

  distanceFact(step) {
    const reference = this.side === REFERENCE ? null : stepAt(session.slot, REFERENCE);
    if (!reference || !reference.point || !step.point) return null;
    const [own, theirs] = [screenSize(step), screenSize(reference)];
    const away = Math.hypot(step.point[0] - (reference.point[0] * own[0]) / theirs[0],
      step.point[1] - (reference.point[1] * own[1]) / theirs[1]);
    return el("p", { class: "detail" }, `${Math.round(away)} ${words.fromReference}`);
  }

  gapFacts() {
    const reasons = differencesAt(session.slot, this.side).map((each) => data(each.reason, "prose", "p"));
    return [fact(words.gap, el("p", { class: "prose" }, words.gapWhy), ...reasons)];
  }
}

function phaseSwitch() {
  return segmented(words.action, { before: words.before, action: words.action, after: words.after },
    session.phase, (phase) => change({ phase }));
}

function fact(title, ...children) {
  return el("div", { class: "fact" }, el("h3", {}, title), ...children);
}

/** The essential states of a side: reached by now, to come, or missed. */
function stateRows(side, step) {
  return sides[side].states.map((state) => {
    const isToCome = state.reached && state.step !== null && state.step > step;
    return el("p", { class: "state-row" }, icon(isToCome ? "state-todo" : stateIcon(state)), data(state.sentence));
  });
}

const columns = sides.map((_side, side) => new Column(side));
const columnsElement = el("main", { class: "columns", "aria-label": words.columns });

function drawColumns() {
  const shown = shownSides();
  columnsElement.style.setProperty("--columns", String(shown.length));
  const wanted = shown.map((side) => columns[side].element);
  if (wanted.length !== columnsElement.children.length || wanted.some((each, at) => each !== columnsElement.children[at])) {
    columnsElement.replaceChildren(...wanted);
  }
  for (const side of shown) columns[side].draw();
}

function drawOverlays() {
  for (const side of shownSides()) columns[side].stage.draw();
}

follow(["slot", "side", "phase", "columns"], drawColumns);
follow(["node", "hoveredNode", "overlays", "tab", "compared"], drawOverlays);
