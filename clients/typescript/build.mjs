// Fills dist/ with the package: ES modules, CommonJS, the declarations of both, and the checks of rows that the command
// line loads.
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleChecker } from './bundle-checker.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = join(folder, '..', '..');

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
await bundleChecker(join(folder, 'dist', 'check'));
