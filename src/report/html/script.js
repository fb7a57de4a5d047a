// Only filters and opens cells; the page can be read without it.
(() => {
  const form = document.querySelector('.filter');
  const cells = [...document.querySelectorAll('details.cell')].map((element) => ({
    element,
    text: (
      element.querySelector('summary').textContent +
      ' ' +
      element.querySelector('p.key').textContent
    ).toLowerCase(),
  }));
  const output = form.querySelector('output');
  form.hidden = false;
  const apply = () => {
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { element, text } of cells) {
      const fits =
        words.every((word) => text.includes(word)) &&
        !(form.elements.failing.checked && element.dataset.verdict === 'pass') &&
        !(form.elements.deviating.checked && !('deviates' in element.dataset));
      element.hidden = !fits;
      if (fits) shown++;
    }
    for (const section of document.querySelectorAll('section.model')) {
      section.hidden = !section.querySelector('details.cell:not([hidden])');
    }
    output.textContent = shown === cells.length ? '' : shown + ' of ' + cells.length + ' cells';
  };
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  const open = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const cell = target && target.closest('details.cell');
    if (!cell) return;
    if (cell.hidden) {
      form.reset();
      apply();
    }
    cell.open = true;
    cell.scrollIntoView();
  };
  addEventListener('hashchange', open);
  addEventListener('beforeprint', () => {
    for (const { element } of cells) if (element.dataset.verdict !== 'pass') element.open = true;
  });
  open();
})();
