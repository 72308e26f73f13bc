import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import * as tar from 'tar';
import { bundlePath, functionIds, layerPath, trainerBundlePath } from '#infra/names.ts';
import { buildKey, recordBuild } from '#local/deployment.ts';
import { describeCatalog } from '#shared/mcp/decide/describe-catalog.ts';
import type { Catalog } from '#shared/mcp/schema/catalog.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { withoutDescriptions } from './build/without-descriptions.ts';
import { withoutUnusedMessages } from './build/without-unused-messages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const MAPS = join(DIST, 'maps');

/** Maximum of an API function, in bytes: what it loads on a cold start. */
export const API_BUNDLE_BYTES_MAX = 850_000;

/**
 * API functions that load most of their code by need: the client of one provider of models, and what some requests use. It
 * is in files of its own, which a cold start does not read.
 */
const LOADING_BY_NEED: readonly string[] = [
  'api/chat/completions/create',
  'api/datasets/lint',
  'api/datasets/uploads/complete',
  'api/datasets/uploads/complete-batch',
  'api/datasets/uploads/complete-by-id',
  'api/evals/runs/create',
  'api/files/create',
  'api/models/get',
  'api/models/list',
  'api/responses/create',
];

/** Maximum unpacked layer: the limit of AWS is 250 MB for code and layers together. */
const LAYER_BYTES_MAX = 240_000_000;

/** A native module that cannot be bundled; it is in a layer. */
const DUCKDB = '@duckdb/node-api';
const DUCKDB_PACKAGES = [DUCKDB, '@duckdb/node-bindings', '@duckdb/node-bindings-linux-x64'];

/** Interpreters in WebAssembly: they read their files beside them, so that they lie beside the bundle as they are. */
const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  pyodide: ['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm', 'pyodide-lock.json', 'python_stdlib.zip'],
  'quickjs-emscripten-core': ['dist'],
  '@jitl/quickjs-ffi-types': ['dist'],
  '@jitl/quickjs-wasmfile-release-sync': ['dist'],
  'sql.js': ['dist/sql-wasm.js', 'dist/sql-wasm.wasm'],
};
const SANDBOX = 'tasks/witnesses/run-code';

/** Maximum of the interpreters, in bytes: a zipped asset has at most 50 MB, and each deployment uploads it. */
const INTERPRETERS_BYTES_MAX = 20_000_000;

const NGRAMS = /[\\/]eld[\\/]src[\\/]ngrams[\\/]\w+\.js$/;
/** Provider of credentials that no function needs; the one that `alias` replaces would bring it. */
const NEEDLESS = /[\\/]@aws-sdk[\\/]credential-provider-sso[\\/]/;

/**
 * The n-grams of the language detector as compressed JSON. As the literal of the package they are 1 MB more of every
 * worker's bundle, and 290 ms of processor time instead of 135 when they are first used.
 */
const compressedNgrams: Plugin = {
  name: 'compressed-ngrams',
  setup({ onLoad }) {
    onLoad({ filter: NGRAMS }, async ({ path }) => {
      const { ngramsData } = await import(pathToFileURL(path).href);
      const compressed = gzipSync(JSON.stringify(ngramsData), { level: 9 }).toString('base64');
      return {
        contents: `import { gunzipSync } from 'node:zlib';
          export const ngramsData = JSON.parse(gunzipSync(Buffer.from('${compressed}', 'base64')).toString());`,
      };
    });
  },
};

const MIDDY = join('node_modules', '@middy', 'core');
const LAZY_ZOD = join(ROOT, 'shared/platform/schema/lazy-zod.ts');

/** Schemas of the service are built when they are used; packages have zod as it is. */
const lazySchemas: Plugin = {
  name: 'lazy-schemas',
  setup({ onResolve }) {
    onResolve({ filter: /^zod$/ }, ({ importer }) =>
      importer === LAZY_ZOD || importer.includes('node_modules')
        ? undefined
        : { path: LAZY_ZOD, sideEffects: false },
    );
  },
};

/** What writes JSON schemas of zod's schemas: `npm run openapi` does, and no function of the API. */
const JSON_SCHEMAS = /[\\/]zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/;

/** Spares functions of the API a fifth of zod, which its schemas refer to. */
const withoutJsonSchemas: Plugin = {
  name: 'without-json-schemas',
  setup({ onLoad }) {
    onLoad({ filter: JSON_SCHEMAS }, async ({ path }) => {
      const names = Object.keys(await import(pathToFileURL(path).href));
      const isMaker = (name: string): boolean => /^create\w+Method$/.test(name);
      return {
        contents: `const fail = () => {
            throw new Error('No function of the API writes JSON schemas: bin/build.ts leaves out what does.');
          };
          // Every schema is asked for these methods when a package validates by its standard interface.
          const make = () => fail;
          export { ${names.map((name) => `${isMaker(name) ? 'make' : 'fail'} as ${name}`).join(', ')} };`,
      };
    });
  },
};

/** A part of Node that is loaded when it is imported. middy asks of it only whether a response is a web stream. */
const WEB_STREAMS = /^node:stream\/web$/;

/** Spares API functions the millisecond that Node takes to load its web streams. */
const withoutWebStreams: Plugin = {
  name: 'without-web-streams',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: WEB_STREAMS }, ({ importer, path }) =>
      importer.includes(MIDDY) ? { path, namespace: 'web-streams' } : undefined,
    );
    onLoad({ filter: WEB_STREAMS, namespace: 'web-streams' }, () => ({
      contents: `export class ReadableStream {
        static [Symbol.hasInstance] = (value) => value instanceof globalThis.ReadableStream;
      }`,
    }));
  },
};

/** What validates answers of people whom an MCP server asks: 150 KB, and this server asks nobody. */
const ASKED_ANSWERS = /@modelcontextprotocol[\\/]server[\\/]dist[\\/]ajvProvider-/;

const withoutAskedAnswers: Plugin = {
  name: 'without-asked-answers',
  setup({ onLoad }) {
    onLoad({ filter: ASKED_ANSWERS }, () => ({
      contents: `export class n {
        getValidator() {
          throw new Error('This server asks nobody: bin/build.ts leaves the validator of answers out.');
        }
      }`,
    }));
  },
};

/** What the service and its packages load by need. */
const LOADED_BY_NEED = new RegExp(
  `^(?:${[
    '@aws-sdk/client-(?:bedrock|bedrock-runtime|sagemaker-runtime)',
    '@aws-sdk/nested-clients/sso-oidc',
    '@smithy/core/event-streams',
    'bowser',
    'eld/small',
    'jose',
    '\\./(?:adapters/.+|fetch-image|parquet-reader|parquet-writer)\\.ts',
    '#shared/(?:models|platform)/adapters/.+\\.ts',
    '#shared/platform/wire-bucket\\.ts',
  ].join('|')})$`,
);
const UNBUNDLED = 'unbundled:';
/** What clients of the SDK load for commands that answer with a stream of events, and the files of such commands. */
const EVENT_STREAMS = `${UNBUNDLED}@smithy/core/event-streams`;
const STREAMING = /[\\/](?:\w*(?:Response|Converse|Bidirectional)Stream|SelectObjectContent)Command\.js$/;

/**
 * Leaves out what is loaded by need. In a bundle of one file, a module that is loaded by need and all that it imports
 * become functions, even where no import of it remains: one such module made so of the SDK and of zod in every bundle,
 * which V8 then compiled twice.
 */
const withoutLoadingByNeed: Plugin = {
  name: 'without-loading-by-need',
  setup({ onResolve }) {
    onResolve({ filter: LOADED_BY_NEED }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `${UNBUNDLED}${path}`, external: true } : undefined,
    );
  },
};

/** The bundling options of every function. */
export const BUNDLING = {
  bundle: true,
  minify: true,
  legalComments: 'none',
  platform: 'node',
  target: 'node22',
  format: 'esm',
  mainFields: ['module', 'main'],
  external: [DUCKDB, ...Object.keys(INTERPRETERS)],
  plugins: [compressedNgrams, lazySchemas, withoutDescriptions, withoutWebStreams, withoutAskedAnswers],
  alias: {
    '@aws-sdk/credential-provider-node': join(ROOT, 'shared/platform/adapters/function-credentials.ts'),
  },
  // An import for its effect alone needs its file in `sideEffects` of package.json, or the bundle lacks the effect.
  logOverride: { 'ignored-bare-import': 'error' },
  // CommonJS packages in an ES module have no `require`. The minifier does not see these names, so they are longer than
  // any of its own.
  banner: {
    js: "import{createRequire as createBundleRequire}from'node:module';const require=createBundleRequire(import.meta.url);",
  },
} as const satisfies BuildOptions;

/** The plugins of functions of the API, whose cold starts are waited for. */
export const API_PLUGINS = [withoutJsonSchemas, withoutUnusedMessages, ...BUNDLING.plugins];

const run = promisify(execFile);

/** The built console, as it lies beside the functions that serve it. */
const CONSOLE = 'dist/console';

/** The OpenAPI document, as it lies beside the function that serves it: in its bundle it would be parsed on a cold start. */
const DOCUMENT = 'dist/openapi.json';

/** Writes the document without whitespace. */
async function writeDocument(): Promise<void> {
  const document = JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8'));
  await mkdir(DIST, { recursive: true });
  await writeFile(join(ROOT, DOCUMENT), JSON.stringify(document));
}

/** What the MCP server offers, as it lies beside its function, and the guide for agents that is part of it. */
const CATALOG = 'dist/mcp.json';
const GUIDE = 'clients/skills/tunesmith/SKILL.md';

/** The catalog of the MCP server: tools made of the endpoints of the API document. */
export async function readCatalogSource(): Promise<Catalog> {
  const [document, guide] = await Promise.all(
    ['openapi.json', GUIDE].map((path) => readFile(join(ROOT, path), 'utf8')),
  );
  return describeCatalog(JSON.parse(document ?? ''), contracts, guide ?? '');
}

async function writeCatalog(): Promise<void> {
  await mkdir(DIST, { recursive: true });
  await writeFile(join(ROOT, CATALOG), JSON.stringify(await readCatalogSource()));
}

/** Builds the console: static files with hashed names. */
async function buildConsole(): Promise<void> {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  await run(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: join(ROOT, 'console') });
}

/** Builds the package of the client, with the command line that `npx tunesmith` runs here. */
async function buildClient(): Promise<void> {
  await run(process.execPath, [join(ROOT, 'clients', 'typescript', 'build.mjs')]);
}

/** Files and folders next to a function's bundle. */
const companions: Readonly<Record<string, readonly string[]>> = {
  'api/mcp/call': [CATALOG],
  'api/service/openapi': [DOCUMENT],
  'api/service/console': [CONSOLE],
  'api/service/console-asset': [CONSOLE],
  'api/service/docs-asset': [
    'node_modules/swagger-ui-dist/swagger-ui.css',
    'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
    'docs/llms.txt',
  ],
};

/** Threads that a function starts: bundles of their own beside its bundle. */
export const threads: Readonly<Record<string, readonly string[]>> = {
  'tasks/ingest/convert-file': [
    'shared/tabular/adapters/documents/document-worker.ts',
    'shared/tabular/adapters/parquet-thread.ts',
  ],
  [SANDBOX]: [
    'shared/witnesses/adapters/javascript-thread.ts',
    'shared/witnesses/adapters/python-thread.ts',
    'shared/witnesses/adapters/sql-thread.ts',
  ],
};

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function threadName(path: string): string {
  return basename(path, '.ts');
}

/** @throws {Error} if BUNDLING replaces nothing any more: a new version of a package may have other files */
function requireReplaced(metafile: Metafile): void {
  const inputs = Object.keys(metafile.inputs);
  const isReplaced =
    inputs.some((path) => NGRAMS.test(path)) &&
    !inputs.some((path) => NEEDLESS.test(path)) &&
    inputs.some((path) => path.startsWith('web-streams:')) &&
    inputs.some((path) => ASKED_ANSWERS.test(path)) &&
    inputs.filter((path) => JSON_SCHEMAS.test(path)).length === 2 &&
    !inputs.some((path) => path.includes('node_modules/ajv/'));
  if (isReplaced) return;
  throw new Error(
    'The bundles have the n-grams of eld, the credentials of @aws-sdk, the streams of @middy/core, the JSON schemas of zod or the validator of @modelcontextprotocol/server from other files than before: look at BUNDLING.',
  );
}

const OUTPUT = { absWorkingDir: ROOT, outExtension: { '.js': '.mjs' }, metafile: true } as const;

/**
 * Bundles a function that loads code by need, in several files. Returns the bytes that it loads on a cold start, and what
 * they are made of as one output.
 */
async function bundleByNeed(id: string, withMaps: boolean): Promise<{ bytes: number; metafile: Metafile }> {
  const name = id.replaceAll('/', '.');
  const folder = bundlePath(DIST, id);
  const { metafile, outputFiles } = await build({
    ...BUNDLING,
    ...OUTPUT,
    plugins: API_PLUGINS,
    entryPoints: [{ in: join('functions', `${id}.ts`), out: 'index' }],
    outdir: folder,
    write: false,
    splitting: true,
    chunkNames: 'part-[hash]',
    sourcemap: withMaps ? 'external' : false,
  });
  await mkdir(folder, { recursive: true });
  for (const { path, contents } of outputFiles) {
    await writeFile(path.endsWith('.map') ? join(MAPS, `${name}.${basename(path)}`) : path, contents);
  }
  const { outputs } = metafile;
  const entry = Object.keys(outputs).find((path) => basename(path) === 'index.mjs') ?? '';
  const loaded = new Set([entry]);
  // The set grows while it is read.
  for (const path of loaded) {
    for (const { kind, path: imported } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && outputs[imported] !== undefined) loaded.add(imported);
    }
  }
  const parts = [...loaded].flatMap((path) => outputs[path] ?? []);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const whole = {
    bytes,
    inputs: Object.assign({}, ...parts.map(({ inputs }) => inputs)),
    imports: Object.values(outputs).flatMap(({ imports }) => imports),
    exports: outputs[entry]?.exports ?? [],
  };
  return { bytes, metafile: { inputs: metafile.inputs, outputs: { [`dist/${name}.mjs`]: whole } } };
}

/** Copies what the sandbox loads, without the maps, types and variants that the packages have besides. */
async function copyInterpreters(): Promise<void> {
  const folder = join(bundlePath(DIST, SANDBOX), 'node_modules');
  for (const [name, files] of Object.entries(INTERPRETERS)) {
    for (const file of ['package.json', ...files]) {
      await cp(join(ROOT, 'node_modules', name, file), join(folder, name, file), {
        recursive: true,
        filter: (path) => !/\.(?:map|d\.m?ts)$/.test(path),
      });
    }
  }
  const bytes = await folderBytes(folder);
  if (bytes <= INTERPRETERS_BYTES_MAX) return;
  throw new Error(`The interpreters have ${bytes} of ${INTERPRETERS_BYTES_MAX} bytes.`);
}

/** Fails if a function has no handler. */
async function requireHandlers(): Promise<void> {
  const missing: string[] = [];
  for (const id of functionIds) {
    if (!(await exists(join(ROOT, 'functions', `${id}.ts`)))) missing.push(`functions/${id}.ts`);
  }
  if (missing.length > 0) throw new Error(`These handlers do not exist yet:\n  ${missing.join('\n  ')}`);
}

const isOfApi = (id: string): boolean => id.startsWith('api/');

/** Bundles functions, each in one file. */
async function bundleWhole(ids: readonly string[], withMaps: boolean) {
  const isApi = ids.every(isOfApi);
  const { metafile, outputFiles } = await build({
    ...BUNDLING,
    ...OUTPUT,
    plugins: isApi ? [withoutLoadingByNeed, ...API_PLUGINS] : [...BUNDLING.plugins],
    entryPoints: [
      ...ids.map((id) => ({ in: join('functions', `${id}.ts`), out: id.replaceAll('/', '.') })),
      ...Object.entries(threads)
        .filter(([id]) => ids.includes(id))
        .flatMap(([, paths]) => paths.map((path) => ({ in: path, out: threadName(path) }))),
    ],
    outdir: DIST,
    write: false,
    sourcemap: withMaps ? 'external' : false,
  });
  if (isApi) requireWhole(metafile);
  return { metafile, outputFiles };
}

/** @throws {Error} if a bundle lacks what it loads by need, or has it as functions */
export function requireWhole({ inputs, outputs }: Metafile): void {
  for (const [path, output] of Object.entries(outputs)) {
    const answersInStreams = Object.entries(output.inputs).some(
      ([input, { bytesInOutput }]) => bytesInOutput > 0 && STREAMING.test(input),
    );
    const lacking = output.imports.find(
      (each) => each.path.startsWith(UNBUNDLED) && (each.path !== EVENT_STREAMS || answersInStreams),
    );
    if (lacking === undefined) continue;
    const missing = lacking.path.slice(UNBUNDLED.length);
    throw new Error(`${basename(path)} loads ${missing} by need: list the function in LOADING_BY_NEED.`);
  }
  for (const [path, { imports }] of Object.entries(inputs)) {
    const bundled = imports.find(({ kind, external }) => kind === 'dynamic-import' && external !== true);
    // Parts that packages have of themselves import neither the SDK nor zod.
    const isOwnPart = path.includes('node_modules') && bundled?.original?.startsWith('./') === true;
    if (bundled === undefined || isOwnPart) continue;
    throw new Error(`${path} loads ${bundled.original} by need: name that in LOADED_BY_NEED.`);
  }
}

/** Bundles the functions, nearly all in two calls. The output is independent of time and place. */
async function bundleFunctions(withMaps: boolean): Promise<Record<string, number>> {
  await requireHandlers();
  const whole = functionIds.filter((id) => !LOADING_BY_NEED.includes(id));
  const api = await bundleWhole(whole.filter(isOfApi), withMaps);
  const others = await bundleWhole(
    whole.filter((id) => !isOfApi(id)),
    withMaps,
  );

  await mkdir(MAPS, { recursive: true });
  const sizes: Record<string, number> = {};
  for (const { path, contents } of [...api.outputFiles, ...others.outputFiles]) {
    const name = basename(path);
    if (name.endsWith('.map')) {
      await writeFile(join(MAPS, name), contents);
      continue;
    }
    const thread = Object.entries(threads).find(([, paths]) =>
      paths.some((each) => `${threadName(each)}.mjs` === name),
    );
    if (thread !== undefined) {
      const folder = bundlePath(DIST, thread[0]);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, name), contents);
      continue;
    }
    const id = functionIds.find((candidate) => `${candidate.replaceAll('/', '.')}.mjs` === name);
    if (id === undefined) throw new Error(`esbuild wrote ${name}, which belongs to no function.`);
    const folder = bundlePath(DIST, id);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'index.mjs'), contents);
    for (const file of companions[id] ?? []) {
      await cp(join(ROOT, file), join(folder, basename(file)), { recursive: true });
    }
    sizes[id] = contents.byteLength;
  }
  const metafile: Metafile = {
    inputs: { ...api.metafile.inputs, ...others.metafile.inputs },
    outputs: { ...api.metafile.outputs, ...others.metafile.outputs },
  };
  for (const id of LOADING_BY_NEED) {
    const { bytes, metafile: own } = await bundleByNeed(id, withMaps);
    sizes[id] = bytes;
    Object.assign(metafile.inputs, own.inputs);
    Object.assign(metafile.outputs, own.outputs);
  }
  await mkdir(join(DIST, 'meta'), { recursive: true });
  await writeFile(join(DIST, 'meta', 'esbuild.json'), JSON.stringify(metafile));
  requireBounds(sizes);
  requireReplaced(metafile);
  requireNoLayer(metafile);
  return sizes;
}

/** @throws {Error} if an API function is too large */
function requireBounds(sizes: Readonly<Record<string, number>>): void {
  const oversized = Object.entries(sizes).filter(
    ([id, bytes]) => id.startsWith('api/') && bytes > API_BUNDLE_BYTES_MAX,
  );
  if (oversized.length === 0) return;
  const list = oversized
    .map(([id, bytes]) => `  ${id}: ${bytes} of ${API_BUNDLE_BYTES_MAX} bytes`)
    .join('\n');
  throw new Error(`These API functions are too large (dist/meta/esbuild.json says of what):\n${list}`);
}

/** @throws {Error} if an API function imports DuckDB */
function requireNoLayer({ outputs }: Metafile): void {
  const native = Object.entries(outputs).filter(
    ([path, { imports }]) =>
      basename(path).startsWith('api.') && imports.some((imported) => imported.path === DUCKDB),
  );
  if (native.length === 0) return;
  throw new Error(`API functions have no DuckDB layer: ${native.map(([path]) => basename(path)).join(', ')}`);
}

/** The path of a package on this machine, or null: its Linux binary is not installed on other systems. */
async function installed(name: string): Promise<string | null> {
  const folder = join(ROOT, 'node_modules', name);
  return (await exists(join(folder, 'package.json'))) ? folder : null;
}

/** The lockfile's version of a package, whether or not it is installed here. */
async function pinnedVersion(name: string): Promise<string> {
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  const version = lock.packages?.[`node_modules/${name}`]?.version;
  if (typeof version !== 'string')
    throw new Error(`package-lock.json does not pin ${name}: run npm install.`);
  return version;
}

async function download(name: string, target: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'layer-'));
  try {
    const spec = `${name}@${await pinnedVersion(name)}`;
    await run('npm', ['pack', spec, '--silent', '--pack-destination', scratch]);
    const [archive] = await readdir(scratch);
    if (archive === undefined) throw new Error(`npm pack ${spec} wrote no archive.`);
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', join(scratch, archive), '-C', target, '--strip-components=1']);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}

/** The layer contains the Linux binaries of the pinned versions, whatever machine builds it. */
async function assembleDuckdbLayer(): Promise<number> {
  const folder = layerPath(DIST, 'duckdb');
  const versions = await Promise.all(DUCKDB_PACKAGES.map(pinnedVersion));
  const stamp = join(DIST, 'meta', 'duckdb-layer.json');
  const wanted = JSON.stringify(DUCKDB_PACKAGES.map((name, index) => `${name}@${versions[index]}`));
  // 70 MB that only change with the version.
  if ((await exists(stamp)) && (await readFile(stamp, 'utf8')) === wanted && (await exists(folder))) {
    return folderBytes(folder);
  }
  await rm(folder, { recursive: true, force: true });
  for (const name of DUCKDB_PACKAGES) {
    const target = join(folder, 'nodejs', 'node_modules', name);
    const source = await installed(name);
    if (source === null) await download(name, target);
    else await cp(source, target, { recursive: true });
  }
  const bytes = await folderBytes(folder);
  if (bytes > LAYER_BYTES_MAX) {
    throw new Error(
      `The DuckDB layer has ${bytes} bytes; AWS takes ${LAYER_BYTES_MAX} with room for the code.`,
    );
  }
  await mkdir(join(DIST, 'meta'), { recursive: true });
  await writeFile(stamp, wanted);
  return bytes;
}

/**
 * The source bundle with which SageMaker starts the GPU trainer. The same files produce the same bytes, so that it is
 * deployed once.
 */
export async function packTrainer(target: string): Promise<void> {
  const cwd = join(ROOT, 'trainer', 'gpu');
  const modules = await readdir(join(cwd, 'tunesmith_trainer'), { recursive: true });
  const files = modules.filter((file) => file.endsWith('.py')).map((file) => join('tunesmith_trainer', file));
  await mkdir(dirname(target), { recursive: true });
  await tar.create(
    { cwd, file: target, gzip: true, portable: true, mtime: new Date(0) },
    ['requirements.txt', 'sagemaker_entry.py', ...files].sort(),
  );
}

/**
 * Fills `dist/` with everything that the stacks deploy. Source maps double the build time and are for people only, so
 * they are written on demand (`dist/maps`); they are never deployed.
 */
export async function buildAll({ maps = false } = {}): Promise<void> {
  const started = performance.now();
  const key = buildKey();
  recordBuild(null);
  // esbuild collects its garbage less often: 28 seconds of processor time instead of 33.
  process.env.GOGC ??= '400';
  for (const part of ['functions', 'maps']) await rm(join(DIST, part), { recursive: true, force: true });
  await Promise.all([buildConsole(), buildClient(), writeDocument(), writeCatalog()]);
  const sizes = await bundleFunctions(maps);
  await copyInterpreters();
  const layerBytes = await assembleDuckdbLayer();
  await packTrainer(trainerBundlePath(DIST));
  await writeFile(
    join(DIST, 'meta', 'sizes.json'),
    `${JSON.stringify({ functions: sizes, layers: { duckdb: layerBytes } }, null, 2)}\n`,
  );
  recordBuild(key);
  const largest = Object.entries(sizes)
    .filter(([id]) => id.startsWith('api/'))
    .reduce((max, [, bytes]) => Math.max(max, bytes), 0);
  console.log(
    `Built ${functionIds.length} functions in ${((performance.now() - started) / 1000).toFixed(1)} s; ` +
      `the largest API function has ${Math.round(largest / 1000)} KB.`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildAll({ maps: process.argv.includes('--maps') });
