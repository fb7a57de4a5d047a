import { texts } from '../words/catalogue.js';
import { say } from '../words/message.js';
import type { PageSections } from './page-sections.js';
import { millisecondsText } from '../sections/run-time.js';

const { labels, page } = texts;

/** Facts of a model that a comparison shows, by `TARGET/MODEL`. */
type ComparedModels = Readonly<
  Record<
    string,
    {
      readonly name: string;
      /** The id of its card. */
      readonly anchor: string;
      /** Price per million tokens; empty: none is configured. */
      readonly price: string;
      /** Titles and values: what to send for each need, times and price. */
      readonly facts: readonly (readonly [string, string])[];
    }
  >
>;

export function comparedModels({ models, ask }: PageSections): ComparedModels {
  return Object.fromEntries(
    models.map(({ id, name, sends, median, p95, cost }, index) => {
      const prices = ask.models[id]?.price ?? null;
      const price = prices === null ? '' : say(labels.price, prices);
      const facts = [
        ...sends.map(({ need, send }) => [need, send] as const),
        [say(page.medianAnswer), millisecondsText(median)] as const,
        [say(page.slowAnswer), millisecondsText(p95)] as const,
        [say(page.price), price || '–'] as const,
        [say(page.costPerAnswer), cost === null ? '–' : cost.toPrecision(2)] as const,
      ];
      return [id, { name, anchor: modelAnchor(index), price, facts }];
    }),
  );
}

export const modelAnchor = (index: number): string => `model-${index + 1}`;
