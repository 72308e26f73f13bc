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
  ['bin', 'functions', 'infra', 'lab', 'local', 'shared', 'trainer']
    .flatMap((folder) => filesBelow(folder, '.ts'))
    .filter((path) => !path.endsWith('.d.ts'))
    .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
);

interface Import {
  readonly file: string;
  /** Path from the root, or the name of a package. */
  readonly target: string;
  readonly isPackage: boolean;
  readonly isRelative: boolean;
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s*'([^']+)'|(?:^|[^\w.])import\(\s*'([^']+)'|(?:^|\n)import '([^']+)'/g;

function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    if (specifier.startsWith('.')) {
      return {
        file,
        target: posix.normalize(posix.join(dirname(file), specifier)),
        isPackage: false,
        isRelative: true,
      };
    }
    if (specifier.startsWith('#')) {
      return { file, target: specifier.slice(1), isPackage: false, isRelative: false };
    }
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    return { file, target: name, isPackage: true, isRelative: false };
  });
}

const imports = [...sources].flatMap(([file, text]) => importsOf(file, text));

/** The capabilities, lowest first. One may import those before it, and none after it. */
const capabilities = [
  'platform',
  'models',
  'events',
  'webhooks',
  'access',
  'languages',
  'tabular',
  'datasets',
  'runs',
  'ingest',
  'answers',
  'witnesses',
  'judging',
  'adaptation',
  'pilots',
  'exports',
  'review',
  'growth',
  'training',
  'publishing',
  'deployments',
  'lifecycle',
  'responses',
  'openai',
  'evals',
  'transfer',
  'mcp',
  'telemetry',
  'probe',
  'service',
];

const capabilityOf = (path: string): string | null => /^shared\/([^/]+)\//.exec(path)?.[1] ?? null;

/** Folders of `platform` that hold pure functions and the interfaces of its stores, as `decide` does elsewhere. */
const PURE = ['access', 'storage', 'egress'];

/** The needs of a capability, and what counts its work. */
const WIRING = /^(?:wire(?:-[a-z]+)?|measure-(?:answers|export|ledger|models|worker))\.ts$/;

/**
 * What a file is inside its capability, by its folder: `shared/runs/decide/view.ts` → `decide`. A file directly in a
 * capability is an operation, `contracts.ts` and `pipelines.ts` apart; in `platform` it is a pure function.
 */
function layerOf(path: string): string {
  const [first = '', capability = '', third = '', ...rest] = path.split('/');
  if (first !== 'shared') return first;
  if (WIRING.test(third)) return 'wire';
  if (capability === 'platform' && (rest.length === 0 || PURE.includes(third))) return 'decide';
  if (rest.length > 0) return third;
  if (third === 'background.ts') return 'pipelines';
  return third === 'contracts.ts' || third === 'pipelines.ts' ? third.replace('.ts', '') : 'operations';
}

/** What each layer may import besides itself, in every capability that it may import. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  schema: ['errors'],
  errors: ['schema'],
  contracts: ['schema', 'errors'],
  pipelines: ['schema', 'errors', 'contracts'],
  decide: ['schema', 'errors'],
  operations: ['decide', 'schema', 'errors'],
  adapters: ['decide', 'schema', 'errors'],
  store: ['decide', 'schema', 'errors'],
  runtime: ['contracts', 'pipelines', 'decide', 'schema', 'errors', 'wire'],
  wire: ['runtime', 'operations', 'adapters', 'store', 'decide', 'contracts', 'schema', 'errors'],
  functions: [
    'runtime',
    'wire',
    'operations',
    'adapters',
    'contracts',
    'pipelines',
    'decide',
    'schema',
    'errors',
    'openapi.json',
  ],
  infra: ['contracts', 'pipelines', 'schema', 'errors', 'runtime', 'permissions.json'],
  local: ['infra', 'trainer', 'adapters', 'store', 'decide', 'schema'],
  trainer: ['local', 'adapters', 'decide', 'schema'],
  bin: [
    'clients',
    'infra',
    'local',
    'trainer',
    'adapters',
    'store',
    'contracts',
    'decide',
    'errors',
    'operations',
    'runtime',
    'schema',
  ],
  // Measures the product, which knows nothing of it: `lab` stands in no other line.
  lab: [
    'bin',
    'infra',
    'local',
    'trainer',
    'adapters',
    'store',
    'contracts',
    'decide',
    'operations',
    'runtime',
    'schema',
  ],
};

/** Packages by layer; a layer that is missing here may use any. Node's own modules are free. */
const mayUse: Readonly<Record<string, readonly string[]>> = {
  schema: ['zod'],
  errors: ['zod'],
  contracts: ['zod'],
  pipelines: ['zod'],
  decide: ['zod', 'eld', '@lezer/javascript', '@lezer/python'],
  operations: ['zod'],
  runtime: [
    'zod',
    'aws-lambda',
    '@middy/core',
    '@middy/http-json-body-parser',
    '@aws-lambda-powertools/logger',
    '@aws-lambda-powertools/metrics',
  ],
  wire: [],
  functions: ['aws-lambda'],
};

test('imports are found: the rules below would hold of nothing', () => {
  expect(sources.size).toBeGreaterThan(200);
  expect(imports.length).toBeGreaterThan(800);
  expect(
    importsOf(
      'shared/a/b.ts',
      "import {\n  x,\n} from '../c/d.ts';\nawait import('./e.ts');\nimport '@q/r/s';",
    ),
  ).toEqual([
    { file: 'shared/a/b.ts', target: 'shared/c/d.ts', isPackage: false, isRelative: true },
    { file: 'shared/a/b.ts', target: 'shared/a/e.ts', isPackage: false, isRelative: true },
    { file: 'shared/a/b.ts', target: '@q/r', isPackage: true, isRelative: false },
  ]);
  expect(new Set([...sources.keys()].map(layerOf))).toEqual(new Set(Object.keys(mayImport)));
});

test('imports lead to a file that exists', () => {
  const lost = imports.filter(({ target, isPackage }) => !isPackage && !existsSync(join(ROOT, target)));

  expect(lost).toEqual([]);
});

test.each(Object.keys(mayImport))('imports of %s go where its layer may look', (layer) => {
  const allowed = [layer, ...(mayImport[layer] ?? [])];
  const strays = imports
    .filter(({ file, isPackage }) => !isPackage && layerOf(file) === layer)
    .filter(({ target }) => !allowed.includes(layerOf(target)));

  expect(
    strays.map(({ file, target }) => `${file} imports ${target}, of the layer "${layerOf(target)}"`),
    `A file of the layer "${layer}" may import only: ${allowed.join(', ')}.`,
  ).toEqual([]);
});

test.each(Object.keys(mayUse))('imports of %s take no package that is not its own', (layer) => {
  const strays = imports
    .filter(({ file, isPackage }) => isPackage && layerOf(file) === layer)
    .filter(({ target }) => !target.startsWith('node:') && !mayUse[layer]?.includes(target));

  expect(strays).toEqual([]);
});

test('imports lead from a capability to lower ones', () => {
  const rank = (path: string): number => capabilities.indexOf(capabilityOf(path) ?? '');
  const shared = imports.filter(
    ({ file, target }) => capabilityOf(file) !== null && capabilityOf(target) !== null,
  );
  const rising = shared.filter(({ file, target }) => rank(file) < rank(target));

  expect([...new Set([...sources.keys()].map(capabilityOf))].filter((each) => each !== null).sort()).toEqual(
    capabilities.toSorted(),
  );
  expect(shared.length).toBeGreaterThan(1000);
  expect(rising.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
});

test('imports of the runtime reach one need: the counter of requests', () => {
  const reaching = imports.filter(
    ({ file, target }) => layerOf(file) === 'runtime' && layerOf(target) === 'wire',
  );

  expect([...new Set(reaching.map(({ target }) => target))]).toEqual(['shared/platform/wire.ts']);
});

test('imports of infra take only the names of variables and what needs can use from the runtime', () => {
  const targets = imports
    .filter(({ file, target }) => file.startsWith('infra/') && layerOf(target) === 'runtime')
    .map(({ target }) => target);

  expect([...new Set(targets)].sort()).toEqual([
    'shared/platform/runtime/env-names.ts',
    'shared/platform/runtime/uses.ts',
  ]);
});

test('imports reach AWS, DuckDB and HTTP clients through adapters alone', () => {
  const strays = imports
    .filter(({ target }) => /^(@aws-sdk\/|@smithy\/|@duckdb\/|undici$|hyparquet$)/.test(target))
    .filter(({ file }) => !['adapters', 'store', 'local', 'trainer', 'bin', 'lab'].includes(layerOf(file)));

  expect(strays).toEqual([]);
});

test('imports form circles among layers only where each is known', () => {
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (mayImport[from] ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      return reaches(next, to, seen.add(next));
    });
  const circular = Object.keys(mayImport).filter((layer) => reaches(layer, layer));

  expect(circular.sort()).toEqual(['errors', 'local', 'runtime', 'schema', 'trainer', 'wire']);
});

test('imports of a need cost a bundle nothing that its handler does not use: every need is marked as pure', () => {
  const wires = [...sources].filter(([file]) => layerOf(file) === 'wire');
  const calls = (pattern: RegExp): string[] =>
    wires.flatMap(([file, text]) => [...text.matchAll(pattern)].map(([line]) => `${file}: ${line}`));

  expect(
    calls(/^(?:export )?const \w+(?:: [^=\n]+)? =\s+(?:need|resource|models|once|objects)[<(]/gm),
  ).toEqual([]);
  expect(calls(/\/\* @__PURE__ \*\/ need[<(]/g).length).toBeGreaterThan(50);
});

test('imports of wiring make what is outside of the process in resources alone, which tests replace', () => {
  /** What reads files of rows is inside of the process. */
  const isOutside = (path: string): boolean =>
    (layerOf(path) === 'adapters' && capabilityOf(path) !== 'tabular') || path.endsWith('store/table.ts');
  const named = /(?:^|\n)import \{([^}]*)\} from '([^']+)'/g;
  const statements = [...sources]
    .filter(([file]) => layerOf(file) === 'wire')
    .flatMap(([file, text]) => {
      const outside = [...text.matchAll(named)]
        .filter(([line]) => importsOf(file, line).some(({ target }) => isOutside(target)))
        .flatMap(([, names = '']) => names.split(',').map((name) => name.trim().split(' as ').at(-1) ?? ''))
        .filter((name) => name !== '' && !name.startsWith('type '));
      const reached = [...outside, 'Date\\.now', 'Math\\.random', 'randomUUID', "import\\('[^']*adapters/"];
      const pattern = new RegExp(`(?<![\\w.])(?:${reached.join('|')})`);
      return text
        .replaceAll(/(?:^|\n)import [^;]*;/g, '')
        .split(/\n(?=export |const |function |async function )/)
        .filter((statement) => pattern.test(statement))
        .map((statement) => ({
          file,
          isResource: /^[^=]*= \/\* @__PURE__ \*\/ resource[<(]/.test(statement),
          statement,
        }));
    });

  expect(statements.filter(({ isResource }) => !isResource)).toEqual([]);
  expect(statements.length).toBeGreaterThan(20);
  expect(
    imports.filter(({ file, target }) => layerOf(file) === 'wire' && target.endsWith('/env.ts')),
  ).toEqual([]);
});

test('imports of wiring rename nothing: a name says the same thing in every file', () => {
  const renamed = [...sources]
    .filter(([file]) => layerOf(file) === 'wire')
    .flatMap(([file, text]) =>
      [...text.matchAll(/^import (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
        [...names.matchAll(/\w+ as \w+/g)].map(([name]) => `${file}: ${name}`),
      ),
    );

  expect(renamed).toEqual([]);
});

test('imports have one form: relative inside a capability or a folder, by its alias from elsewhere', () => {
  const placeOf = (path: string): string => capabilityOf(path) ?? path.split('/')[0] ?? '';
  const strays = imports.filter(
    ({ file, target, isPackage, isRelative }) =>
      !isPackage && target.includes('/') && isRelative !== (placeOf(file) === placeOf(target)),
  );

  expect(strays).toEqual([]);
});

test('imports take the whole of zod, since a named import of z defeats tree shaking', () => {
  const strays = [...sources].filter(([, text]) =>
    /import (type )?\{[^}]*\bz\b[^}]*\} from 'zod'/.test(text),
  );

  expect(strays.map(([file]) => file)).toEqual([]);
});

describe('what comes from outside', () => {
  const filesWith = (pattern: RegExp, isAllowed: (file: string) => boolean): string[] =>
    [...sources].filter(([file, text]) => pattern.test(text) && !isAllowed(file)).map(([file]) => file);

  test('environment variables are read in one file of the service', () => {
    expect(filesWith(/process\.env/, (file) => /^(local|trainer|bin|lab)\//.test(file))).toEqual([
      'shared/platform/runtime/env.ts',
    ]);
  });

  test('time and chance come in as arguments below the runtime', () => {
    const pattern = /\bDate\.now\b|\bnew Date\(\)|\brandomUUID\b|\bMath\.random\b/;
    const isAllowed = (file: string): boolean =>
      ['runtime', 'wire', 'adapters', 'store', 'local', 'trainer', 'bin', 'lab'].includes(layerOf(file));

    expect(filesWith(pattern, isAllowed)).toEqual([]);
    expect(filesWith(pattern, () => false).length).toBeGreaterThan(3);
  });

  test('operations measure a wait by the clock of the process in four files, and decisions in none', () => {
    const pattern =
      /\bperformance\.now\b|\bset(?:Timeout|Interval)\b|import \{[^}]*\brandom[A-Z]\w+[^}]*\} from 'node:crypto'/;
    const found = filesWith(pattern, (file) => !['decide', 'operations'].includes(layerOf(file)));

    expect(found).toEqual([
      'shared/exports/export-file.ts',
      'shared/exports/read-rows.ts',
      'shared/growth/combine-datasets.ts',
      'shared/tabular/fetch-image.ts',
    ]);
  });

  test('kinds of runs are told apart by the properties of their table, and never by their name', () => {
    const pattern =
      /\b(?:pipeline|made_by) [!=]==? '|\bswitch \((?:\w+\.)?pipeline\)|\]\.includes\((?:\w+\.)?pipeline\)/;

    expect(filesWith(pattern, (file) => /^(trainer|lab)\//.test(file))).toEqual([]);
  });

  test('the rows that a run delivers, which are billed, are told and counted in one file', () => {
    const told =
      /'changed'\s*(?:\|\||&&)[^|&;]*'kept'|'kept'\s*(?:\|\||&&)[^|&;]*'changed'|(?<!enum\()\[\s*'changed',\s*'kept'/;
    const counted = /\bchanged\b[\s'")]*\+[^+;]*\bkept\b|\bkept\b[\s'")]*\+[^+;]*\bchanged\b/;

    for (const pattern of [told, counted])
      expect(filesWith(pattern, () => false)).toEqual(['shared/runs/decide/outcomes.ts']);
  });

  test('prices of rows are written by hand in no contract and no schema: they say what the table of prices has', () => {
    expect(filesWith(/\d+ (?:credits? )?per 100\b/, (file) => !file.startsWith('shared/'))).toEqual([]);
  });

  test('texts are normalized in one file, which breaks what would take long', () => {
    const pattern = /(?<!\bposix)\.normalize\(/;

    expect(filesWith(pattern, () => false)).toEqual(['shared/platform/normalize-text.ts']);
  });

  test('decisions take from Node only what computes', () => {
    const modules = imports
      .filter(({ file, target }) => layerOf(file) === 'decide' && target.startsWith('node:'))
      .map(({ target }) => target);

    expect([...new Set(modules)].sort()).toEqual([
      'node:buffer',
      'node:crypto',
      'node:stream',
      'node:util',
      'node:zlib',
    ]);
  });

  test('nothing is written to the console by the service', () => {
    expect(
      filesWith(/\bconsole\.(?:debug|dir|error|info|log|table|trace|warn)\(/, (file) =>
        /^(local|trainer|bin|lab)\//.test(file),
      ),
    ).toEqual([]);
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
