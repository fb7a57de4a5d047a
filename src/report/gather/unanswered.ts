import type { ExchangeRecord } from '../../journal/event.js';
import type { Unanswered } from '../../matrix/unmeasured/unanswered.js';
import { countFailure, type FailedAlike, type HowItEnded } from './how-it-ended.js';
import { requestMembers } from './request-members.js';

interface Form {
  readonly members: readonly string[];
  requests: number;
  answered: number;
  readonly failed: FailedAlike;
}

interface OfCell {
  members: readonly string[];
  readonly failed: FailedAlike;
  readonly exchange: string;
}

interface OfModel {
  readonly forms: Map<string, Form>;
  /** By the members of a request, of which those of one body are one list: to name a form takes longer than to count it. */
  readonly known: WeakMap<readonly string[], Form>;
  readonly cells: Map<string, OfCell>;
}

/** Counts which forms of request each model answered at all. What is kept grows with the plan. */
export function openUnanswered() {
  const models = new Map<string, OfModel>();
  return {
    add({ id, model, cell, purpose, exchange: { request, answer } }: ExchangeRecord, how: HowItEnded): void {
      if (how === 'stop') return;
      const ofModel = models.get(model) ?? nothingYet();
      models.set(model, ofModel);
      const members = requestMembers(request.body);
      const form = formOf(ofModel, members);
      form.requests += 1;
      if (how === 'answered') {
        form.answered += 1;
        return;
      }
      const failure = how === 'load' ? ({ kind: 'status', status: answer.status } as const) : how;
      countFailure(form.failed, failure);
      if (cell === null || purpose === 'control') return;
      const ofCell = ofModel.cells.get(cell) ?? nothingOf(members, id);
      ofModel.cells.set(cell, ofCell);
      countFailure(ofCell.failed, failure);
      ofCell.members = ofCell.members.filter((one) => members.includes(one));
    },
    /** By model. */
    all(): ReadonlyMap<string, Unanswered> {
      return new Map(
        [...models].map(([model, { forms, cells }]) => [
          model,
          {
            forms: [...forms.values()].map((form) => ({ ...form, failed: [...form.failed.values()] })),
            cells: new Map([...cells].map(([key, one]) => [key, { ...one, failed: [...one.failed.values()] }])),
          },
        ]),
      );
    },
  };
}

/** So many forms of a model are told apart by what their members hold. A member that counts the trials has as many values. */
const mostForms = 500;

function formOf(model: OfModel, members: readonly string[]): Form {
  const form = model.known.get(members) ?? formNamed(model, members);
  model.known.set(members, form);
  return form;
}

function formNamed({ forms }: OfModel, members: readonly string[]): Form {
  const known = forms.get(JSON.stringify(members));
  if (known !== undefined) return known;
  const named = forms.size < mostForms ? members : withoutValues(members);
  const name = JSON.stringify(named);
  const form = forms.get(name) ?? { members: named, requests: 0, answered: 0, failed: new Map() };
  forms.set(name, form);
  return form;
}

/** `stream: true` is just `stream`. */
function withoutValues(members: readonly string[]): readonly string[] {
  return [...new Set(members.map((member) => member.replace(/: .*$/s, '')))];
}

function nothingOf(members: readonly string[], exchange: string): OfCell {
  return { members, failed: new Map(), exchange };
}

const nothingYet = (): OfModel => ({ forms: new Map(), known: new WeakMap(), cells: new Map() });
