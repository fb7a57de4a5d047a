import { nearest } from '../files/problems/nearest.js';
import type { Path } from '../files/source.js';
import { isObject, type Json } from '../json/json.js';
import { formFault, type Fault } from './fault.js';
import { hasTemplate } from './has-template.js';

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'auto', 'default'];

/**
 * Fields whose list of values is open, because vendors add their own, and the values that are in use; `*` is any place in
 * a list. What is near one of them is probably a mistake, but may be a vendor's own value, so it is only a warning.
 */
const openLists: readonly { readonly at: readonly string[]; readonly values: readonly string[] }[] = [
  { at: ['reasoning_effort'], values: efforts },
  { at: ['reasoning', 'effort'], values: efforts },
  { at: ['thinking', 'type'], values: ['enabled', 'disabled', 'auto', 'adaptive'] },
  { at: ['verbosity'], values: ['low', 'medium', 'high'] },
  {
    at: ['messages', '*', 'content', '*', 'type'],
    values: [
      ...[
        'text',
        'image_url',
        'input_audio',
        'file',
        'refusal',
        'video_url',
        'audio_url',
        'file_url',
        'image',
        'audio',
      ],
      ...['video', 'document', 'document_url', 'input_text', 'input_image', 'input_file', 'output_text', 'thinking'],
      ...['tool_use', 'tool_result', 'reference', 'input_video'],
    ],
  },
  { at: ['messages', '*', 'content', '*', 'image_url', 'detail'], values: ['low', 'high', 'auto', 'original'] },
];

/** Values that are near one in use, in a body or a part of one. */
export function* nearValueFaults(body: Json): Generator<Fault> {
  for (const { at, values } of openLists) {
    for (const { path, value } of textsAt(body, at)) {
      if (values.includes(value) || hasTemplate(value)) continue;
      const meant = nearest(value, values);
      if (meant === null) continue;
      const message = `${path.join('.')}: the text "${value}" is no value in use`;
      const hint = `did you mean "${meant}"?`;
      yield { ...formFault(path, message, hint), severity: 'warning' };
    }
  }
}

function* textsAt(
  here: Json,
  [step, ...rest]: readonly string[],
  path: Path = [],
): Generator<{ path: Path; value: string }> {
  if (step === undefined) {
    if (typeof here === 'string') yield { path, value: here };
  } else if (step === '*') {
    if (!Array.isArray(here)) return;
    for (const [index, item] of (here as readonly Json[]).entries()) yield* textsAt(item, rest, [...path, index]);
  } else if (isObject(here) && Object.hasOwn(here, step)) {
    yield* textsAt(here[step] ?? null, rest, [...path, step]);
  }
}
