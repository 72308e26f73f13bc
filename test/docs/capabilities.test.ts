import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';

const files = readdirSync(join(repositoryRoot, 'shared'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .map((path) => posix.join('shared', path))
  .sort();

const capabilityOf = (path: string): string => path.split('/')[1] ?? '';

/** The capabilities that each one imports. */
function importsByCapability(): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const path of files) {
    const capability = capabilityOf(path);
    const others = imports.get(capability) ?? new Set();
    imports.set(capability, others);
    for (const [, other = ''] of readFileSync(join(repositoryRoot, path), 'utf8').matchAll(
      /from '#shared\/(\w+)\//g,
    )) {
      if (other !== capability) others.add(other);
    }
  }
  return imports;
}

/** The edges that no path of other edges replaces. The six imports that rise, from runs to training, are left out. */
function reduced(imports: ReadonlyMap<string, ReadonlySet<string>>): [string, string][] {
  const next = (from: string): string[] =>
    [...(imports.get(from) ?? [])].filter((to) => !(from === 'runs' && to === 'training'));
  const reaches = (from: string, to: string): boolean =>
    next(from).some((step) => step === to || reaches(step, to));
  return [...imports.keys()].sort().flatMap((from) =>
    next(from)
      .filter((to) => !next(from).some((step) => step !== to && reaches(step, to)))
      .sort()
      .map((to): [string, string] => [from, to]),
  );
}

function page(): string {
  const imports = importsByCapability();
  const rows = [...imports.keys()].sort().map((capability) => {
    const readme = readFileSync(join(repositoryRoot, 'shared', capability, 'README.md'), 'utf8');
    const purpose = readme.split('\n\n')[1]?.replaceAll('\n', ' ').trim();
    return `| [${capability}](../shared/${capability}/README.md) | ${purpose} |`;
  });
  return [
    '# Capabilities',
    '',
    'Each folder of `shared/` is a capability ([ADR 0046](adr/0046-one-folder-for-each-capability.md)). An arrow means',
    '"imports"; an arrow that follows from others is left out. A test writes this page from the imports',
    '(`npx vitest run --project unit test/docs/capabilities.test.ts -u`).',
    '',
    '```mermaid',
    'flowchart TD',
    ...reduced(imports).map(([from, to]) => `  ${from} --> ${to}`),
    '```',
    '',
    '| Capability | What it does |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

test('docs/capabilities.md shows the capabilities as they import each other', async () => {
  await expect(page()).toMatchFileSnapshot('../../docs/capabilities.md');
});

test('the README of a capability names files that it has', () => {
  const lost = [...new Set(files.map(capabilityOf))].flatMap((capability) => {
    const folder = posix.join('shared', capability);
    const readme = readFileSync(join(repositoryRoot, folder, 'README.md'), 'utf8');
    return [...readme.matchAll(/`([\w./-]+\.(?:ts|json))`/g)]
      .map(([, name = '']) => posix.join(folder, name))
      .filter((path) => !existsSync(join(repositoryRoot, path)));
  });

  expect(lost).toEqual([]);
});

/** The names in the line of a README that says who calls a capability: functions and folders of them, capabilities. */
function callersOf(capability: string): string[] {
  const readme = readFileSync(join(repositoryRoot, 'shared', capability, 'README.md'), 'utf8');
  const line = readme.split('\n').find((text) => text.startsWith('Called by: ')) ?? '';
  return [...line.matchAll(/`([a-z]+(?:\/[a-z-]+)?)`/g)].map(([, name = '']) => name);
}

/** The capabilities whose own code imports each one. Its wiring is that of functions, and the lists of `service` call nothing. */
function importersByCapability(): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const path of files.filter(
    (each) => !/\/wire[\w-]*\.ts$/.test(each) && !each.startsWith('shared/service/'),
  )) {
    for (const [, other = ''] of readFileSync(join(repositoryRoot, path), 'utf8').matchAll(
      /from '#shared\/(\w+)\//g,
    )) {
      if (other === capabilityOf(path)) continue;
      importers.set(other, (importers.get(other) ?? new Set()).add(capabilityOf(path)));
    }
  }
  return importers;
}

test('the README of a capability names the capabilities that call it, and functions that exist', () => {
  const importers = importersByCapability();
  // All call the platform.
  for (const capability of [...importsByCapability().keys()].filter((each) => each !== 'platform')) {
    const callers = callersOf(capability);
    const functions = callers.filter((name) => name.includes('/'));

    expect(callers.filter((name) => !name.includes('/')).sort(), capability).toEqual(
      [...(importers.get(capability) ?? [])].sort(),
    );
    expect(
      functions.filter(
        (name) => ![name, `${name}.ts`].some((path) => existsSync(join(repositoryRoot, 'functions', path))),
      ),
      capability,
    ).toEqual([]);
  }
});

/** A file of this many lines is where much of a capability is decided or done. */
const LARGE = 300;

test('the README of a capability names its large operations and decisions', () => {
  const large = files.filter(
    (path) =>
      /^shared\/[^/]+\/(?:decide\/)?[^/]+\.ts$/.test(path) &&
      readFileSync(join(repositoryRoot, path), 'utf8').split('\n').length > LARGE,
  );
  const unnamed = large.filter((path) => {
    const folder = posix.join('shared', capabilityOf(path));
    const readme = readFileSync(join(repositoryRoot, folder, 'README.md'), 'utf8');
    return !readme.includes(`\`${posix.relative(folder, path)}\``);
  });

  expect(large).toContain('shared/responses/decide/answer.ts');
  expect(unnamed).toEqual([]);
});
