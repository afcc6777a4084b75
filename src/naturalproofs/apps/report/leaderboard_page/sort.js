"use strict";
// Sort a table by the column whose heading is chosen; numbers from the greatest, names from the first.
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", button.textContent === "mAP" ? "descending" : "none");
    button.addEventListener("click", () => {
      const body = table.tBodies[0];
      const text = (row) => row.cells[column].textContent;
      const number = (row) => (text(row) === "–" ? -1 : parseFloat(text(row)));
      const rows = [...body.rows];
      const numeric = rows.every((row) => !Number.isNaN(number(row)));
      const first = numeric ? "descending" : "ascending";
      const other = numeric ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      const direction = order === "ascending" ? 1 : -1;
      rows.sort((a, b) => direction * (numeric ? number(a) - number(b) : text(a).localeCompare(text(b))));
      body.append(...rows);
      for (const each of heads) each.setAttribute("aria-sort", each === head ? order : "none");
    });
  });
}
