import { readFileSync, statSync } from 'node:fs';

/** How the files of pictures begin that services take. */
const beginnings: readonly (readonly [mime: string, begins: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
];

/** 1 MB. */
const largestPicture = 1_000_000;

type Picture = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly refused: string };

/** A picture as a data URL. Its bytes say of what kind it is. Never throws. */
export function pictureUrl(file: string): Picture {
  try {
    const { size } = statSync(file);
    if (size > largestPicture) return { ok: false, refused: `is ${size} bytes large, more than ${largestPicture}` };
    const bytes = readFileSync(file);
    const begin = bytes.toString('latin1', 0, 12);
    const mime = beginnings.find(([, begins]) => begins.test(begin))?.[0];
    if (mime === undefined) return { ok: false, refused: 'is no picture of the kinds png, jpeg, webp and gif' };
    return { ok: true, url: `data:${mime};base64,${bytes.toString('base64')}` };
  } catch {
    return { ok: false, refused: 'cannot be read' };
  }
}
