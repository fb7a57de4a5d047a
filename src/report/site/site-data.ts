import XMLBuilder from 'fast-xml-builder';
import { digest } from '../../json/digest.js';
import { writtenJson } from '../../json/json.js';
import { isDeviating } from '../../matrix/changes/change.js';
import type { Report } from '../../matrix/report-format.js';
import { shownReport } from '../safe/shown-report.js';
import type { RenderContext } from '../render.js';
import { visible } from '../safe/escape.js';
import { changeGlyphs } from '../sections/matrix.js';
import { changeRow } from '../sections/changes.js';
import { shownRun } from '../sections/shown-run.js';
import { wayText } from '../sections/usable.js';
import { texts } from '../words/catalogue.js';
import { say } from '../words/message.js';

const { needs, page } = texts;

interface SiteFile {
  /** Below the site's folder. */
  readonly path: string;
  readonly text: string;
}

/** A name that is safe in every file system and address; two names never share one. */
export function sitePath(name: string): string {
  if (/^\w[\w.-]*$/.test(name)) {
    return name;
  }
  return `${name.replaceAll(/[^\w-]+/g, '-').slice(0, 80)}-${digest(name).slice(0, 8)}`;
}

/** `badges/TARGET/MODEL/NEED.json` for each recommendation, as shields.io reads it from an endpoint. */
export function badgesOf(report: Report, { redact }: Pick<RenderContext, 'redact'>): readonly SiteFile[] {
  const shown = shownReport(report, redact, visible);
  const models = new Map(shown.models.map((one) => [one.id, one]));
  return shown.recommendations.flatMap((one): readonly SiteFile[] => {
    const model = models.get(one.model);
    if (model === undefined) {
      return [];
    }
    const isAlways = Object.keys(one.settings).length === 0;
    const badge = {
      schemaVersion: 1,
      label: `${model.model}: ${say(needs[one.need])}`,
      message: model.reachable ? wayText(one) || say(texts.states.reliable) : say(texts.verdictTexts.inconclusive),
      color: badgeColor(one.form !== null, isAlways, model.reachable),
    };
    const path = ['badges', sitePath(model.target), sitePath(model.model), `${one.need}.json`].join('/');
    return [{ path, text: `${writtenJson(badge)}\n` }];
  });
}

function badgeColor(isServed: boolean, isAlways: boolean, isReached: boolean): string {
  if (!isReached) {
    return 'lightgrey';
  }
  if (!isServed) {
    return 'red';
  }
  return isAlways ? 'brightgreen' : 'blue';
}

/** A run of the site. */
export interface FeedRun {
  readonly report: Report;
  readonly context: RenderContext;
  /** The address of its page, seen from the feed. */
  readonly page: string;
}

/** Entries of a feed: readers keep what they have read. */
const mostEntries = 100;

/** An Atom feed: an entry for each change, in the run that showed it first, the newest run first. */
export function feedOf(runs: readonly FeedRun[]): string {
  const entries = runs.toReversed().flatMap(feedEntries).slice(0, mostEntries);
  const feed = {
    '?xml': { '@version': '1.0', '@encoding': 'utf-8' },
    feed: {
      '@xmlns': 'http://www.w3.org/2005/Atom',
      id: 'urn:chatspec:changes',
      title: `chatspec: ${say(page.changes)}`,
      updated: runs.at(-1)?.report.run.started_at ?? new Date(0).toISOString(),
      author: { name: 'chatspec' },
      link: [{ '@href': 'feed.xml', '@rel': 'self' }, { '@href': 'index.html' }],
      entry: entries,
    },
  };
  return new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true }).build(feed);
}

function feedEntries({ report, context, page: href }: FeedRun): readonly object[] {
  const { changes, names } = shownRun(shownReport(report, context.redact, visible), context);
  return changes.flatMap((change, at) => {
    const isFresh = change.since === null || change.since.at === null;
    if (!isDeviating(change) || !isFresh) {
      return [];
    }
    const row = changeRow(change, names);
    const content = [row.what, row.todo, ...change.cells.slice(0, 20)].join('\n');
    return {
      id: `urn:chatspec:${digest([report.run.id, change.kind, change.models, change.cells]).slice(0, 32)}`,
      title: `${changeGlyphs[change.kind]} ${row.names}: ${row.what.replaceAll('`', '')}`,
      updated: report.run.started_at,
      link: { '@href': `${href}#change-${at + 1}` },
      content: { '@type': 'text', '#text': content },
    };
  });
}
