// The page as a whole: its head, its parts, and the address of a step (`#slot=3&side=C`).
const OVERLAYS = {
  touch: words.overlayTouch, target: words.overlayTarget, golden: words.overlayGolden, nodes: words.overlayNodes,
  differences: words.overlayDifferences,
};

function overlayMenu() {
  const boxes = Object.entries(OVERLAYS).map(([name, title]) => {
    const box = el("input", { type: "checkbox", checked: session.overlays[name], onchange: () =>
      change({ overlays: { ...session.overlays, [name]: box.checked } }) });
    follow(["overlays"], () => {
      box.checked = session.overlays[name];
    });
    return el("label", {}, box, el("span", {}, title));
  });
  return el("details", { class: "menu" }, el("summary", { class: "button" }, icon("layers"), el("span", {}, words.overlays),
    icon("chevd")), el("div", { class: "menu-body" }, ...boxes));
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

const columnChoice = el("div", { class: "column-choice" });

function drawColumnChoice() {
  const counts = Object.fromEntries(sides.map((_side, at) => [at + 1, String(at + 1)]));
  columnChoice.replaceChildren(sides.length > 1
    ? segmented(words.show, counts, session.columns, (count) => change({ columns: Number(count) })) : "");
}

const pageHead = el("header", { class: "page-head" },
  el("h1", {}, data(review.title)), data(review.task, "about"),
  el("span", { class: "space" }), filterCount,
  el("label", { class: "search" }, icon("search"), filterField, el("kbd", {}, "/")),
  columnChoice, overlayMenu(),
  button(words.firstDivergence, goToFirstDivergence, {
    icon: "split", text: true, key: "Home", disabled: review.first === null,
  }),
  button(words.theme, switchTheme, { icon: "moon" }),
  button(words.help, () => helpDialog.showModal(), { icon: "help", key: "?" }));

const status = el("footer", { class: "status-bar" });

function drawStatus() {
  status.replaceChildren(
    el("span", {}, `${words.slot} ${session.slot + 1} / ${slots.length}`),
    el("span", {}, review.about), el("span", {}, review.count), el("span", { class: "space" }),
    el("span", {}, words.madeWith));
  document.getElementById("announcement").textContent = slotSentence();
}

function readAddress() {
  const address = new URLSearchParams(location.hash.slice(1));
  const [slot, letter] = [Number(address.get("slot")), address.get("side")];
  if (Number.isInteger(slot) && slot >= 1) goTo(slot - 1);
  const side = sides.findIndex((each) => each.letter === letter);
  if (side >= 0) selectSide(side);
}

function writeAddress() {
  try {
    history.replaceState(null, "", `#slot=${session.slot + 1}&side=${sides[session.side].letter}`);
  } catch (error) {
    // Some browsers refuse it for files; the page works without.
  }
}

document.title = review.title;
document.getElementById("page").replaceWith(
  el("div", { class: "page" }, pageHead, columnsElement, panelElement, timelineElement, status), helpDialog);
follow(["columns"], drawColumnChoice);
follow(["slot"], drawStatus);
drawColumnChoice();
drawStatus();
drawColumns();
drawPanel();
drawZoom();
drawPlaying();
readAddress();
follow(["slot", "side"], writeAddress);
addEventListener("hashchange", readAddress);
new ResizeObserver(() => drawSlots()).observe(scroller);
unpacked(review.screens).then((found) => {
  screenDifferences = found || {};
  change({ compared: true });
});
