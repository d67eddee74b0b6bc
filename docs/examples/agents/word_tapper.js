// An agent for Waymark in JavaScript: taps the element whose words are most like the task's.
//
// The same agent as word_tapper.py. It reads the elements as `nodes` (option `tree: nodes`), so that it needs no
// parser of XML. Run by Waymark with the agent kind `process`; see docs/guide/agent-protocol.md. Needs Node alone.
"use strict";

const readline = require("node:readline");

const CLOSING = ["not now", "later", "cancel", "deny", "ignore", "continue", "close"];
const wordsOf = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || []);

// Send one message: one JSON object on one line.
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

// Words and middle of each element that can be tapped. `text` is what Android says of the element itself, often
// nothing; `label` is what a person reads on it, also from the texts inside it, as in a row of a list.
function elements(observation) {
  return (observation.nodes || [])
    .filter((node) => node.clickable)
    .map((node) => {
      const [left, top, right, bottom] = node.bounds;
      const [text, label] = [node.text.toLowerCase(), node.label.toLowerCase()];
      return { text, label, x: (left + right) >> 1, y: (top + bottom) >> 1 };
    });
}

// A thought and an action for one screen.
function choose(observation, task) {
  const wanted = wordsOf(task);
  const tapped = new Set(observation.history.map((past) => `${past.action.x},${past.action.y}`));
  const places = elements(observation).filter((place) => !tapped.has(`${place.x},${place.y}`));
  const tap = (place) => ({ kind: "tap", x: place.x, y: place.y });
  const closing = places.find((place) => CLOSING.includes(place.text || place.label));
  if (closing) return [`"${closing.label}" closes something that is in the way`, tap(closing)];
  const score = (place) => [...wordsOf(place.label)].filter((word) => wanted.has(word)).length;
  const best = places.reduce((found, place) => (!found || score(place) > score(found) ? place : found), null);
  if (best && score(best) > 0) return [`"${best.label}" is most like the task`, tap(best)];
  return ["nothing here belongs to the task", { kind: "complete" }];
}

let task = "";
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "ready", protocol: 1, name: "word-tapper" });
  else if (message.type === "episode") task = message.task.instruction;
  else if (message.type === "observation") {
    const [thought, action] = choose(message, task);
    say({ type: "answer", id: message.id, thought, action });
  } else if (message.type === "end") process.exit(0);
});
