import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** Markdown as GitHub renders it; raw HTML stays raw, so that a test can see it. */
export function rendered(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

/** What chatspec's own Markdown uses. Links, images, lists with numbers and other HTML can only come from data. */
const own = new Set('h1 h2 p br code pre table thead tbody tr th td ul li blockquote strong'.split(' '));

/** The elements in the rendered Markdown that only data can have brought. */
export function foreignElements(markdown: string): readonly string[] {
  const html = rendered(markdown);
  const tags = html.match(/<[^>]*>?/g) ?? [];
  return tags.filter((tag) => !own.has(/^<\/?(\w+)(?: \/| class="language-(?:json|sh)")?>$/.exec(tag)?.[1] ?? ''));
}

/** The rendered text without code, in which GitHub looks for mentions, references, formulas and emoji. */
export function proseOf(markdown: string): string {
  const html = rendered(markdown).replace(/<(pre|code)\b[^]*?<\/\1>/g, '\u0000');
  return decoded(html.replace(/<[^>]*>/g, '\u0000'));
}

/** All text that a reader sees, code included. */
export function textOf(markdown: string): string {
  return decoded(rendered(markdown).replace(/<[^>]*>/g, ''));
}

/** What GitHub acts on in text that is no code. */
export const acting = /@\w|#\d|\bGH-\d|\$[^\0]*\$|:[a-z+-][\w+-]*:|\w:\/\/|www\./i;

function decoded(html: string): string {
  const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return html.replace(/&(lt|gt|quot|amp);/g, (whole, name: string) => named[name] ?? whole);
}
