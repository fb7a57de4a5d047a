// What is compressed in the page, decoded when it is asked for: items by number, each a text, an exchange or a card.
export const store = (() => {
  const packs = [...document.querySelectorAll('template.pack')].map((element) => ({
    element,
    from: Number(element.dataset.from),
    count: Number(element.dataset.count),
  }));
  const decoded = new Map();
  const most = 24;

  async function decode({ element }) {
    const binary = atob(element.content.textContent);
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return JSON.parse(await new Response(plain).text());
  }

  async function item(number) {
    const pack = packs.find(({ from, count }) => number >= from && number < from + count);
    if (!pack) return null;
    let block = decoded.get(pack);
    if (block === undefined) {
      block = decode(pack);
      decoded.set(pack, block);
      if (decoded.size > most) decoded.delete(decoded.keys().next().value);
    }
    const { items, names } = await block;
    const one = items[number - pack.from];
    if (!Array.isArray(one)) return one;
    const [list, ...values] = one;
    return Object.fromEntries(names[list].map((name, at) => [name, values[at]]));
  }

  /**
   * A text in pieces: pieces that stand there, numbers of texts, and numbers with how far their lines are indented. Of a
   * number below zero there is no text, and `gap` stands there.
   */
  async function text(rope, gap = '') {
    if (rope === null) return null;
    const pieces = await Promise.all(
      rope.map(async (piece) => {
        if (typeof piece === 'string') return piece;
        if (typeof piece === 'number') return item(piece);
        const [number, depth] = piece;
        if (number < 0) return gap;
        return (await item(number)).replaceAll('\n', '\n' + ' '.repeat(depth));
      }),
    );
    return pieces.join('');
  }

  const first = { index: 200_000_000 };
  async function readIndex() {
    const { names, words, cells, ...index } = await item(first.index);
    const named = ([name, model, capability, verdict, rung, word, ...more]) => {
      return [names[name], model, capability, verdict, rung, words[word], ...more];
    };
    return { ...index, cells: cells.map(named) };
  }

  let index;
  return { item, text, index: () => (index ??= readIndex()) };
})();

/** Control characters and those that reorder or hide text, as escapes. `hidden` is put in with the templates. */
export const visible = (text) =>
  text
    .replaceAll('\r\n', '\n')
    .replace(hidden, (character) => {
      const code = character.codePointAt(0).toString(16);
      return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
    })
    .toWellFormed();
