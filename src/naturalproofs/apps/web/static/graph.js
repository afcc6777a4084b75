// The drawing of a neighbourhood, with pan and zoom; lines of what is pointed at stand out.
"use strict";

const stage = document.querySelector(".stage");
const graph = stage && drawing(JSON.parse(document.getElementById("around-data").textContent));

function shape(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Every box is a link, with its name and its title on two lines.
function drawing({centre, boxes, links}) {
  const size = {w: 184, h: 66}, margin = 14, pen = document.createElement("canvas").getContext("2d");
  pen.font = `12.5px ${getComputedStyle(stage).fontFamily}`;
  const laid = layoutGraph(boxes.map(() => size), links, {gapY: 48, widest: 8 * 204});
  const fits = (text) => pen.measureText(text).width <= size.w - 22;
  const cut = (text) => {
    if (fits(text)) return text;
    let end = text.length;
    while (end && !fits(`${text.slice(0, end)}…`)) end--;
    return `${text.slice(0, end).trimEnd()}…`;
  };
  const wrapped = (text) => {
    const words = text.split(" ");
    let first = words.shift();
    while (words.length && fits(`${first} ${words[0]}`)) first += ` ${words.shift()}`;
    return [cut(first), cut(words.join(" "))].filter(Boolean);
  };
  const bands = laid.bands.map(({y, h}) => shape("rect", {class: "band", x: -8, y: y - 8, width: laid.w + 16, height: h + 16, rx: 10}));
  const lines = laid.lines.map((line, number) => shape("path", {
    d: svgPath(line), class: links[number][2] ? "proof" : "own", "data-from": links[number][0], "data-to": links[number][1],
    [line.up ? "marker-start" : "marker-end"]: "url(#tip)",
  }));
  const cards = boxes.map(({url, kind, name, title}, number) => {
    const [x, y] = laid.corners[number], middle = x + size.w / 2, text = (at, look, what) => shape("text", {x: middle, y: y + at, class: look}, what);
    return shape("a", {href: url, class: `box ${kind}${number === centre ? " centre" : ""}`, "data-id": number, "aria-label": `${name}: ${title}`,
      ...(number === centre ? {"aria-current": "page"} : {})},
      shape("title", {}, `${name}: ${title}`), shape("rect", {x, y, width: size.w, height: size.h, rx: kind === "k0" ? 5 : 18}),
      text(19, "name", cut(name)), ...wrapped(title).map((line, row) => text(37 + 16 * row, "what", line)));
  });
  const tip = shape("marker", {id: "tip", viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse"}, shape("path", {d: "M0 0L8 4L0 8z"}));
  const made = shape("svg", {id: "graph", class: "graph", role: "group", "aria-label": stage.dataset.name,
    viewBox: `${-margin} ${-margin} ${laid.w + 2 * margin} ${laid.h + 2 * margin}`},
    shape("defs", {}, tip), shape("g", {}, ...bands), shape("g", {class: "lines"}, ...lines), shape("g", {}, ...cards));
  stage.append(made);
  return made;
}

if (graph) {
  const whole = graph.viewBox.baseVal;
  const all = {x: whole.x, y: whole.y, width: whole.width, height: whole.height};
  const tools = document.querySelector(".zoom");
  let view = {...all};
  stage.classList.add("live");
  tools.hidden = false;

  const scale = () => Math.max(view.width / stage.clientWidth, view.height / stage.clientHeight);

  function show() {
    graph.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    stage.dataset.zoom = (all.width / view.width).toFixed(3);
  }

  function zoom(factor, x = view.x + view.width / 2, y = view.y + view.height / 2) {
    const wide = Math.min(Math.max(view.width * factor, 120), all.width * 4);
    const real = wide / view.width;
    view = {x: x - (x - view.x) * real, y: y - (y - view.y) * real, width: wide, height: view.height * real};
    show();
  }

  // As near to what is wished as the drawing reaches; in its middle if there is room for all of it.
  function within(wish, start, length, room) {
    return length <= room ? start - (room - length) / 2 : Math.min(Math.max(wish, start), start + length - room);
  }

  // Large drawings open around the statement itself, at a size that can be read.
  function begin() {
    view = {...all};
    const wide = stage.clientWidth * 1.05;
    const own = graph.querySelector(".centre rect");
    if (own && scale() > 1.2) {
      const tall = stage.clientHeight * 1.05;
      const x = own.x.baseVal.value + own.width.baseVal.value / 2;
      const y = own.y.baseVal.value + own.height.baseVal.value / 2;
      view = {x: within(x - wide / 2, all.x, all.width, wide), y: within(y - tall / 2, all.y, all.height, tall), width: wide, height: tall};
    }
    show();
  }

  function place(event) {
    const box = stage.getBoundingClientRect();
    const unit = scale();
    return {
      x: view.x + view.width / 2 + (event.clientX - box.x - box.width / 2) * unit,
      y: view.y + view.height / 2 + (event.clientY - box.y - box.height / 2) * unit,
    };
  }

  stage.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const at = place(event);
    zoom(Math.exp(event.deltaY * 0.002), at.x, at.y);
  }, {passive: false});

  let grip = null;
  let moved = false;
  stage.addEventListener("pointerdown", (event) => {
    if (event.button === 0) { grip = place(event); moved = false; }
  });
  stage.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const now = place(event);
    if (!moved && Math.hypot(now.x - grip.x, now.y - grip.y) < 5 * scale()) return;
    if (!moved) { moved = true; stage.setPointerCapture(event.pointerId); stage.classList.add("moving"); }
    view = {...view, x: view.x - (now.x - grip.x), y: view.y - (now.y - grip.y)};
    show();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    stage.addEventListener(end, () => {
      grip = null;
      stage.classList.remove("moving");
      setTimeout(() => { moved = false; });
    });
  }
  // A drag that ends on a statement does not open it.
  stage.addEventListener("click", (event) => { if (moved) event.preventDefault(); }, true);
  stage.addEventListener("dragstart", (event) => event.preventDefault());

  stage.addEventListener("keydown", (event) => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (step) view = {...view, x: view.x + step[0] * view.width / 8, y: view.y + step[1] * view.height / 8};
    else if (event.key === "+" || event.key === "=") zoom(0.8);
    else if (event.key === "-") zoom(1.25);
    else if (event.key === "0") view = {...all};
    else return;
    event.preventDefault();
    show();
  });
  tools.addEventListener("click", (event) => {
    const way = event.target.dataset.zoom;
    if (way === "in") zoom(0.75);
    else if (way === "out") zoom(1.33);
    else if (way === "fit") { view = {...all}; show(); }
  });

  function light(event, on) {
    const id = event.target.closest?.(".box")?.dataset.id;
    if (!id) return;
    for (const line of graph.querySelectorAll(".lines path")) {
      if (line.dataset.from === id || line.dataset.to === id) line.classList.toggle("lit", on);
    }
  }
  for (const [name, on] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
    // On the stage: a drawing that listens to focus would become a stop of the Tab key itself.
    stage.addEventListener(name, (event) => light(event, on));
  }
  begin();
}
