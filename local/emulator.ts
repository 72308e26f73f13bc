import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answersHttp, type Service, startService } from './child.ts';
import { moveStateToPort } from './emulator-state.ts';
import { isAlive } from './lock.ts';
import { repositoryRoot } from './paths.ts';
import { isPortFree, loopback, portInUseMessage } from './ports.ts';

export const defaultEmulatorPort = 4566;
export const emulatorPortVariable = 'TUNESMITH_EMULATOR_PORT';

/** The emulator's root credentials, region and account. */
export const emulatorIdentity = {
  accessKeyId: 'test',
  secretAccessKey: 'test',
  region: 'us-east-1',
  account: '000000000000',
} as const;

const STOP_SECONDS_MAX = 15;

export interface EmulatorOptions {
  /** Interpreter of a virtual environment with the emulator. */
  readonly python: string;
  readonly port: number;
  /** Directory of the emulator's persistent state, and its log. */
  readonly stateDirectory: string;
  /** Starts empty: deletes the state of earlier runs. */
  readonly fresh: boolean;
  /** Scales the waits of state machines, in tests: 0.1 makes 30 s three. */
  readonly waitScale?: number;
  /** The AWS endpoint of functions, if it is not the emulator itself but a proxy. */
  readonly functionEndpoint?: (port: number) => string;
}

export interface Emulator {
  readonly endpoint: string;
  readonly pid: number;
  /** Whether the emulator before it was killed, so that what is there can be the state of an earlier deployment. */
  readonly lostChanges: boolean;
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the AWS emulator with IAM enforcement, on the loopback address only.
 * @throws {Error} if its port is taken, or it does not start.
 */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { port, stateDirectory } = options;
  if (!(await isPortFree(port))) {
    throw new Error(portInUseMessage('AWS emulator', port, emulatorPortVariable));
  }
  const pidFile = join(stateDirectory, 'emulator.pid');
  const lostChanges = existsSync(pidFile);
  if (lostChanges) await waitForEnd(Number(readFileSync(pidFile, 'utf8')));
  const dataDirectory = join(stateDirectory, 'emulator');
  const workDirectory = workDirectoryOf(stateDirectory);
  rmSync(workDirectory, { recursive: true, force: true });
  if (options.fresh) rmSync(dataDirectory, { recursive: true, force: true });
  mkdirSync(workDirectory, { recursive: true });
  mkdirSync(dataDirectory, { recursive: true });
  moveStateToPort(join(dataDirectory, 'state'), port);

  const endpoint = `http://${loopback}:${port}`;
  const service: Service = await startService({
    name: 'The AWS emulator',
    command: options.python,
    args: [join(repositoryRoot, 'local', 'emulator_host.py'), workDirectory],
    environment: emulatorEnvironment({ ...options, dataDirectory, workDirectory }),
    directory: workDirectory,
    logFile: join(stateDirectory, 'logs', 'emulator.log'),
    isReady: () => answersHttp(`${endpoint}/_ministack/health`),
    readyTimeoutSeconds: 60,
    stopTimeoutSeconds: STOP_SECONDS_MAX,
  });
  writeFileSync(pidFile, String(service.pid));
  return {
    endpoint,
    pid: service.pid,
    lostChanges,
    ended: service.ended,
    async stop() {
      await service.stop();
      if ((await service.ended) === 'exit status 0') rmSync(pidFile, { force: true });
    },
  };
}

/** The emulator of a start that was killed still saves its state, and then deletes its work directory. */
async function waitForEnd(pid: number): Promise<void> {
  const deadline = performance.now() + STOP_SECONDS_MAX * 1000;
  while (isAlive(pid) && performance.now() < deadline) await sleep(100);
}

/**
 * The complete environment of the emulator. Its Lambda functions inherit it, so only variables that programs need to
 * run are passed on from this process.
 */
export function emulatorEnvironment(options: {
  readonly port: number;
  readonly dataDirectory: string;
  readonly workDirectory: string;
  readonly waitScale?: number;
  readonly functionEndpoint?: (port: number) => string;
}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    ...(process.env.NODE_EXTRA_CA_CERTS === undefined
      ? {}
      : { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
    LANG: 'C.UTF-8',
    HOME: options.workDirectory,
    TMPDIR: options.workDirectory,
    PYTHONUNBUFFERED: '1',
    AUTH: 'true',
    BIND_HOST: loopback,
    GATEWAY_PORT: String(options.port),
    MINISTACK_REGION: emulatorIdentity.region,
    PERSIST_STATE: '1',
    STATE_DIR: join(options.dataDirectory, 'state'),
    S3_PERSIST: '1',
    S3_DATA_DIR: join(options.dataDirectory, 's3'),
    SFTP_ENABLED: '0',
    // A function's processes but one end after this time without a call, since each takes about 50 MB. The last one ends
    // later (`emulator_host.py`).
    LAMBDA_WARM_TTL_SECONDS: '120',
    LAMBDA_ACCOUNT_CONCURRENCY: '100',
    ...(options.waitScale === undefined ? {} : { SFN_WAIT_SCALE: String(options.waitScale) }),
    ...(options.functionEndpoint === undefined
      ? {}
      : { AWS_ENDPOINT_URL: options.functionEndpoint(options.port) }),
  };
}

/**
 * Functions are unpacked outside the checkout, as on AWS: inside, Node would resolve the project's package.json and
 * node_modules, and a package missing from the bundle would go unnoticed.
 */
function workDirectoryOf(stateDirectory: string): string {
  const name = createHash('sha256').update(stateDirectory).digest('hex').slice(0, 12);
  return join(tmpdir(), `tunesmith-emulator-${name}`);
}
