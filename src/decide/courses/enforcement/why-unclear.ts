import type { EnforceSpec } from '../../../suite/probe.js';
import type { Sample } from '../sample.js';
import { outcomesOf, usableOutcomes } from './asked-outcomes.js';
import { placesBroken } from './chance-test.js';
import { comparedReply } from './compared-reply.js';
import { isReturned } from './enforcement.js';
import { isRefusedThroughout } from './refusals.js';
import { isCut, isWithheld, replyUnderSchema } from './reply-under-schema.js';
import { unconstrainedIn } from './unconstrained-reply.js';

/** Why nothing is proven about a keyword, in one line; it says nothing that did not happen. */
export function whyUnclear(sample: Sample, spec: EnforceSpec): string {
  const invalid = outcomesOf(sample, 'invalid');
  if (invalid.length === 0) return 'no answer under the schema could be judged';
  if (invalid.every(isCut)) return 'every reply under the schema was cut off';
  if (invalid.every(isWithheld)) return 'the service rejected what the model wrote under the schema';
  if (isRefusedThroughout(sample, spec))
    return `the requests with the schema were refused, but so were some without ${spec.keyword}, and no refusal blames the schema`;
  const usable = usableOutcomes(sample, 'invalid', spec);
  if (usable.length === 0)
    return 'every reply under the schema was cut off, rejected by the service or garbled on its way';
  if (usable.every((outcome) => outcome.class === 'missing_tool_call')) return 'no reply under the schema held a call';
  if (usable.every((outcome) => outcome.class === 'empty_content')) return 'no reply under the schema held any content';
  const shown = usable.map((outcome) => replyUnderSchema(outcome, spec));
  const [keeps, wrapped] = [shown.includes('keeps'), shown.includes('wrapped')];
  if (wrapped) {
    return `a document that breaks ${spec.keyword} came under the schema, but in a fence or a text and not by itself`;
  }
  if (!keeps) return whyNoneConforms(shown, spec);
  return isReturned(sample, spec) ? whyNothingProven(sample, spec) : whyNotReturned(sample, spec);
}

function whyNoneConforms(shown: readonly ReturnType<typeof replyUnderSchema>[], { keyword }: EnforceSpec): string {
  if (shown.every((one) => one === 'elsewhere')) {
    return `the replies under the schema break it elsewhere, which says nothing of ${keyword}`;
  }
  if (shown.every((one) => one === 'nothing')) {
    return `no reply under the schema is a document by itself, and a text says nothing of ${keyword}`;
  }
  if (shown.includes('refusal')) {
    return `some requests with the schema were refused and others failed otherwise, so neither shows how ${keyword} is treated`;
  }
  return `the replies under the schema say nothing of ${keyword}: none is a document that conforms or breaks it`;
}

function whyNotReturned(sample: Sample, spec: EnforceSpec): string {
  const { keyword } = spec;
  const lost = usableOutcomes(sample, 'valid', spec).length;
  if (lost === 0) return `the replies keep to ${keyword}, but no reply to the valid document could be judged`;
  return `the replies keep to ${keyword}, but the valid document did not come back either, so the schema may forbid too much`;
}

/** The replies under the schema conform; what the others show decides what is missing for a proof. */
function whyNothingProven(sample: Sample, spec: EnforceSpec): string {
  const { keyword } = spec;
  const loose = usableOutcomes(sample, 'loose', spec);
  const free = usableOutcomes(sample, 'free', spec).filter(
    (outcome) => comparedReply(outcome, spec).value !== null || outcome.class === 'not_json',
  );
  switch (unconstrainedIn(sample, spec)) {
    case 'keyword':
      return 'the replies conform, but too few to rule out chance';
    case 'schema': {
      const without = `under the schema without ${keyword}`;
      if (loose.length === 0) {
        return `the replies conform, but too few to rule out chance: without the schema the model breaks the schema, not ${keyword} itself`;
      }
      const breaks = loose.filter((outcome) => placesBroken(outcome, spec).length > 0).length;
      return breaks === 0
        ? `the replies conform, perhaps by chance: ${without} no reply breaks it either`
        : `the replies conform, perhaps by chance: ${without} only ${breaks} of ${loose.length} replies break it`;
    }
    case 'nothing':
      return free.length === 0
        ? 'the replies conform, but no reply without the schema held a document to compare them with'
        : `the replies conform, but the model does not break ${keyword} without the schema either, so nothing is proven`;
  }
}
