// Find words in the text that is judged: mark them, count them, go from one to the next.
"use strict";

const field = () => document.getElementById("find");
const marks = () => [...document.querySelectorAll("#message mark")];

function pattern(words) {
  // Words may stand on two lines, and in any case.
  const escaped = words.trim().split(/\s+/).map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return new RegExp(escaped.join("\\s+"), "giu");
}

function* parts(text, words) {
  let end = 0;
  for (const hit of words.trim() ? text.matchAll(pattern(words)) : []) {
    yield text.slice(end, hit.index);
    yield Object.assign(document.createElement("mark"), { textContent: hit[0] });
    end = hit.index + hit[0].length;
  }
  yield text.slice(end);
}

function find(words) {
  const message = document.getElementById("message");
  message.replaceChildren(...parts(message.textContent, words));
  const count = marks().length;
  document.getElementById("found").textContent = words.trim() ? (count ? `${count} found` : "not found") : "";
}

function goOn() {
  const all = marks();
  if (!all.length) return;
  const current = all.findIndex(mark => "current" in mark.dataset);
  const next = (current + 1) % all.length;
  delete all[current]?.dataset.current;
  all[next].dataset.current = "";
  all[next].scrollIntoView({ block: "center" });
  document.getElementById("found").textContent = `${next + 1} of ${all.length} found`;
}

document.addEventListener("input", event => {
  if (event.target === field()) find(event.target.value);
});

document.addEventListener("keydown", event => {
  if (event.target !== field()) return;
  if (event.key === "Enter") goOn();
  if (event.key !== "Escape") return;
  event.target.value = "";
  find("");
  document.getElementById("item").focus({ preventScroll: true });
});
