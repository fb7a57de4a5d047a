import type { Format, Renderer } from './render.js';

/** Every format by name; each is loaded when it is first used. */
export const renderers: Readonly<Record<Format, Renderer>> = {
  json: async (report, context) => (await import('./json/render-json.js')).renderJson(report, context),
  md: async (report, context) => (await import('./markdown/render-markdown.js')).renderMarkdown(report, context),
  junit: async (report, context) => (await import('./junit/render-junit.js')).renderJunit(report, context),
  html: async (report, context) => (await import('./html/render-html.js')).renderHtml(report, context),
  failures: async (report, context) => (await import('./gather/failures.js')).renderFailures(report, context),
  terminal: async (report, context) => (await import('./terminal/render-terminal.js')).renderTerminal(report, context),
};
