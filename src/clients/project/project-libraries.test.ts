import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.js';
import { librariesIn } from './project-libraries.js';

test.each([
  ['gradle/libs.versions.toml', '[libraries]\nopenai = "com.openai:openai-java:4.101.0"\n', true],
  ['build.gradle.kts', 'dependencies { implementation("com.openai:openai-java:4.101.0") }', true],
  ['gradle/wrapper.toml', '[libraries]\nopenai = "com.openai:openai-java:4.101.0"\n', false],
  ['other/libs.versions.toml', '[libraries]\nopenai = "com.openai:openai-java:4.101.0"\n', false],
])('%s names libraries where Gradle looks for it', async (file, text, isRead) => {
  const folder = await tempFolder();
  await mkdir(join(folder, file, '..'), { recursive: true });
  await writeFile(join(folder, file), text);
  expect(librariesIn(folder).map(({ name, version }) => `${name} ${version}`)).toEqual(
    isRead ? ['com.openai:openai-java 4.101.0'] : [],
  );
});
