// Bundles the service's own checks of rows into one file, with all packages that they use: the package of the client
// gets no dependency by them. Their licences lie beside it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Data that is extracted from a package, and goes by its licence. */
const EXTRACTED = { 'shared/languages/decide/cldr.json': 'cldr-core' };

/**
 * @param {string} folder where `check-files.js` and its licences are written
 * @returns {Promise<{ bytes: number, packages: string[], imports: string[], inputs: string[] }>}
 */
export async function bundleChecker(folder) {
  // The bundler of the repository, as its compiler: the published package needs neither.
  const { build } = createRequire(join(root, 'package.json'))('esbuild');
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['bin/check/check-files.ts'],
    outfile: join(folder, 'check-files.js'),
    bundle: true,
    minify: true,
    // Their texts are written whole.
    legalComments: 'none',
    charset: 'utf8',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    mainFields: ['module', 'main'],
    metafile: true,
    write: false,
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  const foreign = imports.filter((path) => !path.startsWith('node:'));
  if (foreign.length > 0) throw new Error(`The bundle imports what no user has: ${foreign.join(', ')}.`);
  const packages = packagesOf(Object.keys(metafile.inputs));
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), packages.map(licenceOf).join('\n'));
  const bytes = outputFiles.reduce((sum, { contents }) => sum + contents.byteLength, 0);
  const inputs = Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules/'));
  return { bytes, packages, imports: [...new Set(imports)].sort(), inputs };
}

/** @param {string[]} inputs */
function packagesOf(inputs) {
  const names = inputs.flatMap((path) => {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? EXTRACTED[path];
    return name === undefined ? [] : [name];
  });
  return [...new Set(names)].sort();
}

/**
 * @param {string} name
 * @throws {Error} if the package has no file with its licence
 */
function licenceOf(name) {
  const folder = join(root, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`The package ${name} has no file with its licence.`);
  const text = readFileSync(join(folder, file), 'utf8').trim();
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n${'='.repeat(80)}\n\n${text}\n`;
}
