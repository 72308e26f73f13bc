import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { threads } from '#bin/build.ts';
import { functionIds } from '#infra/names.ts';
import { permissionsOf } from '#infra/permissions.ts';
import { repositoryRoot } from '#local/paths.ts';
import { backgroundFunctions } from '#shared/service/pipelines/background.ts';
import { filesOfLayer } from '#test/helpers/source/layer-files.ts';

/** Folders whose modules parse what callers send, each unless `HARMLESS` says why it does not. */
const PARSING_FOLDERS = [
  'shared/tabular/adapters',
  'shared/tabular/decide',
  'shared/ingest/decide/imports',
  'shared/responses/adapters/mcp',
];

/** The other folders of adapters, which speak to AWS, to models and to servers. */
const OTHER_ADAPTERS = [
  'shared/deployments/adapters',
  'shared/events/adapters',
  'shared/ingest/adapters',
  // Reads messages of JSON.
  'shared/mcp/adapters',
  'shared/models/adapters',
  'shared/platform/adapters',
  // Asks the API of the service itself.
  'shared/probe/adapters',
  'shared/publishing/adapters',
  'shared/responses/adapters',
  'shared/runs/adapters',
  // Sends what functions have logged.
  'shared/telemetry/adapters',
  'shared/training/adapters',
  'shared/transfer/adapters',
  'shared/webhooks/adapters',
  // Runs the code of rows in WebAssembly.
  'shared/witnesses/adapters',
];

const PARSING_PACKAGES = [
  '@modelcontextprotocol/client',
  'htmlparser2',
  'hyparquet',
  'hyparquet-compressors',
  'unpdf',
  'yauzl',
];

/** Packages that parse no file of a caller. */
const OTHER_PACKAGES = [
  /^@aws-(sdk|lambda-powertools)\//,
  /^@middy\//,
  // Reads messages of JSON, which the parser of all bodies has read.
  /^@modelcontextprotocol\/(?:core|server)$/,
  // Writes what functions have logged.
  /^@opentelemetry\//,
  // Texts of rows, in JavaScript alone.
  /^@lezer\//,
  /^eld\//,
  // Sends files as they are, and reads answers of its hub.
  /^@huggingface\/hub$/,
  // Unpacks what trainers have packed.
  /^tar$/,
  // What hands files to DuckDB is a module of its own, and a parser.
  /^@duckdb\/node-api$/,
  /^(eventsource-parser|ipaddr\.js|undici|zod)$/,
  // Interpreters of the code of rows, which only the sealed function has.
  /^(pyodide|quickjs-emscripten-core|sql\.js|@jitl\/quickjs-wasmfile-release-sync)$/,
  // Threads of sources, which no deployed function has.
  /^tsx\//,
];

/** Modules of the parsing folders that parse no file, by the reason. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  'writes rows': [
    'shared/tabular/adapters/chunk-sink.ts',
    'shared/tabular/adapters/export-rows.ts',
    'shared/tabular/adapters/write-rows.ts',
    'shared/tabular/decide/block-writer.ts',
    'shared/tabular/decide/chunk-builder.ts',
    'shared/tabular/decide/csv-delimiters.ts',
    'shared/tabular/decide/csv-writer.ts',
    'shared/tabular/decide/export-columns.ts',
    'shared/tabular/decide/forms/write-form.ts',
    'shared/tabular/decide/json-writer.ts',
  ],
  'reads rows, in the one form that the readers of files leave them in': [
    'shared/tabular/decide/chat-turns.ts',
    'shared/tabular/decide/column-profiler.ts',
    'shared/tabular/decide/forms/history.ts',
    'shared/tabular/decide/forms/join-turns.ts',
    'shared/tabular/decide/forms/known-form.ts',
    'shared/tabular/decide/forms/like-name.ts',
    'shared/tabular/decide/forms/metadata-block.ts',
    'shared/tabular/decide/rendered-turns.ts',
    'shared/tabular/decide/forms/tool-calls.ts',
    'shared/tabular/decide/forms/training-row.ts',
    'shared/tabular/decide/measure-json.ts',
    'shared/tabular/decide/join-rows.ts',
    'shared/tabular/decide/line-cursor.ts',
    'shared/tabular/decide/member-slots.ts',
    'shared/tabular/decide/personal-data.ts',
    'shared/tabular/decide/raw-object.ts',
    'shared/tabular/decide/repeat-rows.ts',
  ],
  // An exception, which docs/security.md names: native code casts the cells to the types of their columns.
  'has DuckDB write the cells of rows, as text, to Parquet': [
    'shared/tabular/adapters/duckdb.ts',
    'shared/tabular/adapters/parquet-types.ts',
    'shared/tabular/adapters/parquet-writer.ts',
  ],
  'compares the first bytes of an image, and decodes none': [
    'shared/tabular/decide/images/column-formats.ts',
    'shared/tabular/decide/images/image-cell.ts',
    'shared/tabular/decide/images/load-image.ts',
    'shared/tabular/decide/images/original-image.ts',
  ],
  'compares the types of columns and what they hold, and cells of requests with them': [
    'shared/tabular/decide/common-type.ts',
    'shared/tabular/decide/joined-profile.ts',
    'shared/tabular/decide/typed-cells.ts',
  ],
  'makes and checks addresses': [
    'shared/ingest/decide/imports/providers.ts',
    'shared/ingest/decide/imports/read-source.ts',
  ],
  'counts, or holds limits and messages': [
    'shared/tabular/decide/size-ratio.ts',
    'shared/tabular/decide/file-error.ts',
    'shared/tabular/decide/limits.ts',
  ],
};
const harmless = Object.values(HARMLESS).flat();

let outputs: Metafile['outputs'];

beforeAll(async () => {
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [...functionIds.map((id) => `functions/${id}.ts`), ...Object.values(threads).flat()],
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  outputs = metafile.outputs;
}, 60_000);

/** Modules and packages of which a function's bundle holds or imports anything, with those of its threads. */
function reachedBy(functionId: string): Set<string> {
  const entries = new Set([`functions/${functionId}.ts`, ...(threads[functionId] ?? [])]);
  const bundles = Object.values(outputs).filter(({ entryPoint }) => entries.has(entryPoint ?? ''));
  return new Set(
    bundles.flatMap(({ inputs, imports }) => [
      ...Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
      ...imports.map(({ path }) => path).filter((path) => !path.startsWith('node:')),
    ]),
  );
}

const isParser = (path: string): boolean =>
  PARSING_PACKAGES.includes(path) ||
  (PARSING_FOLDERS.some((folder) => path.startsWith(`${folder}/`)) && !harmless.includes(path));

const parsersOf = (functionId: string): string[] => [...reachedBy(functionId)].filter(isParser).sort();

test('a function that parses what callers send is one of few', () => {
  expect(functionIds.filter((id) => parsersOf(id).length > 0).sort()).toEqual([
    'tasks/import/download-files',
    'tasks/ingest/convert-file',
    'tasks/tools/call-tool-server',
    'tasks/uploads/read-columns',
  ]);
});

test('a function that parses what callers send holds neither the table nor credits nor keys, and reaches no dataset', () => {
  const holding = functionIds.flatMap((id) => {
    const parsers = parsersOf(id);
    const { bucket = {}, imports: _, connections: __, egress: ___, ...uses } = permissionsOf(id);
    const prefixes = Object.values(bucket).flat();
    const held = [
      ...Object.keys(uses),
      ...prefixes.filter((prefix) => !['uploads', 'imports', 'converted'].includes(prefix)),
    ];
    return parsers.length === 0 || held.length === 0 ? [] : [{ id, held, parsers }];
  });

  expect(holding).toEqual([]);
});

test('a function that runs the code of rows is one, and holds nothing', () => {
  const interpreters = ['pyodide', 'quickjs-emscripten-core', 'sql.js'];
  const running = functionIds.filter((id) => {
    const reached = reachedBy(id);
    return interpreters.some((name) => reached.has(name));
  });

  expect(running).toEqual(['tasks/witnesses/run-code']);
  expect(permissionsOf('tasks/witnesses/run-code')).toEqual({});
  expect(backgroundFunctions.find(({ id }) => id === 'tasks/witnesses/run-code')?.isSealed).toBe(true);
});

test('a function that parses what callers send is known by any reader that it may load, in its threads too', () => {
  const parsers = parsersOf('tasks/ingest/convert-file');

  for (const reader of [
    'shared/tabular/adapters/documents/read-pdf.ts',
    'shared/tabular/adapters/parquet-reader.ts',
    'shared/tabular/adapters/parquet-thread.ts',
    'shared/ingest/decide/imports/zip-member.ts',
    'shared/tabular/decide/csv-reader.ts',
    'hyparquet',
    'unpdf',
    'yauzl',
  ]) {
    expect(parsers).toContain(reader);
  }
});

test('it is known whether it parses files of every folder of adapters', () => {
  const folders = new Set(
    [...filesOfLayer('adapters').keys()].map((path) => path.split('/').slice(0, 3).join('/')),
  );
  const known = [...OTHER_ADAPTERS, ...PARSING_FOLDERS.filter((folder) => folder.endsWith('/adapters'))];

  expect([...folders].sort()).toEqual(known.sort());
});

test('it is known whether it parses files of every package', () => {
  const packages = Object.values(outputs).flatMap(({ imports }) =>
    imports.map(({ path }) => path).filter((path) => !path.startsWith('node:')),
  );
  const unknown = packages.filter(
    (name) => !PARSING_PACKAGES.includes(name) && !OTHER_PACKAGES.some((pattern) => pattern.test(name)),
  );

  expect([...new Set(unknown)]).toEqual([]);
  expect(PARSING_PACKAGES.filter((name) => !packages.includes(name))).toEqual([]);
});

test('what is called harmless exists, below the folders of functions that parse files, once', () => {
  expect(new Set(harmless).size).toBe(harmless.length);
  for (const path of harmless) {
    expect(existsSync(join(repositoryRoot, path)), path).toBe(true);
    expect(
      PARSING_FOLDERS.some((folder) => path.startsWith(`${folder}/`)),
      path,
    ).toBe(true);
  }
});
