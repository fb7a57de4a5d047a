// Finds words anywhere in the page: in its text, in the fields of the matrix and in the cells behind them.
import { lower } from './fields.js';

export const search = (() => {
  const kinds = 'h1, h2, h3, h4, p, li, tr, dt, dd, dl > div, summary, caption, label, option, button, pre, figcaption';
  let blocks = null;

  /** The texts of the page outside of the matrix, each with the element that a search without it would hide. */
  function collect() {
    const found = new Map();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (node.data.trim() === '' || /^(?:SCRIPT|STYLE|OUTPUT)$/.test(parent.tagName)) continue;
      if (parent.closest('table.matrix, #drawer, .found')) continue;
      const block = parent.closest(kinds) ?? parent;
      found.set(block, (found.get(block) ?? '') + ' ' + node.data);
    }
    return [...found].map(([element, text]) => ({ element, text: lower(text) }));
  }

  const items = [
    ...document.querySelectorAll('article.cause, .advice-table tbody tr, details.model, .card, #glossary dl > div'),
  ];

  const wordsOf = (query) => lower(query).split(' ').filter(Boolean);

  /** How many texts of the page have all the words; hides items without any. */
  function inText(words) {
    blocks ??= collect();
    let hits = 0;
    const kept = new Set();
    for (const { element, text } of blocks) {
      if (!words.every((word) => text.includes(word))) continue;
      hits++;
      const item = element.closest('article.cause, .advice-table tbody tr, details.model, .card, #glossary dl > div');
      if (item) kept.add(item);
    }
    // Words may stand in different texts of one item.
    for (const item of items) {
      if (!kept.has(item) && words.length > 1) {
        const whole = lower(item.textContent);
        if (words.every((word) => whole.includes(word))) {
          kept.add(item);
          hits++;
        }
      }
      item.hidden = words.length > 0 && !kept.has(item);
    }
    return hits;
  }

  return { wordsOf, inText, forget: () => (blocks = null) };
})();
