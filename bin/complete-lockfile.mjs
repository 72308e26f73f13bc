// `npm run lockfile`: adds entries to package-lock.json that npm omits. Packages with native code list one optional
// package for each platform; if the registry lacks some of them, npm writes a lockfile without those, and `npm ci` then
// rejects it, even on platforms that need none of them. An entry without an integrity hash is enough: npm skips it on
// other platforms, and downloads it on its own.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'x64',
  'wasm32',
];

/** The platform in a package's name, as npm's `os`, `cpu` and `libc`. */
function platformOf(name) {
  const words = name.split('/').at(-1).split(/[-_.]/);
  const os = systems.find((system) => words.includes(system));
  const cpu = processors.find((processor) => words.includes(processor));
  const libc = words.includes('musl')
    ? 'musl'
    : words.includes('gnu') && os === 'linux'
      ? 'glibc'
      : undefined;
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(os === undefined ? {} : { os: [os] }),
    ...(libc === undefined ? {} : { libc: [libc] }),
  };
}

/** Optional packages that the lockfile refers to without an entry. */
export function missingEntries(lock) {
  return Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {}).flatMap(([name, version]) => {
      const isThere =
        `${path}/node_modules/${name}` in lock.packages || `node_modules/${name}` in lock.packages;
      return isThere || !/^\d/.test(version) ? [] : [{ name, version, dev: entry.dev === true }];
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL('../package-lock.json', import.meta.url);
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingEntries(lock);
  for (const { name, version, dev } of missing) {
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(dev ? { dev: true } : {}),
      optional: true,
    };
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${missing.length} entries added.`);
}
