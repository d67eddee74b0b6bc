// The tab with the whole trace of the selected side: what the model was asked, thought, answered and did.
const TRACE_KINDS = { asked: words.requests, thought: words.thoughts, raw: words.answers, caption: words.actions };
const TRACE_ICONS = { asked: "ext", thought: "thought", raw: "code", caption: "tap" };

function tracePanel() {
  const steps = sides[session.side].steps;
  const known = Object.keys(TRACE_KINDS).filter((kind) => steps.some((step) => step[kind]));
  const checks = known.map((kind) => el("label", { class: "trace-kind" },
    el("input", { type: "checkbox", checked: session.trace[kind] !== "hidden" ? "" : null,
      onchange: (event) => setTrace(kind, event.target.checked ? "folded" : "hidden") }), TRACE_KINDS[kind],
    el("button", { type: "button", class: "link", disabled: session.trace[kind] === "hidden" ? "" : null,
      onclick: () => setTrace(kind, session.trace[kind] === "whole" ? "folded" : "whole") },
    session.trace[kind] === "whole" ? words.fold : words.unfold)));
  const lines = steps.map((step, number) => traceStep(step, number, known)).filter(Boolean);
  return [el("div", { class: "trace-kinds" }, ...checks), ...lines];
}

function setTrace(kind, how) {
  change({ trace: { ...session.trace, [kind]: how } });
}

function traceStep(step, number, known) {
  const said = known.filter((kind) => step[kind] && session.trace[kind] !== "hidden");
  if (!said.length) return null;
  const lines = said.map((kind) => el("details", { class: "trace-line", open: session.trace[kind] === "whole" ? "" : null },
    el("summary", {}, icon(TRACE_ICONS[kind]), data(step[kind].split("\n")[0])), data(step[kind], "prose", "p")));
  return el("section", { class: "trace-step" },
    el("button", { type: "button", class: "link place", onclick: () => goTo(slotOf(session.side, number)) },
      `${words.step} ${number + 1}`), ...lines);
}

follow(["trace"], () => session.tab === "trace" && drawPanel());
