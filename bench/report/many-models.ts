import { createHash } from 'node:crypto';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { withoutModel } from '../../src/cell/cell-key.js';
import type { ExchangeRecord } from '../../src/journal/event.js';
import { exchangesIn, type FindExchanges } from '../../src/journal/find-exchanges.js';
import type { Report } from '../../src/matrix/report-format.js';
import { readReport } from '../../src/report/run-folder.js';

interface ManyModels {
  readonly report: Report;
  readonly exchanges: FindExchanges;
}

/** What a process of its own renders. */
export interface ManyFiles {
  readonly report: Report;
  /** Ids, and where their lines begin and end in the file beside. */
  readonly exchanges: readonly (readonly [string, number, number])[];
}

/** Writes the report to a file, and its exchanges beside it as lines, whose file name ends on one more letter l. */
export async function writeMany(run: string, count: number, file: string): Promise<void> {
  const base = await readReport(run);
  const found = new Map<string, ExchangeRecord>();
  for await (const record of exchangesIn(run)(shownIn(base))) found.set(record.id, record);
  const { report, exchanges } = manyModels(base, found, count);
  const places: [string, number, number][] = [];
  const lines = openSync(`${file}l`, 'w');
  let from = 0;
  for await (const record of exchanges(shownIn(report))) {
    const to = from + writeSync(lines, `${JSON.stringify(record)}\n`);
    places.push([record.id, from, to]);
    from = to;
  }
  closeSync(lines);
  writeFileSync(file, JSON.stringify({ report, exchanges: places } satisfies ManyFiles));
}

/** The exchanges that a page can show. */
function shownIn({ cells }: Report): ReadonlySet<string> {
  return new Set(
    cells.flatMap(({ failures, exchanges }) => [
      ...failures.flatMap(({ exchange }) => exchange ?? []),
      ...exchanges.slice(0, 2),
    ]),
  );
}

/** A run with the models of another one, repeated under other names until there are `count`, each with answers of its own. */
function manyModels(base: Report, found: ReadonlyMap<string, ExchangeRecord>, count: number): ManyModels {
  const copies = Array.from({ length: count }, (_, index) => {
    const model = base.models[index % base.models.length];
    if (model === undefined) throw new Error('the run has no models');
    const number = String(index + 1).padStart(3, '0');
    return {
      model,
      index,
      id: `${model.target}/vendor-${number}/${model.model}`,
      name: `vendor-${number}/${model.model}`,
    };
  });
  const keyOf = (key: string, id: string) => `${withoutModel(key)}@${id}`;
  const exchangeOf = (id: string, index: number) => `${id}~${index}`;
  const of = <T extends { readonly model: string }>(all: readonly T[], id: string) =>
    all.filter((one) => one.model === id);
  const report: Report = {
    ...base,
    models: copies.map(({ model, id, name }) => ({ ...model, id, model: name })),
    cells: copies.flatMap(({ model, id, index }) =>
      of(base.cells, model.id).map((cell) => ({
        ...{ ...cell, key: keyOf(cell.key, id), model: id },
        exchanges: cell.exchanges.map((one) => exchangeOf(one, index)),
        failures: cell.failures.map((failure) => ({
          ...failure,
          exchange: failure.exchange && exchangeOf(failure.exchange, index),
          exchanges: failure.exchanges.map((one) => exchangeOf(one, index)),
        })),
      })),
    ),
    capabilities: copies.flatMap(({ model, id }) =>
      of(base.capabilities, model.id).map((one) => ({
        ...one,
        model: id,
        cells: one.cells.map((key) => keyOf(key, id)),
      })),
    ),
    behaviours: copies.flatMap(({ model, id }) =>
      of(base.behaviours, model.id).map((one) => ({
        ...one,
        model: id,
        cells: one.cells.map((key) => keyOf(key, id)),
      })),
    ),
    recommendations: copies.flatMap(({ model, id }) =>
      of(base.recommendations, model.id).map((one) => ({ ...one, model: id })),
    ),
    wire: [],
  };
  return {
    report,
    async *exchanges(ids) {
      for (const record of found.values()) {
        for (const { id, name, index, model } of copies) {
          const own = exchangeOf(record.id, index);
          if (!ids.has(own)) continue;
          const copy = copyOf(record, own, { id, name, model: model.model });
          yield copy;
        }
      }
      await Promise.resolve();
    },
  };
}

function copyOf(
  record: ExchangeRecord,
  id: string,
  { name, model, ...names }: { id: string; name: string; model: string },
): ExchangeRecord {
  const { exchange } = record;
  const { request, answer } = exchange;
  const own = (text: string) =>
    text
      .replaceAll(/chatcmpl-[0-9a-f]{24}/g, () => `chatcmpl-${digest(id).slice(0, 24)}`)
      .replaceAll(`"model":"${model}"`, `"model":"${name}"`);
  const { traceresponse } = answer.headers;
  return {
    ...record,
    id,
    model: names.id,
    exchange: {
      ...exchange,
      request: {
        ...request,
        headers: withoutTrial(request.headers),
        body: { ...(request.body as object), model: name },
      },
      answer: {
        ...answer,
        headers: {
          ...answer.headers,
          ...(traceresponse !== undefined && { traceresponse: `00-${digest(id).slice(0, 32)}-01` }),
        },
        body: answer.body.map(own),
      },
    },
  };
}

/** Headers that only the embedded service receives. */
function withoutTrial(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-chatspec-')));
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
