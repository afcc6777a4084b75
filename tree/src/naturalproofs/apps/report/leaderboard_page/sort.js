"use strict";
// Sort a table by the column whose heading is chosen; numbers from the greatest, names from the first.
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.firstElementChild.addEventListener("click", () => {
    const body = table.tBodies[0];
    const value = (row) => row.cells[column].dataset.sort;
    const rows = [...body.rows];
    const numeric = rows.every((row) => value(row) !== "" && !Number.isNaN(Number(value(row))));
    const first = numeric ? "descending" : "ascending";
    const other = numeric ? "ascending" : "descending";
    const order = head.getAttribute("aria-sort") === first ? other : first;
    const sign = order === "ascending" ? 1 : -1;
    rows.sort((a, b) => sign * (numeric ? value(a) - value(b) : value(a).localeCompare(value(b))));
    body.append(...rows);
    for (const each of heads) each.setAttribute("aria-sort", each === head ? order : "none");
  }));
}
