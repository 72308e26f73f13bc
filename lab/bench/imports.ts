import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build, type Metafile } from 'esbuild';
import { BUNDLING, buildAll } from '#bin/build.ts';
import { AUTHORIZER_FUNCTION_ID, bundlePath, endpointFunctionId } from '#infra/names.ts';
import { localDirectory, repositoryRoot } from '#local/paths.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import type { Figure } from './benchmark.ts';
import { median } from './median.ts';

const DIST = join(repositoryRoot, 'dist');
const SIZES = join(DIST, 'meta', 'sizes.json');
const SCRATCH = join(localDirectory, 'bench');

const run = promisify(execFile);

/** The minimum import for using a client of the SDK. */
const bareImports: Readonly<Record<string, string>> = {
  '@aws-sdk/client-dynamodb': "export { DynamoDBClient } from '@aws-sdk/client-dynamodb';",
  '@aws-sdk/lib-dynamodb':
    "export { DynamoDBDocumentClient, GetCommand, QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';",
  '@aws-sdk/client-lambda': "export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';",
  '@aws-sdk/client-s3': "export { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';",
  '@aws-sdk/client-secrets-manager':
    "export { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';",
  '@aws-sdk/client-sfn': "export { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';",
  '@aws-sdk/s3-request-presigner': "export { getSignedUrl } from '@aws-sdk/s3-request-presigner';",
};

export interface ImportTime {
  /** `api/datasets/get` */
  readonly id: string;
  /** Median over processes that import the function and do nothing else. */
  readonly milliseconds: number;
  /** The same for a bundle with only the function's SDK clients. */
  readonly bareMilliseconds: number;
  /** Minimum over the processes: the one least affected by other work on the machine. */
  readonly leastMilliseconds: number;
  readonly bytes: number;
}

/** Builds the functions unless `dist/` is newer than all of its inputs. */
async function ensureBuilt(): Promise<void> {
  const built = await stat(SIZES).catch(() => null);
  const sources = ['functions', 'shared'].map(async (part) => {
    const files = await readdir(join(repositoryRoot, part), { recursive: true });
    return Promise.all(files.map(async (file) => (await stat(join(repositoryRoot, part, file))).mtimeMs));
  });
  const latest = Math.max(...(await Promise.all(sources)).flat());
  if (built === null || built.mtimeMs < latest) await buildAll();
}

/**
 * Milliseconds of processor time for importing a module in a process that does nothing else: the duration on an idle
 * machine, however busy this one is.
 */
async function importOnce(path: string): Promise<number> {
  const module = JSON.stringify(pathToFileURL(path).href);
  const script = `const before = process.cpuUsage(); await import(${module}); const { user, system } = process.cpuUsage(before); process.stdout.write(String((user + system) / 1000)); process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  return Number(stdout);
}

/** SDK clients in the bundle of a function. */
function clientsOf(metafile: Metafile, id: string): string[] {
  const output = Object.entries(metafile.outputs).find(([path]) =>
    path.endsWith(`/${id.replaceAll('/', '.')}.mjs`),
  );
  if (output === undefined) throw new Error(`There is no bundle of ${id}: run npm run build.`);
  const inputs = Object.entries(output[1].inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return Object.keys(bareImports).filter((name) =>
    inputs.some(([path]) => path.startsWith(`node_modules/${name}/`)),
  );
}

/** A bundle with only the given clients, built like those of the functions; returns its path. */
async function bundleBare(folder: string, clients: readonly string[], n: number): Promise<string> {
  const path = join(folder, `bare-${n}.mjs`);
  await build({
    ...BUNDLING,
    stdin: { contents: clients.map((name) => bareImports[name]).join('\n'), resolveDir: repositoryRoot },
    outfile: path,
  });
  return path;
}

/** Bytes that each function loads on a cold start. */
async function readSizes(): Promise<Readonly<Record<string, number>>> {
  const { functions } = JSON.parse(await readFile(SIZES, 'utf8')) as { functions: Record<string, number> };
  return functions;
}

/** Bytes that API functions load on a cold start, the largest first. */
export async function bundleSizes(): Promise<{ readonly id: string; readonly bytes: number }[]> {
  await ensureBuilt();
  const functions = await readSizes();
  const sizes = apiFunctionIds.map((id) => ({ id, bytes: functions[id] ?? 0 }));
  return sizes.sort((a, b) => b.bytes - a.bytes);
}

/** The processes that measure SDK clients, at least. */
const BARE_PROCESSES_MIN = 3;

/**
 * Import times of each API function and of its SDK clients: medians of `processes` each, in turns, of the clients of at
 * least three. The clients of a function that takes no more than `quickMilliseconds` are not measured: their time is NaN.
 */
export async function benchImports(
  ids: readonly string[] = apiFunctionIds,
  processes = 9,
  quickMilliseconds = 0,
): Promise<ImportTime[]> {
  await ensureBuilt();
  const metafile = JSON.parse(await readFile(join(DIST, 'meta', 'esbuild.json'), 'utf8')) as Metafile;
  await mkdir(SCRATCH, { recursive: true });
  const folder = await mkdtemp(join(SCRATCH, 'imports-'));
  try {
    const functions = ids.map((id) => ({
      id,
      path: join(bundlePath(DIST, id), 'index.mjs'),
      clients: clientsOf(metafile, id),
      times: [] as number[],
    }));
    const bare = new Map<string, { readonly path: string; readonly times: number[] }>();
    for (let round = 0; round < processes; round += 1) {
      const slow = new Map<string, readonly string[]>();
      for (const { path, clients, times } of functions) {
        times.push(await importOnce(path));
        if (Math.min(...times) > quickMilliseconds) slow.set(clients.join(' '), clients);
      }
      for (const [set, clients] of slow) {
        const path = bare.get(set)?.path ?? (await bundleBare(folder, clients, bare.size));
        const times = bare.get(set)?.times ?? [];
        bare.set(set, { path, times });
        for (let n = 0; n < BARE_PROCESSES_MIN / processes; n += 1) times.push(await importOnce(path));
      }
    }
    const sizes = await readSizes();
    return functions.map(({ id, clients, times }) => ({
      id,
      milliseconds: median(times),
      leastMilliseconds: Math.min(...times),
      bareMilliseconds: median(bare.get(clients.join(' '))?.times ?? []),
      bytes: sizes[id] ?? 0,
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The ratio that nine in ten functions do not exceed, and that of the slowest. */
export function figuresOfImports(times: readonly ImportTime[]): {
  readonly most: Figure;
  readonly all: Figure;
} {
  const ratioOf = ({ milliseconds, bareMilliseconds }: ImportTime): number => milliseconds / bareMilliseconds;
  const ranked = times.toSorted((a, b) => ratioOf(a) - ratioOf(b));
  const lines = ranked.map(
    (time) =>
      `${time.id.padEnd(40)} ${time.milliseconds.toFixed(0).padStart(4)} ms  ${ratioOf(time).toFixed(2)} × ` +
      `its SDK clients alone  ${Math.round(time.bytes / 1000)} KB`,
  );
  const figure = (time: ImportTime | undefined, details: readonly string[]): Figure => {
    if (time === undefined) throw new Error('No import was measured.');
    return { figure: `${time.milliseconds.toFixed(0)} ms, ${time.id}`, ratio: ratioOf(time), details };
  };
  return { most: figure(ranked[Math.ceil(0.9 * ranked.length) - 1], lines), all: figure(ranked.at(-1), []) };
}

export const apiFunctionIds: readonly string[] = [
  AUTHORIZER_FUNCTION_ID,
  ...contracts.map((contract) => endpointFunctionId(contract)),
];
