import type { Behaviour } from '../../suite/probe.js';
import { isObject, type Json } from '../../json/json.js';
import { evaluateAll, type Evaluated } from '../../judge/jsonata/jsonata-engine.js';
import type { BehaviourCell } from './behaviour-cell.js';
import type { Note } from '../notes.js';
import type { ReportBehaviour } from '../report-format.js';
import { vocabularyOf } from './vocabulary.js';

interface BehavioursInput {
  readonly behaviours: readonly Behaviour[];
  readonly model: string;
  readonly cells: readonly BehaviourCell[];
  /** Verdict of each capability of the model. */
  readonly capabilities: Readonly<Record<string, string>>;
}

interface BehavioursFound {
  readonly behaviours: readonly ReportBehaviour[];
  /** One for each behaviour that could not be evaluated. */
  readonly problems: readonly Note[];
}

/** The behaviours that one model shows. An expression that fails is a problem, and its behaviour is not reported. */
export async function behavioursOf(input: BehavioursInput): Promise<BehavioursFound> {
  const found: ReportBehaviour[] = [];
  const problems: Note[] = [];
  const asked = evaluate(
    input.behaviours.map(({ when }) => when),
    input,
  );
  for (const [index, behaviour] of input.behaviours.entries()) {
    try {
      const shown = await shownBy(valueOf(asked[index]), behaviour, input);
      if (shown) found.push(shown);
    } catch (error) {
      const { id, place } = behaviour;
      const at = `${place.file}:${place.line}`;
      problems.push({ kind: 'behaviour', id, place: at, model: input.model, error: messageOf(error) });
    }
  }
  return { behaviours: found, problems };
}

async function shownBy(result: Json, behaviour: Behaviour, input: BehavioursInput): Promise<ReportBehaviour | null> {
  const { cells, values } = evidenceIn(result, input);
  if (cells.length === 0) return null;
  if (behaviour.unless !== null) {
    const [excused] = evaluate([`$boolean((${behaviour.unless}))`], input);
    if (valueOf(excused) === true) return null;
  }
  const filled = { ...values, model: input.model };
  return {
    id: behaviour.id,
    model: input.model,
    title: await fill(behaviour.title, filled),
    cells,
    advice: await fill(behaviour.advice, filled),
  };
}

function evaluate(
  expressions: readonly string[],
  { model, cells, capabilities }: BehavioursInput,
): readonly Evaluated[] {
  const input = { model, cells, capabilities } as unknown as Json;
  const functions = vocabularyOf(cells, capabilities);
  return evaluateAll(expressions, input, functions);
}

function valueOf(answer: Evaluated | undefined): Json {
  if (answer?.ok !== true) throw new TypeError(answer?.error);
  return answer.value;
}

function evidenceIn(
  result: Json | undefined,
  { cells }: BehavioursInput,
): { cells: string[]; values: Record<string, unknown> } {
  if (result === undefined || result === null || result === false) return { cells: [], values: {} };
  if (result === true) throw new TypeError('`when` returned true; it must return the cells that show the behaviour');
  if (isObject(result) && !('key' in result)) {
    const { cells: shown, ...values } = result;
    return { ...evidenceIn(shown, { cells } as BehavioursInput), values };
  }
  const keys = [result].flat(2).map((item) => (isObject(item) ? item['key'] : item));
  const known = new Set(cells.map((cell) => cell.key));
  const unknown = keys.find((key) => typeof key !== 'string' || !known.has(key));
  if (unknown !== undefined) throw new TypeError(`\`when\` returned ${JSON.stringify(unknown)}, which is not a cell`);
  return { cells: [...new Set(keys as string[])], values: {} };
}

async function fill(text: string, values: Readonly<Record<string, unknown>>): Promise<string> {
  if (!text.includes('{{')) return text;
  const { default: handlebars } = await import('handlebars');
  return handlebars.compile(text, { noEscape: true, strict: true })(values);
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return isObject(error) && typeof error['message'] === 'string' ? error['message'] : String(error);
}
