import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build, type Metafile } from 'esbuild';
import { AUTHORIZER_FUNCTION_ID, bundlePath, endpointFunctionId } from '#infra/names.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { BUNDLING, buildAll } from '../build.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = join(ROOT, 'dist');
const SCRATCH = join(ROOT, '.local', 'bench');

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
  const built = await stat(join(DIST, 'meta', 'sizes.json')).catch(() => null);
  const sources = ['functions', 'shared'].map(async (part) => {
    const files = await readdir(join(ROOT, part), { recursive: true });
    return Promise.all(files.map(async (file) => (await stat(join(ROOT, part, file))).mtimeMs));
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

async function importTimes(path: string, processes: number): Promise<{ median: number; least: number }> {
  const times: number[] = [];
  for (let process = 0; process < processes; process += 1) times.push(await importOnce(path));
  return { median: medianOf(times), least: Math.min(...times) };
}

const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

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
    stdin: { contents: clients.map((name) => bareImports[name]).join('\n'), resolveDir: ROOT },
    outfile: path,
  });
  return path;
}

/** Bytes of the bundles of API functions, the largest first. */
export async function bundleSizes(): Promise<{ readonly id: string; readonly bytes: number }[]> {
  await ensureBuilt();
  const sizes = await Promise.all(
    apiFunctionIds.map(async (id) => ({
      id,
      bytes: (await stat(join(bundlePath(DIST, id), 'index.mjs'))).size,
    })),
  );
  return sizes.sort((a, b) => b.bytes - a.bytes);
}

/**
 * Import times of each API function and of its SDK clients: medians of `processes` each, of the clients of at least
 * three. The clients of a function that takes no more than `quickMilliseconds` are not measured: their time is NaN.
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
    const bareTimes = new Map<string, number>();
    const times: ImportTime[] = [];
    for (const id of ids) {
      const path = join(bundlePath(DIST, id), 'index.mjs');
      const { median, least } = await importTimes(path, processes);
      const clients = clientsOf(metafile, id);
      const set = clients.join(' ');
      if (least > quickMilliseconds && !bareTimes.has(set)) {
        const bare = await bundleBare(folder, clients, bareTimes.size);
        bareTimes.set(set, (await importTimes(bare, Math.max(processes, 3))).median);
      }
      times.push({
        id,
        milliseconds: median,
        leastMilliseconds: least,
        bareMilliseconds: bareTimes.get(set) ?? Number.NaN,
        bytes: (await readFile(path)).byteLength,
      });
    }
    return times;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const apiFunctionIds: readonly string[] = [
  AUTHORIZER_FUNCTION_ID,
  ...contracts.map((contract) => endpointFunctionId(contract)),
];
