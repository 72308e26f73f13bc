// Fills dist/ with the package: ES modules, CommonJS, the declarations of both, and the checks of rows that the command
// line loads. Of what it was built is noted in dist/inputs.json, which ensure-built.mjs reads.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleChecker } from './bundle-checker.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = join(folder, '..', '..');
const began_at = Date.now();

// The compiler of the repository: that of this package is for its generator alone.
const compiler = join(
  dirname(createRequire(join(root, 'package.json')).resolve('typescript/package.json')),
  'bin',
  'tsc',
);

rmSync(join(folder, 'dist'), { recursive: true, force: true });
for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
  execFileSync(process.execPath, [compiler, '--project', project], { cwd: folder, stdio: 'inherit' });
}
writeFileSync(join(folder, 'dist', 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
copyFileSync(join(root, 'LICENSE'), join(folder, 'dist', 'LICENSE'));
const { inputs } = await bundleChecker(join(folder, 'dist', 'check'));
const src = readdirSync(join(folder, 'src'), { recursive: true }).map((path) => join('src', path));
const own = [...readdirSync(folder), ...src]
  .filter((path) => statSync(join(folder, path)).isFile())
  .map((path) => `clients/typescript/${path.replaceAll('\\', '/')}`);
writeFileSync(
  join(folder, 'dist', 'inputs.json'),
  JSON.stringify({ began_at, inputs: ['package-lock.json', ...own, ...inputs] }),
);
