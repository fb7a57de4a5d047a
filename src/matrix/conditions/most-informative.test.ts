import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excludes } from './atom.js';
import { conditionText } from './wording.js';
import { explain } from './explanation.js';
import type { Labelled } from './labelled.js';
import { mostInformative } from './further-tickets.js';

type Labels = Labelled['labels'];
type Rule = (labels: Labels) => boolean;

const axes = { form: ['string', 'object'], thinking: ['default', 'enabled', 'disabled'], stream: ['off', 'on'] };
const product: Labels[] = axes.form.flatMap((form) =>
  axes.thinking.flatMap((thinking) => axes.stream.map((stream) => ({ form, thinking, stream }))),
);
const oneAtATime = product.filter(
  ({ form, thinking, stream }) =>
    Number(form !== 'string') + Number(thinking !== 'default') + Number(stream !== 'off') <= 1,
);

/** Asks until no question is open; returns what was asked and the resulting explanation. */
function explore(rule: Rule, planned: readonly Labels[] = oneAtATime) {
  const judged: Labelled[] = planned.map((labels) => ({ labels, good: rule(labels) }));
  const asked: Labels[] = [];
  for (;;) {
    const askable = product.filter((labels) => !judged.some((cell) => cell.labels === labels));
    const point = mostInformative(
      judged,
      askable.map((labels) => ({ labels })),
    );
    if (point === null) break;
    asked.push(point.labels);
    judged.push({ labels: point.labels, good: rule(point.labels) });
  }
  return { asked, believed: explained(judged) };
}

function explained(judged: readonly Labelled[]) {
  const explanation = explain(judged);
  if (explanation === null) return null;
  const { clauses } = explanation;
  return {
    text: conditionText(clauses, { clauses: [], onlyAsked: false }, new Map(Object.entries(axes))),
    isGood: (labels: Labels) => !clauses.some((clause) => excludes(clause, labels)),
  };
}

const isObject: Rule = ({ form }) => form === 'object';
const isDisabled: Rule = ({ thinking }) => thinking === 'disabled';

describe('mostInformative', () => {
  test('shows that one form fails whatever else is set', () => {
    const { asked, believed } = explore((labels) => !isObject(labels));
    expect(believed?.text).toBe('only with form=string');
    // With the object form itself: what the other one does says nothing about it.
    expect(asked.every(isObject)).toBe(true);
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  test('shows that the form only passes with thinking disabled', () => {
    const { asked, believed } = explore((labels) => !isObject(labels) || isDisabled(labels));
    expect(believed?.text).toBe('not with form=object and thinking: default, enabled together');
    expect(asked.length).toBeLessThanOrEqual(5);
  });

  test('is where most explanations contradict the smallest', () => {
    const judged = oneAtATime.map((labels) => ({ labels, good: !isObject(labels) }));
    const askable = product.filter((labels) => !oneAtATime.includes(labels)).map((labels) => ({ labels }));
    // If this fails too, neither the thinking nor the stream of the first failure is the cause.
    expect(mostInformative(judged, askable)?.labels).toEqual({ form: 'object', thinking: 'enabled', stream: 'on' });
  });

  test('is null where nothing failed, or nothing passed', () => {
    expect(explore(() => true).asked).toEqual([]);
    expect(explore(() => false).asked).toEqual([]);
  });

  test('is null where all explanations agree on every point', () => {
    const judged = product.map((labels) => ({ labels, good: !isObject(labels) }));
    expect(mostInformative(judged, [])).toBeNull();
    expect(mostInformative(judged.slice(0, 7), [{ labels: judged[0]!.labels }])).toBeNull();
  });

  test('separates two labels that so far only occurred together', () => {
    const diagonal = [product[0]!, { form: 'object', thinking: 'default', stream: 'on' }];
    const { believed } = explore(({ stream }) => stream === 'off', diagonal);
    expect(believed?.isGood({ form: 'object', thinking: 'default', stream: 'off' })).toBe(true);
  });

  test('predicts every point correctly if it depends on one label or on two together', () => {
    const label = fc.constantFrom(...Object.entries(axes).flatMap(([axis, all]) => all.map((one) => ({ axis, one }))));
    const rule = fc.tuple(label, fc.option(label)).map(([first, second]): Rule => {
      const both = [first, ...(second === null || second.axis === first.axis ? [] : [second])];
      return (labels) => !both.every(({ axis, one }) => labels[axis] === one);
    });
    fc.assert(
      fc.property(rule, (holds) => {
        const { asked, believed } = explore(holds);
        expect(asked.length).toBeLessThan(product.length - oneAtATime.length + 1);
        if (oneAtATime.every(holds)) return;
        for (const labels of product) expect(believed?.isGood(labels)).toBe(holds(labels));
      }),
      { numRuns: 200 },
    );
  });
});
