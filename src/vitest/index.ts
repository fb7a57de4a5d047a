/** The cells of a config as tests of Vitest. */
export { conformance, type ConformanceOptions } from './conformance-tests.js';
