import { randomFrom } from '../../../test/support/random.js';
import { kinds } from './kinds.js';
import type { Circumstances, FailureKind, FailureMode, Form, ToolChoice, WorldModel } from './model.js';

/** Models that misbehave in one to four ways at once, the same for the same seed. */
export function generateWorld(seed: number, count: number): readonly WorldModel[] {
  return Array.from({ length: count }, (_, index) => generateModel(`m${String(index).padStart(3, '0')}`, seed, index));
}

function generateModel(id: string, seed: number, index: number): WorldModel {
  const draw = drawFrom(randomFrom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)));
  const thinksByDefault = draw.chance(0.3);
  const makers = draw.some(misbehaviours, draw.pick([1, 1, 2, 2, 3, 4]));
  return {
    id,
    modes: makers.flatMap((make) => make(draw)).filter((mode) => sparesControl(mode, thinksByDefault)),
    thinksByDefault,
  };
}

/** One way to misbehave: a mode, or several that make one thing together, such as a soft threshold. */
type Misbehaviour = (draw: Draw) => readonly FailureMode[];

const misbehaviours: readonly Misbehaviour[] = [
  // A form fails, always or at times, whatever the settings.
  (draw) => failing(draw, oneForm(draw), {}, failureRate(draw)),
  (draw) => failing(draw, oneForm(draw), {}, draw.pick([1, 1, 0.6])),
  // One value of tool_choice fails.
  (draw) => failing(draw, 'tools', { tool_choice: choices(draw) }, failureRate(draw)),
  // A form fails under one label of one axis.
  (draw) => failing(draw, oneForm(draw), { stream: draw.chance(0.7) }, mostlyAlways(draw)),
  (draw) => failing(draw, oneForm(draw), { thinking: draw.chance(0.7) }, mostlyAlways(draw)),
  // Two axes together.
  (draw) => failing(draw, oneForm(draw), { stream: draw.chance(0.8), thinking: draw.chance(0.8) }, mostlyAlways(draw)),
  (draw) => failing(draw, 'tools', { tool_choice: choices(draw), thinking: draw.chance(0.8) }, mostlyAlways(draw)),
  (draw) => failing(draw, 'tools', { tool_choice: choices(draw), stream: draw.chance(0.8) }, mostlyAlways(draw)),
  (draw) => budget(draw, oneForm(draw), { thinking: draw.chance(0.8) }, cap(draw)),
  // Thresholds.
  (draw) => budget(draw, oneForm(draw), {}, cap(draw)),
  (draw) => softBudget(draw, oneForm(draw), {}, cap(draw)),
  (draw) => {
    const form = oneForm(draw);
    const least = cap(draw);
    const most = Math.round(least * draw.pick([2.5, 4, 6]));
    return [...budget(draw, form, {}, least), ...failing(draw, form, { from: most }, 1)];
  },
  // A threshold that moves with another axis.
  (draw) => {
    const form = oneForm(draw);
    const axis = draw.pick(['thinking', 'stream'] as const);
    return [false, true].flatMap((label) => budget(draw, form, { [axis]: label }, cap(draw)));
  },
  // Some prompts fail.
  (draw) => {
    const form = draw.pick(['json_object', 'json_schema', 'tools'] as const);
    return failing(draw, form, { prompt: draw.pick(snippets[form]) }, mostlyAlways(draw));
  },
];

/** Texts that occur in some rows of the samples of each form. */
const snippets = {
  json_object: ['translation', 'classification', 'score: 0.12'],
  json_schema: ['Northwind Paper', 'Sommer Backwaren', 'Top Slate Roofing'],
  tools: ['Li Lei', 'Maria Gomez', 'espresso machine'],
} as const;

function failing(draw: Draw, form: Form, when: Circumstances, rate: number): readonly FailureMode[] {
  return [modeOf(draw.pick(kindsFor(form, when)), form, when, rate)];
}

function budget(draw: Draw, form: Form, when: Circumstances, below: number): readonly FailureMode[] {
  return [modeOf(draw.pick(['truncated', 'truncated', 'empty']), form, { ...when, below }, 1)];
}

/** The rate of failures falls over a band around the cap. */
function softBudget(draw: Draw, form: Form, when: Circumstances, around: number): readonly FailureMode[] {
  const kind = draw.pick(['truncated', 'empty'] as const);
  const steps = [
    [0.7, 1],
    [1, 0.6],
    [1.3, 0.4],
    [1.7, 0.1],
  ] as const;
  return steps.map(([factor, rate]) => modeOf(kind, form, { ...when, below: Math.round(around * factor) }, rate));
}

/** What the kind needs in order to show is part of its circumstances, so that they alone are the truth. */
function modeOf(kind: FailureKind, form: Form, when: Circumstances, rate: number): FailureMode {
  const { toolChoices } = kinds[kind];
  const limited = form === 'tools' && toolChoices !== undefined && when.tool_choice === undefined;
  return { kind, rate, when: { form: [form], ...(limited && { tool_choice: toolChoices }), ...when } };
}

function kindsFor(form: Form, { tool_choice: choices }: Circumstances): readonly FailureKind[] {
  return (Object.keys(kinds) as FailureKind[]).filter((kind) => {
    const { forms, toolChoices } = kinds[kind];
    return forms.includes(form) && (choices?.every((choice) => toolChoices?.includes(choice) ?? true) ?? true);
  });
}

/**
 * A model whose plain request gets an error cannot be measured at all; that it may happen is not what this world is
 * about.
 */
function sparesControl({ kind, when, rate }: FailureMode, thinksByDefault: boolean): boolean {
  if (kinds[kind].isError !== true || when.form?.includes('text') !== true || rate === 0) return true;
  return when.stream === true || (when.thinking !== undefined && when.thinking !== thinksByDefault);
}

const oneForm = (draw: Draw): Form =>
  draw.pick(['text', 'json_object', 'json_schema', 'json_schema', 'tools', 'tools']);

const choices = (draw: Draw): readonly ToolChoice[] =>
  draw.pick([['object'], ['object'], ['required'], ['auto'], ['required', 'object']] as const);

/** One minus the true pass rate of the form. */
const failureRate = (draw: Draw): number => draw.pick([1, 1, 0.6, 0.3, 0.1, 0.03]);

const mostlyAlways = (draw: Draw): number => draw.pick([1, 1, 1, 0.6, 0.3]);

/** From 100 to about 6,000, as likely to lie between 100 and 200 as between 3,000 and 6,000. */
const cap = (draw: Draw): number => Math.round(100 * 2 ** (draw.fraction() * 5.9));

/** Choices of a random kind. */
interface Draw {
  readonly fraction: () => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
  /** So many different ones. */
  readonly some: <T>(from: readonly T[], count: number) => readonly T[];
}

function drawFrom(random: () => number): Draw {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  return {
    fraction: random,
    chance: (share) => random() < share,
    pick,
    some: (from, count) => {
      const left = [...from];
      return Array.from(
        { length: Math.min(count, left.length) },
        () => left.splice(Math.floor(random() * left.length), 1)[0]!,
      );
    },
  };
}
