import type { SharedFailure } from '../../decide/course.js';
import type { StopReason } from '../../journal/event.js';
import type { ReportCell } from '../../matrix/report-format.js';
import type { Because, Caveat, Note, Words } from '../../matrix/notes.js';
import { faultText, joinedNames } from '../sections/names.js';
import { absentSettingsNotes } from './absent-settings.js';
import { texts } from './catalogue.js';
import { say } from './message.js';

const { counts, becauses, caveats, notes, stops } = texts;

const percent = (share: number): number => Number((100 * share).toFixed(1));
const maxSilentModels = 6;

function noteText(note: Note): string {
  switch (note.kind) {
    case 'shard':
      return say(notes.shard, note);
    case 'unmeasured':
    case 'unasked':
      return say(notes[note.kind], { share: percent(note.share), most: percent(note.most) });
    case 'fault': {
      const { cells, cell, detail } = note;
      return say(notes.fault, { cells, cell, fault: detail ?? faultText({ ...note, status: note.status }) });
    }
    case 'silent':
      return say(notes.silent, {
        ...note,
        models: joinedNames(note.models, maxSilentModels),
        number: note.models.length,
      });
    case 'answered_by':
      return say(notes.answered_by, { model: note.model, ...answeredByArguments(note) });
    case 'behaviour':
      return say(notes.behaviour, note);
  }
}

function answeredByArguments({ names, answers }: Pick<Extract<Note, { kind: 'answered_by' }>, 'names' | 'answers'>) {
  const by = names.map(({ name }) => `\`${name}\``);
  return { by: joinedNames(by, 3), some: names.reduce((sum, one) => sum + one.answers, 0), answers };
}

function caveatText(caveat: Caveat): string {
  switch (caveat.kind) {
    case 'shared':
      return sharedText(caveat.failure);
    case 'flaky':
      return say(caveats.flaky, caveat);
    case 'answered_by':
      return say(caveats.answered_by, answeredByArguments(caveat));
    case 'values':
      return say(caveats.values, caveat);
    case 'few_trials':
      return say(caveats.few_trials, caveat);
    case 'most_tokens':
      return say(caveats.most_tokens, caveat);
    case 'breaks':
      return say(caveats.breaks, caveat);
    case 'declared':
      return say(caveats.declared, caveat);
    case 'leave_out':
      return say(caveat.works ? caveats.notAsked : caveats.doesNotWork, { member: caveat.member });
    case 'keywords':
      return say(caveats[caveat.how], { keywords: caveat.keywords.join(', ') });
    case 'one_tool':
    case 'not_strict':
    case 'schema_ignored':
    case 'schema_in_part':
      return say(caveats[caveat.kind]);
  }
}

function sharedText({ class: outcome, reason, alarm, failed, total }: SharedFailure): string {
  const fault = faultText({ class: outcome, reason, status: null });
  return say(alarm ? caveats.shared : caveats.perhapsShared, { failed, total, fault });
}

function becauseText({ form, rejected, apart, shared, care }: Because): string {
  const counts = rejected.map((one) => say(becauses.count, { ...one })).join(', ');
  if (form === null) return [...shared.map((one) => `${sharedText(one)}.`), say(becauses.none, { counts })].join(' ');
  const best = say(becauses.count, { ...form });
  const sentence = say(becauses.best, { best, counts: counts || 'none', care: care ?? 'none' });
  return apart ? `${sentence} ${say(becauses.apart)}` : sentence;
}

/** "3 cells" */
export const countedNoun = (number: number, noun: keyof typeof counts): string => say(counts[noun], { count: number });

/** "http_error 500, tool_choice_unsupported"; empty if nothing failed. */
export function whatFailed({
  class: outcome,
  reason,
  status,
}: Pick<ReportCell, 'class' | 'reason' | 'status'>): string {
  if (outcome === null) return '';
  const withStatus = outcome === 'http_error' && status !== null ? `${outcome} ${status}` : outcome;
  return reason === null ? withStatus : `${withStatus}, ${reason}`;
}

export const reportWords: Words = {
  note: noteText,
  caveat: caveatText,
  because: becauseText,
  notAsked: absentSettingsNotes,
};

/** "02:14", UTC. */
const clockText = (iso: string): string => iso.slice(11, 16);

/** Why nothing more was asked, in one sentence. */
export function stopText(stop: StopReason): string {
  switch (stop.kind) {
    case 'budget':
      return stop.next === undefined || (stop.spent ?? stop.limit) >= stop.limit
        ? say(stops.budget, { limit: stop.limit, unit: stop.unit })
        : say(stops.budgetTooSmall, { limit: stop.limit, unit: stop.unit, next: stop.next });
    case 'quota':
      return say(stops.quota, { who: stop.answered_by });
    case 'key_refused':
      return say(stops.key_refused, { who: stop.answered_by, time: clockText(stop.since), answered: stop.answered });
    case 'unanswered':
      if ((stop.since ?? null) !== null) {
        return say(stops.stopped_answering, {
          who: stop.answered_by,
          time: clockText(stop.since ?? ''),
          answered: stop.answered ?? 0,
          why: stop.status === null ? 'none' : `HTTP ${stop.status}`,
        });
      }
      return say(stops.unanswered, {
        who: stop.answered_by,
        why: stop.status === null ? 'none' : `HTTP ${stop.status}`,
      });
    case 'long_pause':
      return say(stops.long_pause, { who: stop.answered_by, seconds: stop.seconds });
    case 'missing_shard':
      return say(stops.missing_shard, { shard: stop.shard, of: stop.of });
    case 'interrupted':
    case 'cut_off':
    case 'not_recorded':
      return say(stops[stop.kind]);
  }
}
