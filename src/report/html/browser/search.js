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
    return [...found].map(([element, text]) => ({
      element,
      text: lower(text),
      item: itemOf.get(element.closest(selector)),
      shell: shellOf.get(element.closest(shellSelector)),
      section: element.closest('main > section'),
    }));
  }

  const known = (all) => [...document.querySelectorAll(all)].map((element) => ({ element, text: null, hidden: false }));
  const byElement = (all) => new Map(all.map((one) => [one.element, one]));
  const selector = 'article.cause, .advice-table tbody tr, details.model, details.swap, .card, #glossary dl > div';
  const items = known(selector);
  const itemOf = byElement(items);
  /** What would be a heading above nothing without its items. */
  const shellSelector = 'details.need, #glossary details';
  const shells = known(shellSelector);
  const shellOf = byElement(shells);
  const sections = [...document.querySelectorAll('main > section:not(#verdict)')];

  const wordsOf = (query) => lower(query).split(' ').filter(Boolean);
  const hasAll = (text, words) => words.every((word) => text.includes(word));

  /** How many texts of the page have all the words, which ones, and which items and shells have them. */
  function inText(words) {
    if (words.length === 0) return { hits: 0, kept: null, elements: [] };
    blocks ??= collect();
    let hits = 0;
    const kept = new Set();
    const elements = [];
    for (const { element, text, item, shell, section } of blocks) {
      if (!hasAll(text, words)) continue;
      hits++;
      elements.push(element);
      if (item) kept.add(item);
      if (shell) kept.add(shell);
      kept.add(section);
    }
    // Words may stand in different texts of one item.
    for (const item of words.length > 1 ? items : []) {
      if (kept.has(item) || !hasAll((item.text ??= lower(item.element.textContent)), words)) continue;
      kept.add(item);
      const shell = shellOf.get(item.element.closest(shellSelector));
      if (shell) kept.add(shell);
      kept.add(item.element.closest('main > section'));
      elements.push(item.element);
      hits++;
    }
    return { hits, kept, elements };
  }

  /** Hides the items and shells that were not found, and what stands in sections without a hit; null: nothing is searched for. */
  function keep(kept) {
    for (const section of sections) section.classList.toggle('no-hit', kept !== null && !kept.has(section));
    for (const one of [...items, ...shells]) {
      const hidden = kept !== null && !kept.has(one);
      if (hidden === one.hidden) continue;
      one.hidden = hidden;
      one.element.hidden = hidden;
    }
  }

  /** A reader sees a screen of them at a time, and none is an element of its own. */
  const mostMarked = 1500;

  /** Marks the words in the texts of these elements; the page stays as it is. */
  function mark(elements, words) {
    if (!('highlights' in CSS)) return;
    const ranges = [];
    for (const element of elements) {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node && ranges.length < mostMarked; node = walker.nextNode()) {
        const text = node.data.toLowerCase();
        // The small form of a few letters is longer than the letter.
        if (text.length === node.data.length) ranges.push(...words.flatMap((word) => rangesOf(node, text, word)));
      }
    }
    if (ranges.length === 0) CSS.highlights.delete('found');
    else CSS.highlights.set('found', new Highlight(...ranges));
  }

  function rangesOf(node, text, word) {
    const ranges = [];
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
      const range = new StaticRange({
        ...{ startContainer: node, startOffset: at },
        ...{ endContainer: node, endOffset: at + word.length },
      });
      ranges.push(range);
    }
    return ranges;
  }

  return { wordsOf, hasAll, inText, keep, mark, prepare: () => (blocks ??= collect()) };
})();
