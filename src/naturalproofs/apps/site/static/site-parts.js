// Loads parts of the index of a written site. They are scripts, which also works for pages opened as files.
"use strict";

const parts = new Map(), loaded = new Map();
let atOnce = 0; // Statements that one part shows.
function naturalproofsPart(kind, number, data) { parts.get(`${kind}-${number}`)?.(data); }
function part(kind, number) {
  const name = `${kind}-${number}`;
  if (!loaded.has(name)) {
    loaded.set(name, new Promise((resolve, reject) => {
      const script = document.createElement("script");
      parts.set(name, resolve);
      script.src = `search/${name}.js`;
      script.onerror = () => reject(new Error(`${script.src} cannot be loaded`));
      document.head.append(script);
    }));
  }
  return loaded.get(name);
}
// A statement by its position: page, kind, name, summary, chapter.
async function statementAt(at) { return (await part("statements", Math.floor(at / atOnce)))[at % atOnce]; }
// A link to a statement; the summary was written and escaped by the program that made the site.
function statementLink([page, , name, summary]) {
  const link = document.createElement("a"), bold = document.createElement("b");
  link.href = `tag/${page}.html`;
  bold.textContent = name;
  link.append(bold, " ");
  link.insertAdjacentHTML("beforeend", `<span class="gist">${summary}</span>`);
  return link;
}
