import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.js';
import { librariesIn } from './project-libraries.js';

const java = 'com.openai:openai-java 4.101.0';
test.each([
  ['requirements/base.txt', 'openai==3.57.0\n', 'openai 3.57.0'],
  ['requirements-dev.txt', 'openai==3.57.0\n', 'openai 3.57.0'],
  ['requirements/base.md', 'openai==3.57.0\n', null],
  ['pylock.toml', '[[packages]]\nname = "openai"\nversion = "3.57.0"\n', 'openai 3.57.0'],
  ['pylock.dev.toml', '[[packages]]\nname = "openai"\nversion = "3.57.0"\n', 'openai 3.57.0'],
  ['gradle.lockfile', 'com.openai:openai-java:4.101.0=runtimeClasspath\n', java],
  ['gradle/libs.versions.toml', '[libraries]\nopenai = "com.openai:openai-java:4.101.0"\n', java],
  ['build.gradle.kts', 'dependencies { implementation("com.openai:openai-java:4.101.0") }', java],
  ['gradle/wrapper.toml', '[libraries]\nopenai = "com.openai:openai-java:4.101.0"\n', null],
  ['other/libs.versions.toml', '[libraries]\nopenai = "com.openai:openai-java:4.101.0"\n', null],
])('%s names libraries where its tool looks for it', async (file, text, library) => {
  const folder = await tempFolder();
  await mkdir(join(folder, file, '..'), { recursive: true });
  await writeFile(join(folder, file), text);
  expect(librariesIn(folder).map(({ name, version }) => `${name} ${version}`)).toEqual(
    library === null ? [] : [library],
  );
});
