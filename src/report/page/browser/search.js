/* global said */
// Finds words in the cells and in the text of every view.
import { cellHash } from './cell.js';
import { $, $$, data, h } from './page.js';

const findField = $('#find');
const counted = $('.search output');

async function search() {
  const words = findField.value.toLowerCase().split(/\s+/).filter(Boolean);
  const list = $('#found ul');
  list.replaceChildren();
  $('#found').hidden = words.length === 0;
  if (words.length === 0) {
    counted.textContent = '';
    return;
  }
  const { cells } = await data();
  const has = (text) => words.every((word) => text.includes(word));
  const hits = [];
  for (const cell of cells) {
    cell.text ??= [cell.key, cell.title, cell.capability, cell.verdict, cell.detail, ...cell.says]
      .join(' ')
      .toLowerCase();
    if (has(cell.text)) hits.push({ text: `${cell.sign} ${cell.key}`, href: cellHash(cell.key) });
  }
  for (const part of $$('main > section[id]:not(#found) :is(article, li, tr, dl > div, h1, h2, p)')) {
    if (!has(part.textContent.toLowerCase())) continue;
    const view = part.closest('main > section');
    const id = part.closest('[id]').id;
    hits.push({
      text: part.textContent.trim().replace(/\s+/g, ' ').slice(0, 160),
      href: `#${id === 'headline' ? view.id : id}`,
    });
  }
  counted.dataset.of = findField.value;
  counted.textContent = `${hits.length.toLocaleString('en')} ${hits.length === 1 ? said.hit : said.hits}`;
  list.append(...hits.slice(0, 60).map(({ text, href }) => h('li', {}, h('a', { href }, text))));
}

findField.addEventListener('input', () => void search());
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.target.closest('input, select, dialog')) {
    event.preventDefault();
    findField.focus();
  }
});
