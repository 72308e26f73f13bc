// Builds the package unless dist/ is of the sources as they are, so that the command line is never older than the checkout.
// Plain JavaScript without dependencies. The published package holds its build, and not this file.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
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

if (!isBuilt()) {
  console.error('Building the command line of this checkout, which takes some seconds …');
  await import(new URL('build.mjs', import.meta.url).href);
}
