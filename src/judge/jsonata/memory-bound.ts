import { getHeapStatistics } from 'node:v8';

/** Bytes that one evaluation may take. An answer has at most 32 MiB, so an expression that needs more builds values of its own. */
const mostBytes = 256 * 1024 * 1024;

/** Of its free memory, an engine with a small heap gives one evaluation no more than this: one step may double it. */
const mostOfFree = 1 / 4;

/** The heap that the program may still take for the evaluation that begins now; returns how much of it is left, in bytes. */
export function openMemoryGauge(): () => number {
  const { used_heap_size: before, heap_size_limit: limit } = getHeapStatistics();
  const room = Math.min(mostBytes, Math.max(0, limit - before) * mostOfFree);
  return () => room - (getHeapStatistics().used_heap_size - before);
}

/**
 * Program text for the context of JSONata, whose `task.bytesLeft` is a gauge. The engine cannot give back memory that
 * it has no more of: it ends the whole program. So memory is measured between the steps of an evaluation, and values that
 * are far larger than any answer are refused at once. Strings stay below what the engine can split into a list.
 *
 * `bound(expression)` takes the functions that make a large text in one step from it, `watchSteps(expression)` watches all
 * its steps, and `boundedText(value)` is the value as JSON.
 */
export const memorySetup = `
  const longest = 64e6;
  const tooLarge = () => new Error('it takes more memory than an expression may (${mostBytes / 1024 / 1024} MB)');
  let steps = 0;
  function watch(size) {
    if (size > longest) throw tooLarge();
    steps += 1 + size / 1000;
    if (steps < 200) return;
    steps = 0;
    if (task.bytesLeft() < 0) throw tooLarge();
  }
  const sizeOf = (value) => (typeof value === 'string' || Array.isArray(value) ? value.length : 0);
  const exit = Symbol.for('jsonata.__evaluate_exit');
  function pad(text, width, filler) {
    if (text === undefined) return undefined;
    let missing = Math.abs(Math.trunc(width));
    for (const letter of text) missing -= 1;
    if (!(missing > 0)) return text;
    watch(missing);
    const parts = filler === undefined || filler === '' ? [' '] : Array.from(filler);
    const padding = parts.join('').repeat(Math.floor(missing / parts.length)) + parts.slice(0, missing % parts.length).join('');
    return width > 0 ? text + padding : padding + text;
  }
  function join(texts, separator = '') {
    if (texts === undefined) return undefined;
    let length = separator.length * texts.length;
    for (const text of texts) length += text.length;
    watch(length);
    return texts.join(separator);
  }
  function bound(expression) {
    expression.registerFunction('pad', pad, '<s-ns?:s>');
    expression.registerFunction('join', join, '<a<s>s?:s>');
  }
  function watchSteps(expression) {
    expression.assign(exit, (node, input, environment, result) => watch(sizeOf(result)));
  }
  function boundedText(value) {
    let size = 0;
    return JSON.stringify(value, (name, part) => {
      size += 1 + (typeof part === 'string' ? part.length : 0);
      if (size > longest) throw tooLarge();
      return part;
    });
  }
`;
