import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type SeenRequest, type Simulator } from './index.js';

let simulator: Simulator;
const seen: SeenRequest[] = [];
beforeAll(async () => {
  simulator = await startSimulator({ onRequest: (request) => seen.push(request) });
});
afterAll(() => simulator.close());

function post(model: string, more: object = {}, headers: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Make one' }], ...more });
  return fetch(`${simulator.baseUrl}/chat/completions`, { method: 'POST', body, headers, redirect: 'manual' });
}
const schema = { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } } };

describe('the simulator', () => {
  test('listens on loopback and lists its models', async () => {
    expect(simulator.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(simulator.models).toEqual(expect.arrayContaining(['sim-reference', 'pro-sim-reference']));
    const listed = (await (await fetch(`${simulator.baseUrl}/models`)).json()) as { data: { id: string }[] };
    expect(listed.data.map(({ id }) => id)).toEqual(simulator.models);
  });

  test('answers unknown paths, methods and models with a JSON error', async () => {
    const elsewhere = await fetch(`${simulator.baseUrl}/embeddings`, { method: 'POST', body: '{}' });
    expect([elsewhere.status, await elsewhere.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
    expect((await fetch(`${simulator.baseUrl}/chat/completions`)).status).toBe(405);
    expect((await post('no-such-model')).status).toBe(404);
  });

  test('counts requests by model and reports each one', async () => {
    const before = simulator.stats();
    await (await post('pro-sim-reference', {}, { 'x-chatspec-trial': 'cell/3', 'x-chatspec-attempt': '2' })).text();
    const after = simulator.stats();
    expect(after.requests).toBe(before.requests + 1);
    expect(after.byModel['pro-sim-reference']).toBe((before.byModel['pro-sim-reference'] ?? 0) + 1);
    expect(after.inFlight).toBe(0);
    expect(after.peakInFlight).toBeGreaterThan(0);
    expect(seen.at(-1)).toMatchObject({ model: 'pro-sim-reference', trial: 'cell/3', attempt: 2 });
  });

  test('streams endlessly until the client disconnects', async () => {
    const response = await post('sim-stream-endless', { stream: true });
    const reader = response.body!.getReader();
    for (let reads = 0; reads < 20; reads += 1) expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    await expect.poll(() => simulator.stats().inFlight).toBe(0);
  });

  test('cuts requests in flight when it closes', async () => {
    const other = await startSimulator();
    const body = JSON.stringify({ model: 'sim-hang', messages: [{ role: 'user', content: 'hi' }], ...schema });
    const hanging = fetch(`${other.baseUrl}/chat/completions`, { method: 'POST', body });
    const failed = expect(hanging).rejects.toThrow();
    await expect.poll(() => other.stats().inFlight).toBe(1);
    await other.close();
    await failed;
  });

  test('rejects when its port is taken', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as { port: number };
    await expect(startSimulator({ port })).rejects.toThrow(/EADDRINUSE/);
    await new Promise((resolve) => blocker.close(resolve));
  });
});
