import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '#local/paths.ts';

/** What the suite says of one thing that it checks. */
export interface Check {
  readonly id: string;
  readonly name: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** The conformance suite of the Model Context Protocol, which runs every scenario in one process. */
export class ConformanceSuite implements Disposable {
  readonly #process: ChildProcess = fork('test/helpers/conformance-suite.mjs', {
    cwd: repositoryRoot,
    silent: true,
    execArgv: [],
  });

  /** What a command of the suite prints. Its exit status is of no use: it tells of checks that are none of a server's. */
  async run(...args: string[]): Promise<string> {
    this.#process.send(args);
    const [printed] = await once(this.#process, 'message');
    return String(printed);
  }

  /** The checks of a scenario under a revision of the protocol. @param args the side that is tested, and how to reach it */
  async checksOf(scenario: string, revision: string, ...args: string[]): Promise<Check[]> {
    const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
    try {
      await this.run(...args, '--scenario', scenario, '--spec-version', revision, '--output-dir', folder);
      const [run = ''] = await readdir(folder);
      return JSON.parse(await readFile(join(folder, run, 'checks.json'), 'utf8'));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** The names of all scenarios of a side. */
  async scenarios(side: '--client' | '--server'): Promise<string[]> {
    return [...(await this.run('list', side)).matchAll(/^ {2}- (\S+) \[/gm)].map(([, name]) => name ?? '');
  }

  [Symbol.dispose](): void {
    this.#process.kill();
  }
}
