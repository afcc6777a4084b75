// Shows what a reference stands for beside it: on hover, on focus, and on the first tap of a finger.
"use strict";

{
const WAIT = 220, seen = new Map();
let shown = null, timer = 0, touched = null;

// Where pages are served, an address; in a written site, the position in a script, which also works for files.
function previewOf(place) {
  if (!seen.has(place)) {
    const made = place.startsWith("/")
      ? fetch(place).then((answer) => (answer.ok ? answer.text() : ""))
      : previewPart(...place.split(" "));
    seen.set(place, made.catch(() => ""));
  }
  return seen.get(place);
}
async function previewPart(folder, size, at) { return (await part("previews", Math.floor(at / size), folder))[at % size]; }

function hide() {
  clearTimeout(timer);
  shown?.link.removeAttribute("aria-describedby");
  shown?.card.remove();
  shown = null;
}
async function show(link) {
  if (shown?.link === link) return;
  const html = await previewOf(link.dataset.preview);
  if (!html || !link.isConnected || !(link.matches(":hover, :focus") || touched === link)) return;
  hide();
  const card = make("div", {id: "preview-card", className: "preview-card", role: "tooltip", innerHTML: html});
  if (touched === link) card.append(make("a", {href: link.href, className: "button"}, "Open"));
  document.body.append(card);
  const box = link.getClientRects()[0] ?? link.getBoundingClientRect(), width = document.documentElement.clientWidth;
  const left = Math.max(8, Math.min(box.left, width - card.offsetWidth - 8));
  const below = box.bottom + 6, above = box.top - card.offsetHeight - 6;
  const top = below + card.offsetHeight > innerHeight && above > 0 ? above : below;
  card.style.left = `${left + scrollX}px`;
  card.style.top = `${top + scrollY}px`;
  link.setAttribute("aria-describedby", card.id);
  card.addEventListener("pointerleave", later);
  shown = { link, card };
}
const later = () => { clearTimeout(timer); timer = setTimeout(() => shown?.card.matches(":hover") || hide(), WAIT); };
const linkAt = (event) => event.target.closest?.("a[data-preview]");

document.addEventListener("pointerover", (event) => {
  const link = linkAt(event);
  if (!link || event.pointerType === "touch" || link.closest(".preview-card")) return;
  clearTimeout(timer);
  timer = setTimeout(() => show(link), WAIT);
});
document.addEventListener("pointerout", (event) => { if (linkAt(event) && event.pointerType !== "touch") later(); });
document.addEventListener("focusin", (event) => { const link = linkAt(event); if (link?.matches(":focus-visible")) show(link); });
document.addEventListener("focusout", (event) => { if (linkAt(event)) later(); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
document.addEventListener("click", (event) => {
  const link = linkAt(event);
  if (link && event.pointerType === "touch" && shown?.link !== link && !link.closest(".preview-card")) {
    event.preventDefault();
    touched = link;
    show(link);
  } else if (!link && shown && !shown.card.contains(event.target)) { touched = null; hide(); }
});
}
