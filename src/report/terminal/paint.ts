import { styleText } from 'node:util';

const styles = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

/** Each style of the terminal, by name. */
export type Paint = Readonly<Record<(typeof styles)[number], (text: string) => string>>;

/** @param isOn whether anything is coloured; who asks knows where the text goes. */
export function createPaint(isOn: boolean): Paint {
  const painted = (style: (typeof styles)[number]) => (text: string) =>
    isOn ? styleText(style, text, { validateStream: false }) : text;
  return Object.fromEntries(styles.map((style) => [style, painted(style)])) as Paint;
}
