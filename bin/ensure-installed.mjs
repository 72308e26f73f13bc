// Installs the packages of package-lock.json if they are not installed, so that every command works from a fresh clone.
// Plain JavaScript without dependencies: it runs before they are installed.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const marker = `${root}node_modules/.installed-lock`;
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(
    `Node ${process.versions.node} is too old: install Node 20 or newer (22 is what is deployed).`,
  );
  process.exit(1);
}
const lock = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex');
/** Whether npm itself installed the packages after the lockfile last changed: it leaves a copy of the lockfile. */
const isInstalledByNpm = () => {
  const copy = `${root}node_modules/.package-lock.json`;
  return existsSync(copy) && statSync(copy).mtimeMs >= statSync(`${root}package-lock.json`).mtimeMs;
};
if (!existsSync(marker) && isInstalledByNpm()) writeFileSync(marker, lock);
if (!existsSync(marker) || readFileSync(marker, 'utf8') !== lock) {
  console.log('Installing the dependencies (npm ci) …');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
  writeFileSync(marker, lock);
}
