// Runs in a thread of its own: see start-apart.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { startSimulator } from './simulator.js';
import type { SimulatorOptions } from './simulator.js';

const { baseUrl } = await startSimulator(workerData as SimulatorOptions);
parentPort?.postMessage(baseUrl);
