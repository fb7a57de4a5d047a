/** YAML of a few hundred bytes whose aliases stand for 9 to the power of 23 values. */
export const aliasBomb = Array.from({ length: 24 }, (_, n) => {
  const items =
    n === 0
      ? 'x'
      : Array(9)
          .fill(`*a${n - 1}`)
          .join();
  return `a${n}: &a${n} [${items}]\n`;
}).join('');
