// The minimum that any client does: send, parse, validate, discard. bench/engine.mjs compares chatspec with it.
//   node bare.mjs ORIGIN REQUEST_FILE REQUESTS CONCURRENCY
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Pool } from 'undici';

const [origin, file, requests, concurrency] = process.argv.slice(2);
const request = JSON.parse(readFileSync(file, 'utf8'));
const conforms = new Ajv2020().compile(request.response_format.json_schema.schema);
const pool = new Pool(origin, { connections: Number(concurrency), pipelining: 1 });
const headers = { 'content-type': 'application/json', authorization: `Bearer ${process.env.ENGINE_KEY}` };
let left = Number(requests);

async function ask() {
  // Serialised each time, as a client does whose requests differ.
  const body = JSON.stringify(request);
  const answer = await pool.request({ path: '/v1/chat/completions', method: 'POST', headers, body });
  const { choices } = JSON.parse(await answer.body.text());
  if (!conforms(JSON.parse(choices[0].message.content))) throw new Error('an answer does not conform');
}

async function askOn() {
  while (left > 0) {
    left -= 1;
    await ask();
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, askOn));
await pool.close();
