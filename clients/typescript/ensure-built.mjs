// Builds the package unless dist/ is of the sources as they are, so that the command line is never older than the checkout.
// A checkout that cannot be built, as one that is read-only or without its packages, goes on with the build that it has.
// Plain JavaScript without dependencies. The published package holds its build, and not this file.
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = join(folder, '..', '..');

/** Where build.mjs notes when it began, in milliseconds since the epoch, and of which files, by their paths in the checkout. */
const list = join(folder, 'dist', 'inputs.json');

/** A file that is gone is newer than what was built of it. */
const changedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : Number.POSITIVE_INFINITY);

function isBuilt() {
  if (!existsSync(list)) return false;
  const { began_at, inputs } = JSON.parse(readFileSync(list, 'utf8'));
  const known = new Set(inputs);
  const sources = readdirSync(join(folder, 'src'), { recursive: true })
    .filter((path) => statSync(join(folder, 'src', path)).isFile())
    .map((path) => `clients/typescript/src/${path.replaceAll('\\', '/')}`);
  return (
    sources.every((path) => known.has(path)) &&
    inputs.every((path) => changedAt(join(root, path)) <= began_at)
  );
}

/** What keeps the checkout from being built; null if nothing does. The build empties dist/ first, so this is asked before. */
function obstacle() {
  try {
    for (const path of [folder, join(folder, 'dist')]) accessSync(path, constants.W_OK);
    const { resolve } = createRequire(join(root, 'package.json'));
    for (const name of ['typescript/package.json', 'esbuild']) resolve(name);
    return null;
  } catch (error) {
    return error.code === 'MODULE_NOT_FOUND' ? 'its packages are not installed (npm ci)' : error.message;
  }
}

if (!isBuilt()) {
  const reason = existsSync(join(folder, 'dist', 'esm', 'cli', 'main.js')) ? obstacle() : null;
  if (reason === null) {
    console.error('Building the command line of this checkout, which takes some seconds …');
    await import(new URL('build.mjs', import.meta.url).href);
  } else {
    console.error(`The command line is older than this checkout, which cannot be built: ${reason}`);
  }
}
