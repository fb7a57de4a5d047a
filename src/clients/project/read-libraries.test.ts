import { expect, test } from 'vitest';
import type { Library } from './library.js';
import { joined } from './project-libraries.js';
import * as read from './read-libraries.js';

/** `name version`, with `=` where it is locked, and what is known of who asks for it. */
const written = ({ name, version, locked, direct }: Library): string =>
  `${name} ${locked ? '=' : ''}${version}${direct === null ? '' : direct ? ' own' : ' other'}`;

const pyproject = `
[project]
dependencies = ["openai>=3,<4", "Langchain_OpenAI[extra] ~= 1.7 ; python_version > '3.9'", "litellm"]
[project.optional-dependencies]
more = ["instructor==1.17.0"]
[dependency-groups]
dev = ["dspy!=3.0", { include-group = "test" }]
[tool.poetry.dependencies]
python = "^3.11"
haystack-ai = "^3.4"
smolagents = { version = "1.26", extras = ["openai"] }
[tool.poetry.group.test.dependencies]
"llama.index" = "*"
`;
const requirements = `# what the shop needs
openai==3.57.0 \\
    --hash=sha256:13b2 \\
    --hash=sha256:f072
langchain-openai >= 1.7  # wrapper
-r base.txt
--index-url https://pypi.example/simple
instructor[litellm]==1.17.0 ; python_version >= "3.9"
shop @ https://shop.example/shop.whl
pydantic-ai-slim
a line of prose that names nothing
`;
const uvLock = `version = 1
[[package]]
name = "openai"
version = "3.57.0"
[[package]]
name = "anyio"
version = "4.16.0"
[[package]]
name = "no-version"
`;
const goMod = `module shop
go 1.24
require github.com/sashabaranov/go-openai v1.43.0
require (
	github.com/openai/openai-go/v3 v3.99.0
	// a comment
	github.com/tidwall/gjson v1.20.0 // indirect
)
replace github.com/openai/openai-go/v3 => ../fork
`;
const pom = `<?xml version="1.0"?><project><properties><openai.version>4.101.0</openai.version></properties>
<dependencyManagement><dependencies><dependency><groupId>dev.langchain4j</groupId><artifactId>langchain4j</artifactId><version>1.19.0</version></dependency></dependencies></dependencyManagement>
<dependencies>
<dependency><groupId>com.openai</groupId><artifactId>openai-java</artifactId><version>\${openai.version}</version></dependency>
<dependency><groupId>dev.langchain4j</groupId><artifactId>langchain4j</artifactId></dependency>
<dependency><groupId>org.unknown</groupId><artifactId>kit</artifactId><version>\${missing}</version></dependency>
</dependencies></project>`;
const gradle = `dependencies {
  implementation("com.openai:openai-java:4.101.0") // "old:one:1.0"
  implementation 'dev.langchain4j:langchain4j-open-ai:1.+'
  /* testImplementation 'not:this:1.0' */
  runtimeOnly "org.springframework.ai:spring-ai-openai"
}
repositories { maven { url "https://shop.example:8443/maven" } }`;
const catalog = `[versions]
openai = "4.101.0"
chain = { strictly = "[1.14,2)", require = "1.14.0", prefer = "1.19.0" }
[libraries]
openai = { module = "com.openai:openai-java", version.ref = "openai" }
chain = "dev.langchain4j:langchain4j:1.19.0"
chain-openai = { group = "dev.langchain4j", name = "langchain4j-open-ai", version.ref = "chain" }
spring = { module = "org.springframework.ai:spring-ai-openai" }
nameless = { version = "1.0" }
[plugins]
boot = { id = "org.springframework.boot", version = "4.0.0" }
`;

test.each<[string, read.LibraryReader, string, readonly string[]]>([
  [
    ...(['pyproject.toml', read.pyprojectToml, pyproject] as const),
    [
      ...[
        'openai >=3,<4 own',
        'langchain-openai ~= 1.7 own',
        'litellm  own',
        'instructor =1.17.0 own',
        'dspy !=3.0 own',
      ],
      ...['haystack-ai ^3.4 own', 'smolagents 1.26 own', 'llama-index * own'],
    ],
  ],
  [
    ...(['requirements.txt', read.requirementsTxt, requirements] as const),
    ['openai =3.57.0', 'langchain-openai >= 1.7', 'instructor =1.17.0', 'shop ', 'pydantic-ai-slim '],
  ],
  ['uv.lock', read.pythonLock, uvLock, ['openai =3.57.0', 'anyio =4.16.0']],
  [
    'Pipfile.lock',
    read.pipfileLock,
    '{"default":{"OpenAI":{"version":"==3.57.0"}},"develop":{"dspy":{"git":"x"}}}',
    ['dspy =', 'openai =3.57.0'],
  ],
  [
    'go.mod',
    read.goMod,
    goMod,
    [
      'github.com/sashabaranov/go-openai =1.43.0 own',
      'github.com/openai/openai-go =3.99.0 own',
      'github.com/tidwall/gjson =1.20.0 other',
    ],
  ],
  [
    'pom.xml',
    read.pomXml,
    pom,
    ['com.openai:openai-java =4.101.0 own', 'dev.langchain4j:langchain4j =1.19.0 own', 'org.unknown:kit  own'],
  ],
  [
    'pylock.toml',
    read.pythonLock,
    'lock-version = "1.0"\n[[packages]]\nname = "openai"\nversion = "3.57.0"\n[[packages]]\nname = "shop"\n',
    ['openai =3.57.0'],
  ],
  [
    'gradle.lockfile',
    read.gradleLock,
    '# written by Gradle\ncom.openai:openai-java:4.101.0=compileClasspath,runtimeClasspath\nempty=annotationProcessor\n',
    ['com.openai:openai-java =4.101.0'],
  ],
  [
    'libs.versions.toml',
    read.versionCatalog,
    catalog,
    [
      'com.openai:openai-java 4.101.0 own',
      'dev.langchain4j:langchain4j 1.19.0 own',
      'dev.langchain4j:langchain4j-open-ai [1.14,2) own',
      'org.springframework.ai:spring-ai-openai  own',
    ],
  ],
  [
    'build.gradle',
    read.buildGradle,
    gradle,
    [
      'com.openai:openai-java =4.101.0 own',
      'dev.langchain4j:langchain4j-open-ai 1.+ own',
      'org.springframework.ai:spring-ai-openai  own',
    ],
  ],
  [
    'package.json',
    read.packageJson,
    '{"dependencies":{"openai":"^6.1.0"},"devDependencies":{"ai":"5"}}',
    ['ai 5 own', 'openai ^6.1.0 own'],
  ],
])('%s names what the project has', (_file, reader, text, libraries) => {
  expect(reader(text).map(written)).toEqual(libraries);
});

test.each(Object.entries(read))('%s takes what it cannot read for empty', (_name, reader) => {
  for (const text of [
    '',
    '[',
    '{"a": [}',
    '<a>',
    '= 1',
    '\u0000',
    '"null"',
    '[[package]]\nname = 5',
    '<project><dependencies>',
  ]) {
    expect(reader(text), text).toEqual([]);
  }
});

const library = (version: string, locked: boolean, direct: boolean | null): Library => ({
  ...{ ecosystem: 'pypi', name: 'openai', version, locked, direct },
});
test.each([
  ['the lock', [library('>=3', false, true), library('3.57.0', true, null)], library('3.57.0', true, true)],
  ['the lock before', [library('3.57.0', true, null), library('>=3', false, true)], library('3.57.0', true, true)],
  ['the later of two', [library('>=1', false, true), library('>=3', false, true)], library('>=3', false, true)],
  ['what is known', [library('3.1.0', true, false), library('3.1.0', true, null)], library('3.1.0', true, null)],
])('of several files %s counts', (_name, found, expected) => {
  expect(joined(found)).toEqual([expected]);
});
