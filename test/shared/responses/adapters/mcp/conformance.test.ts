import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localDirectory } from '#local/paths.ts';
import { type Check, ConformanceSuite } from '#test/helpers/run-conformance.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

/** Packages in CommonJS call `require`, which an ES module does not have. */
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** The client as one file, its packages in it: it is started for every scenario. */
let client = '';
let suite: ConformanceSuite;
beforeAll(async () => {
  await mkdir(localDirectory, { recursive: true });
  client = await mkdtemp(join(localDirectory, 'conformance-'));
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['test/helpers/conformance-client.ts'],
    outfile: join(client, 'client.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: REQUIRE },
  });
  suite = new ConformanceSuite();
});
afterAll(() => {
  suite[Symbol.dispose]();
  return rm(client, { recursive: true });
});

/** Scenarios with the revisions of the protocol under which they are run. */
const scenarios: readonly (readonly [string, string])[] = [
  ['initialize', '2025-06-18'],
  ['initialize', '2025-11-25'],
  ['tools_call', '2025-06-18'],
  ['tools_call', '2025-11-25'],
  ['tools_call', '2026-07-28'],
  ['sse-retry', '2025-11-25'],
  ['request-metadata', '2026-07-28'],
  ['sep-2322-client-request-state', '2026-07-28'],
  ['http-standard-headers', '2026-07-28'],
  ['http-custom-headers', '2026-07-28'],
  ['http-invalid-tool-headers', '2026-07-28'],
  ['json-schema-ref-no-deref', '2026-07-28'],
  ['json-schema-2020-12-preservation', '2025-11-25'],
  ['json-schema-2020-12-preservation', '2026-07-28'],
];

/** What the suite asks of clients that a person sits at, and of extensions. */
const notOfServers: readonly (readonly [RegExp, string])[] = [
  [/^auth\//, 'callers bring the credential: nobody is sent to a page to sign in'],
  [/^elicitation-/, 'there is nobody to ask back'],
  [/^sep-2640-/, 'skills are an extension that is not offered to models'],
];

/** Checks of scenarios above that want a person to be asked back. */
const withoutPerson = new Set([
  'sep-2322-client-request-state-echoed',
  'sep-2322-client-jsonrpc-id-different',
  'sep-2322-client-no-state-omitted',
]);

const checksOf = (scenario: string, revision: string): Promise<Check[]> =>
  suite.checksOf(scenario, revision, 'client', '--command', `node ${relative(ROOT, client)}/client.mjs`);

for (const [scenario, revision] of scenarios) {
  // This one measures when the client comes back, for which a busy machine may be too late.
  const retry = scenario === 'sse-retry' ? 2 : 0;
  test(`${scenario} of ${revision} passes`, { timeout: 60_000, retry }, async () => {
    const checks = await checksOf(scenario, revision);
    const judged = checks.filter(({ id }) => !withoutPerson.has(id));

    expect(judged.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')).toEqual([]);
    expect(judged.filter(({ status }) => status === 'SUCCESS')).not.toEqual([]);
  });
}

test('no scenario of the suite is left out without a reason', async () => {
  const listed = await suite.scenarios('--client');
  const left = listed
    .filter((name) => !scenarios.some(([scenario]) => scenario === name))
    .filter((name) => !notOfServers.some(([pattern]) => pattern.test(name)));

  expect(listed.length).toBeGreaterThan(40);
  expect(left).toEqual([]);
}, 60_000);
