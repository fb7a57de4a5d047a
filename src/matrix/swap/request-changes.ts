import { groupBy } from '../../json/group-by.js';
import type { JsonObject } from '../../json/json.js';
import type { ReportDiff } from '../diff/report-diff.js';
import type { ReportCapability } from '../report-format.js';
import type { CapabilitySwap } from './capability-swaps.js';
import { formsOf, type NeedSide, type NeedSwap } from './need-swaps.js';
import { memberChanges, type MemberChange } from './sent-members.js';
import { capabilitiesOf, type SwapSide } from './swap-side.js';

/** What a client changes in its requests. */
export interface RequestChange {
  /** "send tool_choice: required instead of the object form" */
  readonly say: string;
  /** The needs and capabilities that it is for. */
  readonly for: readonly string[];
  /** A merge patch (RFC 7396) over the body; null: it is about the form, which the client writes. */
  readonly request: JsonObject | null;
  /**
   * `optional`: the request for the old model passes with the new one as well. `unproven`: nothing was lost by more than
   * luck, so that it may turn out needless. `unmeasured`: what it replaces got no usable answer, so that nobody knows.
   */
  readonly why: 'needed' | 'optional' | 'unproven' | 'unmeasured';
}

const order = ['needed', 'unmeasured', 'unproven', 'optional'] as const;

interface Found {
  readonly diff: ReportDiff;
  readonly capabilities: readonly CapabilitySwap[];
  readonly needs: readonly NeedSwap[];
}

export function requestChangesOf(found: Found, base: SwapSide, head: SwapSide): RequestChange[] {
  const { diff, needs, capabilities } = found;
  const moved = [...diff.conditions, ...diff.thresholds].filter(({ significant }) => significant);
  const certain = diff.lost.length === 0 && moved.length === 0 ? 'unproven' : 'needed';
  const known = { before: capabilitiesOf(base), after: capabilitiesOf(head) };
  const ofNeeds = needs
    .filter(({ change }) => change === 'requests')
    .flatMap((one) => {
      const holds = one.base?.form !== one.head?.form && known.after.get(one.base?.form ?? '')?.verdict === 'pass';
      return changesOfNeed(one, base, head).map(({ spared = false, ...change }) => ({
        ...{ ...change, for: one.need },
        why:
          holds || spared
            ? ('optional' as const)
            : replacesUnmeasured(change, diff)
              ? ('unmeasured' as const)
              : certain,
      }));
    });
  const conditions = diff.conditions.filter(({ significant }) => significant).map(({ capability }) => capability);
  const lost = capabilities.filter(({ change }) => change !== 'gained').map(({ capability }) => capability);
  const ofCapabilities = [...new Set([...lost, ...conditions])].flatMap((capability) => {
    const cells = capabilities.find((one) => one.capability === capability)?.lost ?? [];
    const points = diff.lost.filter(({ cell }) => cells.includes(cell)).map(({ cell }) => cell);
    const [was, is] = [known.before.get(capability), known.after.get(capability)];
    const changes = conditionChanges(was, is, points);
    const all = changes.length > 0 ? changes : replacements(capability, is, needs, head);
    return all.map((change) => ({ ...change, for: capability, why: 'needed' as const }));
  });
  const merged = [...groupBy([...ofNeeds, ...ofCapabilities], ({ say }) => say)].map(([say, same]) => ({
    ...{ say, for: [...new Set(same.map((one) => one.for))], request: same[0]?.request ?? null },
    why: order.find((why) => same.some((one) => one.why === why)) ?? 'optional',
  }));
  return order.flatMap((why) => merged.filter((one) => one.why === why));
}

/** It changes the very member that no answered request has. */
function replacesUnmeasured({ request }: Pick<MemberChange, 'request'>, { unmeasured }: ReportDiff): boolean {
  const names = Object.keys(request ?? {});
  return unmeasured.some(({ shared }) => shared !== null && names.includes(shared.replace(/:.*/s, '')));
}

function changesOfNeed({ base, head }: NeedSwap, old: SwapSide, now: SwapSide): MemberChange[] {
  if (base === null || head === null || base.form === null || head.form === null) return [];
  const isOtherForm = base.form !== head.form;
  const members = memberChanges({ ...base, ...patchesOf(old) }, { ...head, ...patchesOf(now) }, !isOtherForm);
  const isAboutChoice = ({ say }: MemberChange) => say.includes('tool_choice');
  const isToolChoice = [base.form, head.form].every((form) => form.startsWith('tool'));
  if (!isOtherForm || (isToolChoice && members.some(isAboutChoice))) return members;
  const asked = { say: `ask with ${formText(head.form)} instead of ${formText(base.form)}`, request: null };
  return [asked, ...members.filter((one) => !isAboutChoice(one))];
}

function patchesOf({ report, model }: SwapSide) {
  const patches = report.models.find(({ id }) => id === model)?.client?.settings;
  return patches === undefined ? {} : { patches };
}

/** What meets the condition on which a capability still holds. */
function conditionChanges(
  was: ReportCapability | undefined,
  is: ReportCapability | undefined,
  lost: readonly string[],
): MemberChange[] {
  if (is?.settings === undefined || (is.verdict !== 'partial' && is.verdict !== 'pass')) return [];
  return memberChanges(
    settingsOf(was, lost),
    { settings: is.settings, ...(is.request && { request: is.request }) },
    false,
  );
}

/** What was sent before: the condition of the old model, or else the point that all lost cells share. */
function settingsOf(was: ReportCapability | undefined, lost: readonly string[]) {
  if (was?.settings !== undefined) return { settings: was.settings, ...(was.request && { request: was.request }) };
  const isObject = lost.length > 0 && lost.every((cell) => /[[,]tool_choice=object[\],]/.test(cell));
  return isObject ? { settings: { tool_choice: 'object' }, request: {} } : {};
}

/** The form that is recommended instead of one that fails. */
function replacements(
  capability: string,
  is: ReportCapability | undefined,
  needs: readonly NeedSwap[],
  side: SwapSide,
): MemberChange[] {
  if (is !== undefined && is.verdict !== 'fail') return [];
  const served = needs
    .map((one) => ({ ...one, place: formsOf(one.need, side).indexOf(capability) }))
    .filter(({ place, head, base }) => place >= 0 && head !== null && head.form !== null && base?.form !== capability)
    .sort((a, b) => Number(isTool(b.head)) - Number(isTool(a.head)) || a.place - b.place);
  const alike = served.find(({ head }) => isTool(head) === capability.startsWith('tool')) ?? served[0];
  const form = alike?.head?.form ?? null;
  if (form === null || form === capability) return [];
  const [old, now] = [toolChoiceIn(capability), toolChoiceIn(form)];
  if (old !== null && now !== null) {
    const as = (label: string) => ({
      settings: { tool_choice: label },
      request: label === 'object' ? {} : { tool_choice: label },
    });
    return memberChanges(as(old), as(now), false);
  }
  const instead = `ask with ${formText(form)} instead of ${formText(capability)}`;
  // What only a call can do, such as to act, has no other form.
  const isOnlyForm = capability.startsWith('tool') && !form.startsWith('tool');
  return [{ say: isOnlyForm ? `${instead}, where a call is only a form of the answer` : instead, request: null }];
}

const isTool = (side: NeedSide | null): boolean => side?.form?.startsWith('tool') ?? false;

const toolChoiceIn = (form: string): string | null => /^tool_choice\.(.+)$/.exec(form)?.[1] ?? null;

function formText(form: string): string {
  const choice = toolChoiceIn(form);
  if (choice === 'object') return 'a tool and the object form of tool_choice';
  if (choice !== null) return `a tool and tool_choice: ${choice}`;
  if (form === 'json_schema' || form === 'json_object') return `response_format ${form}`;
  return form === 'tools' ? 'a tool' : form;
}
