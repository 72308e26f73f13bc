import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '#local/child.ts';
import { repositoryRoot } from '#local/paths.ts';
import { findFreePort } from '#local/ports.ts';

export interface RealToolServer {
  readonly url: string;
  /** As `host:port`. */
  readonly target: string;
  stop(): Promise<void>;
}

async function start(
  name: string,
  commandOf: (port: number) => readonly [string, ...string[]],
  wanted?: number,
): Promise<RealToolServer> {
  const port = wanted ?? (await findFreePort());
  const [command, ...args] = commandOf(port);
  const folder = await mkdtemp(join(tmpdir(), 'tool-server-'));
  const url = `http://127.0.0.1:${port}/mcp`;
  const answers = (): Promise<boolean> =>
    fetch(url, { method: 'DELETE', signal: AbortSignal.timeout(2_000) }).then(
      () => true,
      () => false,
    );
  const service = await startService({
    name,
    command,
    args,
    environment: { ...process.env, PORT: String(port) },
    directory: repositoryRoot,
    logFile: join(folder, 'log'),
    isReady: answers,
    readyTimeoutSeconds: 60,
    stopTimeoutSeconds: 2,
  });
  return {
    url,
    target: `127.0.0.1:${port}`,
    async stop() {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const packageFile = (name: string): string =>
  join(repositoryRoot, 'node_modules', '@modelcontextprotocol', name, 'dist', 'index.js');

/** The reference server of npm, which has a tool for everything that there is in the protocol; on any free port, or one. */
export const startEverythingServer = (port?: number): Promise<RealToolServer> =>
  start(
    'server-everything',
    () => [process.execPath, packageFile('server-everything'), 'streamableHttp'],
    port,
  );

/** The file server of npm on one folder. It speaks over standard input and output alone, so a bridge offers it. */
export async function startFilesystemServer(folder: string): Promise<RealToolServer> {
  const allowed = await realpath(folder);
  const bridge = join(repositoryRoot, 'test/helpers/stdio-bridge.ts');
  return start('server-filesystem', (port) => [
    process.execPath,
    ...['--import', 'tsx', bridge, String(port)],
    ...[process.execPath, packageFile('server-filesystem'), allowed],
  ]);
}

/** A server made with the Python package of the protocol. */
export const startPythonServer = (): Promise<RealToolServer> =>
  start('tool_server.py', (port) => [
    join(repositoryRoot, '.local/venv/bin/python'),
    join(repositoryRoot, 'test/helpers/tool_server.py'),
    String(port),
  ]);
