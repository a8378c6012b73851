for (const table of document.querySelectorAll('table.sortable')) {
  const body = table.tBodies[0];
  const key = (row, at) => row.cells[at].textContent.replace(/,/g, '').trim();
  table.tHead.querySelectorAll('th').forEach((head, at) => {
    const button = document.createElement('button');
    button.append(...head.childNodes);
    head.append(button);
    button.onclick = () => {
      const down = head.getAttribute('aria-sort') !== 'descending';
      for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const number = (row) => parseFloat(key(row, at)) || 0;
      const order = at
        ? (a, b) => number(a) - number(b)
        : (a, b) => key(b, at).localeCompare(key(a, at));
      body.append(...[...body.rows].sort((a, b) => (down ? -1 : 1) * order(a, b)));
    };
  });
}
