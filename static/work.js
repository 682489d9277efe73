// Keys, the state of saving, and what a lost connection or session means on an annotator's page.
"use strict";

const REST = 300; // ms after a swap in which a second press still means the item before

const say = text => { document.getElementById("state").textContent = text; };
const isTyping = element =>
  element.closest("input:not([type=hidden], [type=radio], [type=checkbox]), textarea, select, [contenteditable]");
const hasOwnEnter = element => element.closest("a, button, summary");
const control = key => document.querySelector(`[data-key="${CSS.escape(key)}"]`);

document.addEventListener("keydown", event => {
  if (event.key === "Escape") return leaveBox();
  if (event.key === "Enter" && event.ctrlKey) return control("Enter")?.click();
  if (isTyping(event.target)) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.key === "Enter" && hasOwnEnter(event.target)) return;
  const pressed = control(event.key);
  if (!pressed) return;
  event.preventDefault();
  if (isTyping(pressed)) pressed.focus();
  else pressed.click();
  pressed.closest(".foot details[open]")?.scrollIntoView({ block: "nearest" });
});

function leaveBox() {
  // The box in hand, or the first open one. What has been written on a question stays in sight.
  const box = document.activeElement.closest("#work details[open]") ?? document.querySelector("#work details[open]");
  if (!box) return;
  const question = box.closest("fieldset");
  box.open = Boolean(question && box.querySelector("textarea").value);
  (question?.querySelector("input:checked, input") ?? box.querySelector("summary")).focus();
}

document.addEventListener("click", event => {
  // A box that its key or a click opens takes the focus; one that came open does not.
  const box = event.target.closest("#work summary")?.parentElement;
  if (!box || box.open) return;
  event.preventDefault();
  box.open = true;
  box.querySelector("textarea").focus();
});

document.addEventListener("change", event => {
  // None and uncertain are answers of their own: they exclude the replies, and these them.
  const others = event.target.closest("[data-many]")?.querySelectorAll("input") ?? [];
  if (!event.target.checked) return;
  for (const other of others)
    if (other !== event.target && ("alone" in event.target.dataset || "alone" in other.dataset))
      other.checked = false;
});

document.addEventListener("click", event => {
  if (!event.target.closest("#work[data-resting] :is(button, [role=button])")) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

function rest() {
  // What is swapped in comes resting, so that no press meets it before htmx does.
  const { dataset } = document.getElementById("work");
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
