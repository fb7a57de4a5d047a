export { startSimulator, type Simulator, type SimulatorOptions, type SimulatorStats } from './simulator.js';
export type { SeenRequest } from './http/service.js';
