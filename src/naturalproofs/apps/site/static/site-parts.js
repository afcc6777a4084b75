// Statements of a written site, whose parts are loaded when they are needed.
"use strict";

let atOnce = 0; // Statements that one part shows.
// A statement by its position: page, kind, name, summary, chapter.
async function statementAt(at) { return (await part("statements", Math.floor(at / atOnce)))[at % atOnce]; }
// A link to a statement; the summary was written and escaped by the program that made the site.
function statementLink([page, , name, summary]) {
  const link = make("a", {href: `tag/${page}.html`}, make("b", {}, name), " ");
  link.insertAdjacentHTML("beforeend", `<span class="gist">${summary}</span>`);
  return link;
}
