// Runs in a thread of its own, which is given one answer at a time: see long-judgements.ts.
import { parentPort } from 'node:worker_threads';
import type { Exchange } from '../../chat/exchange.js';
import type { Judging } from '../../judge/context.js';
import { climbLadder } from '../../judge/judge.js';

parentPort?.on('message', ({ exchange, judging }: { readonly exchange: Exchange; readonly judging: Judging }) => {
  parentPort?.postMessage(climbLadder(exchange, judging));
});
parentPort?.postMessage('ready');
