import type { Format, Renderer } from './render.js';

/** Every format by name; each is loaded when it is first used. */
export const renderers: Readonly<Record<Format, Renderer>> = {
  json: async (report, context) => (await import('./render-json.js')).renderJson(report, context),
  md: async (report, context) => (await import('./render-markdown.js')).renderMarkdown(report, context),
  junit: async (report, context) => (await import('./render-junit.js')).renderJunit(report, context),
  html: async (report, context) => (await import('./render-html.js')).renderHtml(report, context),
  failures: async (report, context) => (await import('./failures.js')).renderFailures(report, context),
  terminal: async (report, context) => (await import('./render-terminal.js')).renderTerminal(report, context),
};
