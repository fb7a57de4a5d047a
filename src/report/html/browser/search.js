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
      if (node.data.trim() === '' || /^(?:SCRIPT|NOSCRIPT|STYLE|OUTPUT)$/.test(parent.tagName)) continue;
      if (parent.closest('table.matrix tbody tr:not(.family), #drawer, .found')) continue;
      const block = parent.closest(kinds) ?? parent;
      found.set(block, (found.get(block) ?? '') + node.data);
    }
    return [...found].map(([element, text]) => ({ element, text: lower(text) }));
  }

  const selector = 'article.cause, .advice-table tbody tr, details.model, .card, #glossary dl > div';
  const items = [...document.querySelectorAll(selector)].map((element) => ({ element, text: null, hidden: false }));
  const itemOf = new Map(items.map((item) => [item.element, item]));

  const wordsOf = (query) => lower(query).split(' ').filter(Boolean);
  const hasAll = (text, words) => words.every((word) => text.includes(word));

  /** How many texts of the page have all the words, and which items have them. */
  function inText(words) {
    if (words.length === 0) return { hits: 0, kept: null };
    blocks ??= collect();
    let hits = 0;
    const kept = new Set();
    for (const { element, text } of blocks) {
      if (!hasAll(text, words)) continue;
      hits++;
      const item = itemOf.get(element.closest(selector));
      if (item) kept.add(item);
    }
    // Words may stand in different texts of one item.
    for (const item of words.length > 1 ? items : []) {
      if (kept.has(item) || !hasAll((item.text ??= lower(item.element.textContent)), words)) continue;
      kept.add(item);
      hits++;
    }
    return { hits, kept };
  }

  /** Hides the items that were not found; null: nothing is searched for. */
  function keep(kept) {
    for (const item of items) {
      const hidden = kept !== null && !kept.has(item);
      if (hidden === item.hidden) continue;
      item.hidden = hidden;
      item.element.hidden = hidden;
    }
  }

  return { wordsOf, hasAll, inText, keep, prepare: () => (blocks ??= collect()) };
})();
