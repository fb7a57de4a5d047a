import { expect, test } from 'vitest';
import { clientTable } from '../client-table.js';
import { clientLibraries } from './client-libraries.js';
import type { Ecosystem, Library } from './library.js';

const library = (ecosystem: Ecosystem, name: string, version = '1.0'): Library => ({
  ecosystem,
  name,
  version,
  locked: true,
  direct: null,
});

test.each<[Ecosystem, readonly string[]]>([
  [
    'pypi',
    'openai litellm langchain-openai pydantic-ai-slim instructor openai-agents llama-index-llms-openai-like dspy haystack-ai smolagents aisuite any-llm-sdk'.split(
      ' ',
    ),
  ],
  ['npm', ['openai', 'ai', '@ai-sdk/openai-compatible', '@langchain/openai', '@instructor-ai/instructor']],
  ['go', ['github.com/openai/openai-go', 'github.com/sashabaranov/go-openai', 'github.com/tmc/langchaingo']],
  [
    'maven',
    ['com.openai:openai-java', 'dev.langchain4j:langchain4j', 'org.springframework.ai:spring-ai-starter-model-openai'],
  ],
])('libraries of %s that talk to models', (ecosystem, names) => {
  const found = clientLibraries(names.map((name) => library(ecosystem, name)));
  expect(Object.keys(found)).toEqual(names.map((name) => `${ecosystem}:${name}`).sort());
});

test('every library that was measured is one', () => {
  const { clients } = clientTable();
  const found = clientLibraries(clients.map((client) => library(client.ecosystem, client.package)));
  expect(Object.keys(found)).toEqual(
    [...new Set(clients.map((client) => `${client.ecosystem}:${client.package}`))].sort(),
  );
});

test('transports and the rest of a project are none', () => {
  const others =
    'httpx requests aiohttp urllib3 anyio pydantic flask aiofiles email-validator pytest tenacity tokenizers';
  expect(clientLibraries(others.split(' ').map((name) => library('pypi', name)))).toEqual({});
  const asides =
    'genai-prices langchain-protocol langchain-text-splitters opentelemetry-instrumentation-openai types-openai';
  expect(clientLibraries(asides.split(' ').map((name) => library('pypi', name)))).toEqual({});
  expect(clientLibraries(['undici', 'axios', 'chai', 'await-to-js'].map((name) => library('npm', name)))).toEqual({});
});

test('the version is the locked one, or what is asked for', () => {
  const open = (version: string): Library => ({ ...library('pypi', 'openai', version), locked: false });
  expect(clientLibraries([open('')])).toEqual({ 'pypi:openai': '*' });
  expect(clientLibraries([open('>=3,<4')])).toEqual({ 'pypi:openai': '>=3,<4' });
  expect(clientLibraries([library('pypi', 'openai', '3.57.0')])).toEqual({ 'pypi:openai': '3.57.0' });
});
