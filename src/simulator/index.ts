export { simulate, startSimulator, type Simulator, type SimulatorStats } from './simulator.js';
export type { OverrideOptions, SimulateOptions, SimulatorOptions } from './simulator-options.js';
export type { Match } from './faults/overrides.js';
export type { LoggedRequest } from './http/request-log.js';
export type { SeenAnswer } from './http/seen-answer.js';
export type { SeenRequest } from './http/service.js';
export type { Do, Fault, ThinkingTraits, Traits, When } from './profiles/profile.js';
export type { ProfileInput, WrittenProfile } from './profiles/profile-sources.js';
