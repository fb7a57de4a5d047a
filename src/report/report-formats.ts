import type { FileFormat, ReportFormat } from './render.js';

/** The built-in formats by name. Each renderer is loaded when it is first used. */
export const reportFormats = {
  json: {
    name: 'json',
    file: 'report.json',
    render: async (report, context) => (await import('./formats/render-json.js')).renderJson(report, context),
  },
  html: {
    name: 'html',
    file: 'index.html',
    render: async (report, context) => (await import('./page/render-page.js')).renderPage(report, context),
  },
  md: {
    name: 'md',
    file: 'report.md',
    render: async (report, context) => (await import('./formats/render-markdown.js')).renderMarkdown(report, context),
  },
  junit: {
    name: 'junit',
    file: 'junit.xml',
    render: async (report, context) => (await import('./formats/render-junit.js')).renderJunit(report, context),
  },
  ctrf: {
    name: 'ctrf',
    file: 'ctrf.json',
    render: async (report, context) => (await import('./formats/render-ctrf.js')).renderCtrf(report, context),
  },
  openmetrics: {
    name: 'openmetrics',
    file: 'openmetrics.txt',
    render: async function* (report, context) {
      yield* (await import('./formats/render-openmetrics.js')).renderOpenMetrics(report, context);
    },
  },
  otel: {
    name: 'otel',
    file: 'otel.json',
    render: async function* (report, context) {
      yield* (await import('./formats/render-otel.js')).renderOtel(report, context);
    },
  },
  failures: {
    name: 'failures',
    file: 'failures.jsonl',
    render: async function* (_report, context) {
      yield* (await import('./formats/failure-lines.js')).failureLines(context);
    },
  },
  summary: {
    name: 'summary',
    file: 'summary.json',
    render: async (report, context) => (await import('./formats/render-summary.js')).renderSummary(report, context),
  },
  capabilities: {
    name: 'capabilities',
    file: 'capabilities.json',
    render: async (report) => (await import('./capabilities/capability-map-of.js')).renderCapabilities(report),
  },
  issue: {
    name: 'issue',
    file: null,
    render: async (report, context) => (await import('./formats/render-issue.js')).renderIssue(report, context),
  },
  terminal: {
    name: 'terminal',
    file: null,
    render: async (report, context) => (await import('./terminal/render-terminal.js')).renderTerminal(report, context),
  },
} as const satisfies Readonly<Record<string, ReportFormat>>;

/** The built-in formats that have a file in the run folder. */
export const fileFormats: readonly FileFormat[] = Object.values<ReportFormat>(reportFormats).filter(
  (format): format is FileFormat => format.file !== null,
);

/** Few read these, so that a run writes them only when asked. */
const onRequest: ReadonlySet<string> = new Set(['ctrf', 'openmetrics', 'otel']);

export const usualFormats: readonly FileFormat[] = fileFormats.filter(({ name }) => !onRequest.has(name));
