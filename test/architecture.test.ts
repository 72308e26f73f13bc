import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { functionIds } from '#infra/names.ts';
import { permissionsOf } from '#infra/permissions.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

function filesBelow(folder: string, extension: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension) && !path.includes('node_modules'))
    .map((path) => posix.join(folder, path))
    .sort();
}

const sources = new Map(
  ['bin', 'functions', 'infra', 'local', 'shared']
    .flatMap((folder) => filesBelow(folder, '.ts'))
    .filter((path) => !path.endsWith('.d.ts'))
    .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
);

interface Import {
  readonly file: string;
  /** Path from the root, or the name of a package. */
  readonly target: string;
  readonly isPackage: boolean;
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s*'([^']+)'|(?:^|[^\w.])import\(\s*'([^']+)'|(?:^|\n)import '([^']+)'/g;

function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    if (specifier.startsWith('.')) {
      return { file, target: posix.normalize(posix.join(dirname(file), specifier)), isPackage: false };
    }
    if (specifier.startsWith('#')) return { file, target: specifier.slice(1), isPackage: false };
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    return { file, target: name, isPackage: true };
  });
}

const imports = [...sources].flatMap(([file, text]) => importsOf(file, text));

/** `shared/runs/decide/view.ts` → `shared/domain`; what binds adapters counts as a layer of its own. */
function layerOf(path: string): string {
  if (path.startsWith('shared/runtime/deps/')) return 'shared/runtime/deps';
  const [first = '', second = ''] = path.split('/');
  return first === 'shared' ? `${first}/${second}` : first;
}

/** What each layer may import besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'shared/schema': ['shared/errors'],
  'shared/errors': ['shared/schema'],
  'shared/contracts': ['shared/schema', 'shared/errors'],
  'shared/pipelines': ['shared/schema', 'shared/errors', 'shared/contracts'],
  'shared/domain': ['shared/schema', 'shared/errors'],
  'shared/operations': ['shared/domain', 'shared/schema', 'shared/errors'],
  'shared/adapters': ['shared/domain', 'shared/schema', 'shared/errors'],
  'shared/runtime': [
    'shared/contracts',
    'shared/pipelines',
    'shared/domain',
    'shared/schema',
    'shared/errors',
    'shared/runtime/deps',
  ],
  'shared/runtime/deps': [
    'shared/runtime',
    'shared/operations',
    'shared/adapters',
    'shared/domain',
    'shared/contracts',
    'shared/schema',
    'shared/errors',
  ],
  functions: [
    'shared/runtime',
    'shared/runtime/deps',
    'shared/contracts',
    'shared/pipelines',
    'shared/domain',
    'shared/errors',
    'openapi.json',
  ],
  infra: [
    'shared/contracts',
    'shared/pipelines',
    'shared/schema',
    'shared/errors',
    'shared/runtime',
    'permissions.json',
  ],
  local: ['infra', 'shared/adapters', 'shared/domain', 'shared/schema'],
  bin: [
    'infra',
    'local',
    'shared/adapters',
    'shared/contracts',
    'shared/domain',
    'shared/errors',
    'shared/operations',
    'shared/runtime',
    'shared/schema',
  ],
};

/** Packages by layer; a layer that is missing here may use any. Node's own modules are free. */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  'shared/schema': ['zod'],
  'shared/errors': ['zod'],
  'shared/contracts': ['zod'],
  'shared/pipelines': ['zod'],
  'shared/domain': ['zod', 'eld', '@lezer/javascript', '@lezer/python'],
  'shared/operations': ['zod'],
  'shared/runtime': [
    'zod',
    'aws-lambda',
    '@middy/core',
    '@middy/http-json-body-parser',
    '@aws-lambda-powertools/logger',
    '@aws-lambda-powertools/metrics',
  ],
  'shared/runtime/deps': [],
  functions: ['aws-lambda'],
};

describe('imports', () => {
  test('are found: the rules below would hold of nothing', () => {
    expect(sources.size).toBeGreaterThan(200);
    expect(imports.length).toBeGreaterThan(800);
    expect(
      importsOf(
        'shared/a/b.ts',
        "import {\n  x,\n} from '../c/d.ts';\nawait import('./e.ts');\nimport '@q/r/s';",
      ),
    ).toEqual([
      { file: 'shared/a/b.ts', target: 'shared/c/d.ts', isPackage: false },
      { file: 'shared/a/b.ts', target: 'shared/a/e.ts', isPackage: false },
      { file: 'shared/a/b.ts', target: '@q/r', isPackage: true },
    ]);
    expect(new Set([...sources.keys()].map(layerOf))).toEqual(new Set(Object.keys(mayImport)));
  });

  test('lead to a file that exists', () => {
    const lost = imports.filter(({ target, isPackage }) => !isPackage && !existsSync(join(ROOT, target)));

    expect(lost).toEqual([]);
  });

  test.each(Object.keys(mayImport))('of %s go where its layer may look', (layer) => {
    const allowed = [layer, ...(mayImport[layer] ?? [])];
    const strays = imports
      .filter(({ file, isPackage }) => !isPackage && layerOf(file) === layer)
      .filter(({ target }) => !allowed.includes(layerOf(target)));

    expect(strays).toEqual([]);
  });

  test.each(Object.keys(mayUse))('of %s take no package that is not its own', (layer) => {
    const strays = imports
      .filter(({ file, isPackage }) => isPackage && layerOf(file) === layer)
      .filter(({ target }) => !target.startsWith('node:') && !mayUse[layer]?.includes(target));

    expect(strays).toEqual([]);
  });

  test('of the runtime reach one thing alone of what is bound: the counter of requests', () => {
    const reaching = imports.filter(
      ({ file, target }) => layerOf(file) === 'shared/runtime' && layerOf(target) === 'shared/runtime/deps',
    );

    expect([...new Set(reaching.map(({ target }) => target))]).toEqual([
      'shared/platform/wire/rate-limiter.ts',
    ]);
  });

  test('of infra take only the names of variables and what needs can use from the runtime', () => {
    const targets = imports
      .filter(({ file, target }) => file.startsWith('infra/') && target.startsWith('shared/runtime'))
      .map(({ target }) => target);

    expect([...new Set(targets)].sort()).toEqual(['shared/platform/runtime/env-names.ts', 'shared/platform/runtime/uses.ts']);
  });

  test('reach AWS, DuckDB and HTTP clients through adapters alone', () => {
    const strays = imports
      .filter(({ target }) => /^(@aws-sdk\/|@smithy\/|@duckdb\/|undici$|hyparquet$)/.test(target))
      .filter(({ file }) => !/^(shared\/adapters|local|bin)\//.test(file));

    expect(strays).toEqual([]);
  });

  test('form no circle among the layers above schema and errors', () => {
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      (mayImport[from] ?? []).some((next) => {
        if (next === to) return true;
        if (seen.has(next)) return false;
        return reaches(next, to, seen.add(next));
      });
    const circular = Object.keys(mayImport).filter((layer) => reaches(layer, layer));

    expect(circular.sort()).toEqual([
      'shared/errors',
      'shared/runtime',
      'shared/runtime/deps',
      'shared/schema',
    ]);
  });

  test('take the whole of zod, since a named import of z defeats tree shaking', () => {
    const strays = [...sources].filter(([, text]) =>
      /import (type )?\{[^}]*\bz\b[^}]*\} from 'zod'/.test(text),
    );

    expect(strays.map(([file]) => file)).toEqual([]);
  });
});

describe('what comes from outside', () => {
  const filesWith = (pattern: RegExp, isAllowed: (file: string) => boolean): string[] =>
    [...sources].filter(([file, text]) => pattern.test(text) && !isAllowed(file)).map(([file]) => file);

  test('environment variables are read in one file of the service', () => {
    expect(filesWith(/process\.env/, (file) => /^(local|bin)\//.test(file))).toEqual([
      'shared/platform/runtime/env.ts',
    ]);
  });

  test('time and chance come in as arguments below the runtime', () => {
    const pattern = /\bDate\.now\b|\bnew Date\(\)|\brandomUUID\b|\bMath\.random\b/;
    const isAllowed = (file: string): boolean => /^(shared\/(runtime|adapters)|local|bin)\//.test(file);

    expect(filesWith(pattern, isAllowed)).toEqual([]);
    expect(filesWith(pattern, () => false).length).toBeGreaterThan(3);
  });

  test('nothing is written to the console by the service', () => {
    expect(filesWith(/\bconsole\./, (file) => /^(local|bin)\//.test(file))).toEqual([]);
  });
});

describe('ids', () => {
  test('every endpoint has a test beside its handler’s path', () => {
    const missing = contracts
      .map(({ id }) => `test/functions/api/${id.replaceAll('.', '/')}.test.ts`)
      .filter((path) => !existsSync(join(ROOT, path)));

    expect(missing).toEqual([]);
  });

  test('every state machine has a contract, and every contract a state machine', () => {
    const machines = filesBelow('statemachines', '.asl.yaml').map((path) =>
      path.replace('statemachines/', '').replace('.asl.yaml', ''),
    );

    expect(machines).toEqual(pipelines.map(({ id }) => id).sort());
  });

  test('pipelines name children and workers that exist', () => {
    for (const { id, children, workers, tasks } of pipelines) {
      const known = pipelines.map((pipeline) => pipeline.id);
      for (const child of children) expect(known.slice(0, known.indexOf(id)), id).toContain(child);
      for (const worker of workers) expect(Object.keys(tasks), id).toContain(worker);
    }
  });

  test('functions touch machines and functions that exist', () => {
    const machines = pipelines.map(({ id }) => id);
    for (const id of functionIds) {
      const { starts = [], observes = [], stops = [], fails = [], invokes = [] } = permissionsOf(id);
      for (const machine of [...starts, ...observes, ...stops, ...fails]) {
        expect(machines, id).toContain(machine);
      }
      for (const name of invokes) expect(functionIds, id).toContain(name);
    }
  });
});
