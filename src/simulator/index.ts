export { simulate, startSimulator, type SimulateOptions, type Simulator, type SimulatorOptions } from './simulator.js';
export type { Match } from './faults/overrides.js';
export type { LoggedRequest } from './http/request-log.js';
export type { HttpResponse, SeenAnswer } from './http/response.js';
export type { SeenRequest } from './http/service.js';
export type { Do, Fault, Traits, When } from './profiles/profile.js';
export type { ProfileInput, WrittenProfile } from './profiles/load-profiles.js';

export type { Json, JsonArray, JsonObject } from '../json/json.js';
export type { CallsWith, Profile, Respond, SchemaPlace, TextDamage, ThinkingTraits } from './profiles/profile.js';
export type { OverrideOptions, SimulatorStats } from './simulator.js';
