// Keys, the state of saving, and what a lost connection or session means on the annotator's page.
"use strict";

const REST = 300; // ms after a swap in which a second press still means the item before

const say = text => { document.getElementById("state").textContent = text; };
const isTyping = element => element.closest("input:not([type=hidden]), textarea, select, [contenteditable]");
const control = key => document.querySelector(`[data-key="${CSS.escape(key)}"]`);

document.addEventListener("keydown", event => {
  if (event.key === "Escape") return leaveBox();
  if (isTyping(event.target)) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  const pressed = control(event.key);
  if (!pressed) return;
  event.preventDefault();
  pressed.click();
});

function leaveBox() {
  // Wherever the focus is: a box that has just opened may not have taken it yet.
  const box = document.querySelector("#work details[open]");
  if (!box) return;
  box.open = false;
  box.querySelector("summary").focus();
}

document.addEventListener("toggle", event => {
  if (event.target.open) event.target.querySelector("textarea")?.focus();
}, true);

document.addEventListener("click", event => {
  if (!event.target.closest("#work[data-resting] button")) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

function rest() {
  const { dataset } = document.getElementById("work");
  dataset.resting = "";
  setTimeout(() => delete dataset.resting, REST);
}

function showLocalTimes() {
  for (const time of document.querySelectorAll("#state time"))
    time.textContent = new Date(time.dateTime).toLocaleTimeString([], { hour12: false });
}

document.addEventListener("htmx:config:request", event => {
  // A sign-in in another window renews the token of the cookie, not those of this page.
  const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  const { body, headers } = event.detail.ctx.request;
  body.delete("csrfmiddlewaretoken");
  if (cookie) headers["X-CSRFToken"] = cookie[1];
});
document.addEventListener("htmx:before:request", () => say("saving…"));
document.addEventListener("htmx:before:swap", event => {
  const response = event.detail.ctx.response.raw;
  if (response.redirected) location.assign(response.url);
  else if (response.status >= 400 && response.status !== 409)
    say(`not saved: the server answered with error ${response.status}. Choose again, or reload the page.`);
  else return;
  event.preventDefault();
});
document.addEventListener("htmx:after:swap", () => { rest(); showLocalTimes(); });
document.addEventListener("htmx:error", () => say("not saved: no connection. Choose again when it is back."));
window.addEventListener("offline", () => say("offline"));
window.addEventListener("online", () => say("online again"));
document.addEventListener("DOMContentLoaded", showLocalTimes);
