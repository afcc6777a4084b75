// Loads parts of the index of a written site. They are scripts, which also works for pages opened as files.
"use strict";

const parts = new Map();
function naturalproofsPart(kind, number, data) { parts.get(`${kind}-${number}`)?.(data); }
let naturalproofsIndex = null;

function load(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `search/${name}.js`;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${script.src} cannot be loaded`));
    document.head.append(script);
  });
}
const loaded = new Map();
function part(kind, number) {
  const name = `${kind}-${number}`;
  if (!loaded.has(name)) {
    loaded.set(name, new Promise((resolve, reject) => {
      parts.set(name, resolve);
      load(name).catch(reject);
    }));
  }
  return loaded.get(name);
}
// A statement by its position: page, kind, name, summary, chapter.
async function statementAt(at) {
  const size = naturalproofsIndex.atOnce;
  return (await part("statements", Math.floor(at / size)))[at % size];
}
// A link to a statement; the summary was written and escaped by the program that made the site.
function statementLink([page, , name, summary]) {
  const link = document.createElement("a"), bold = document.createElement("b");
  link.href = `tag/${page}.html`;
  bold.textContent = name;
  link.append(bold, " ");
  link.insertAdjacentHTML("beforeend", `<span class="gist">${summary}</span>`);
  return link;
}
