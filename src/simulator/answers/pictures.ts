import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject, parsedJson, writtenJson } from '../../json/json.js';
import { once } from '../../json/remembered.js';
import type { Traits } from '../profiles/profile.js';
import { jsonObjectsIn } from './quoted-text.js';

/** Finds the content of a picture by its data URL; undefined for one that nobody knows. */
export type SeenPictures = (url: string) => JsonObject | undefined;

/** The pictures that `pictures.jsonl` of a folder lists, each with what it shows; none where it is missing. */
export function knownPicturesIn(folder: string): SeenPictures {
  const byContent = once(() => {
    const list = join(folder, 'pictures.jsonl');
    const lines = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];
    return new Map(lines.map((line) => pictureOf(parsedJson(line) as { file: string; shows: JsonObject }, folder)));
  });
  return (url) => byContent().get(url.replace(/^data:[^,]*,/, ''));
}

function pictureOf({ file, shows }: { readonly file: string; readonly shows: JsonObject }, folder: string) {
  return [readFileSync(join(folder, file)).toString('base64'), shows] as const;
}

/** The sight of a model without eyes, whatever the picture. */
const invented: JsonObject = { digit: 3, colour: 'green' };

/** The body as the model takes it: in place of each picture, a text of what it sees there. */
export function withPicturesSeen(body: JsonObject, pictures: Traits['pictures'], find: SeenPictures): JsonObject {
  const { messages } = body;
  if (!Array.isArray(messages) || !writtenJson(messages).includes('"image_url"')) return body;
  const seen = (part: Json): Json => {
    const url = pictureUrlOf(part);
    if (url === null) return part;
    if (pictures === 'ignored') return { type: 'text', text: '' };
    const picture = pictures === 'invented' ? invented : (find(url) ?? {});
    return { type: 'text', text: `\n${writtenJson({ picture })}` };
  };
  return {
    ...body,
    messages: (messages as readonly Json[]).map((message) =>
      isObject(message) && Array.isArray(message['content'])
        ? { ...message, content: (message['content'] as readonly Json[]).map(seen) }
        : message,
    ),
  };
}

function pictureUrlOf(part: Json): string | null {
  if (!isObject(part) || part['type'] !== 'image_url') return null;
  const url = isObject(part['image_url']) ? part['image_url']['url'] : part['image_url'];
  return typeof url === 'string' ? url : '';
}

/** A sentence about the pictures of a message; null where it has none. */
export function saidOfPictures(text: string): string | null {
  const pictures = jsonObjectsIn(text).flatMap(({ picture }) =>
    isObject(picture ?? null) ? [picture as JsonObject] : [],
  );
  if (pictures.length === 0) return null;
  const said = pictures.map(({ digit, colour }) =>
    typeof digit === 'number' ? `the digit ${digit} in ${writtenJson(colour ?? null)}` : 'a picture',
  );
  return `I see ${said.join(', then ').replaceAll('"', '')}.`;
}
