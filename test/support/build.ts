/** Builders of the things that tests are about. Each takes what the test cares about and fills in the rest. */
export * from './build/config.js';
export * from './build/event.js';
export * from './build/exchange.js';
export * from './build/expectation.js';
export * from './build/finding.js';
export * from './build/outcome.js';
export * from './build/probe.js';
export * from './build/report.js';
export * from './build/stream.js';
export * from './build/planned-cell.js';
