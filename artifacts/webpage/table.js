// Tables sort by their headings and are searched by a field, and a link into what is folded unfolds
// it: without this script pages are whole.
"use strict";
const unfold = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  let folded = target && target.closest("details:not([open])");
  for (let d = folded; d; d = d.parentElement.closest("details")) d.open = true;
  if (folded) target.scrollIntoView();
};
addEventListener("hashchange", unfold);
unfold();
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const valueOf = (row, i) => {
    const cell = row.cells[i], text = cell.dataset.v ?? cell.textContent;
    return heads[i].classList.contains("n") ? (text.trim() === "" ? NaN : Number(text)) : text;
  };
  const compare = (a, b) => {
    if (typeof a === "string") return a < b ? -1 : a > b ? 1 : 0;
    return Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : Number.isNaN(b) ? -1 : a - b;
  };
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const h of heads) h.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const keyed = rows.map((row) => [valueOf(row, i), row]);
      keyed.sort((a, b) => {
        const missing = Number.isNaN(a[0]) || Number.isNaN(b[0]); // last in either order
        return missing || !down ? compare(a[0], b[0]) : compare(b[0], a[0]);
      });
      body.append(...keyed.map((k) => k[1]));
    });
  });
  const field = document.getElementById(table.id + "-search");
  if (!field) continue;
  let texts;
  const count = document.getElementById(table.id + "-count");
  field.closest(".search").hidden = false;
  field.addEventListener("input", () => {
    texts ??= rows.map((row) => row.textContent.toLowerCase());
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((w) => texts[i].includes(w));
      if (!row.hidden) shown++;
    });
    count.textContent = shown + " of " + rows.length;
  });
}
