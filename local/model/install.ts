import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../child.ts';
import { type Progress, silentProgress } from '../progress.ts';
import { removeMarkers } from '../python.ts';

const directory = dirname(fileURLToPath(import.meta.url));

/** llama.cpp builds without a GPU, by platform and processor. */
const builds: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
};

/**
 * The package with llama.cpp for a machine.
 * @throws {Error} if there is none, naming an alternative.
 */
export function llamaBuildFor(platform: string, architecture: string): string {
  const build = builds[`${platform}-${architecture}`];
  if (build === undefined) {
    throw new Error(
      `There is no ready-made llama.cpp for ${platform} on ${architecture}. ` +
        'Serve a model by another program (Ollama, llama.cpp, vLLM) and give its address: MODEL_BASE_URL.',
    );
  }
  return `@node-llama-cpp/${build}`;
}

/**
 * Installs the native packages of the model server into local/model/node_modules, once per lockfile.
 * @throws {CommandError} if npm fails.
 */
export async function ensureModelPackages(progress: Progress = silentProgress): Promise<void> {
  const hash = createHash('sha256')
    .update(readFileSync(join(directory, 'package-lock.json')))
    .digest('hex');
  const marker = join(directory, 'node_modules', `.installed-${hash.slice(0, 16)}`);
  if (existsSync(marker)) return;
  const build = llamaBuildFor(process.platform, process.arch);
  // `npm ci` requires every optional package of the lockfile, and some registries lack some platforms' builds. `npm
  // install` without saving also follows the lockfile, and installs only the required build.
  const wanted = `${build}@${pinnedVersion('node-llama-cpp')}`;
  const args = [
    'install',
    '--no-save',
    '--omit=optional',
    '--ignore-scripts',
    '--no-fund',
    '--no-audit',
    wanted,
  ];
  if (existsSync(dirname(marker))) removeMarkers(dirname(marker), '.installed-');
  await progress.step('Packages of the model server', () =>
    runCommand('npm', args, {
      what: 'Installing the model server',
      directory,
      environment: process.env,
      hint: `Run it by hand to see more: cd ${directory} && npm ${args.join(' ')}`,
    }),
  );
  writeFileSync(marker, '');
}

function pinnedVersion(name: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const version = (manifest as { dependencies: Record<string, string> }).dependencies[name];
  if (version === undefined) throw new Error(`${name} is not a dependency of ${directory}/package.json.`);
  return version;
}
