import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { EXAMPLE_MODEL } from '#shared/platform/schema/common.ts';
import { SCOPES } from '#shared/platform/schema/scope.ts';
import { createApiClient } from './api-client.ts';
import { createCloudAdmin } from './cloud-admin.ts';
import { runPython } from './run-python.ts';
import { testCloud } from './test-cloud.ts';

const CSV = 'question,answer\nwhy is it so row-1,because it is\nhow does it go row-2,like this\n';

/**
 * Which checks are left out, and why; all others are on.
 * - `positive_data_acceptance`: what a schema allows can still be refused, because fields exclude one another
 *   (`chat` and `prompt`), because of what is stored (a cursor, a column, a file that was not sent), or because this
 *   installation does not offer it yet; all of these answers are documented, which other checks hold them to.
 * - of publishing `not_a_server_error`: it answers 501, as its contract says.
 */
const EXCLUDED = 'positive_data_acceptance';

/** A body that is not as it should be may also be too large to be looked at. */
const publishing = `
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]

[[operations]]
include-path-regex = "/publish$"
checks = { not_a_server_error = { enabled = false } }
`;

/** Real ids, so that requests come past the 404; what is deleted is none of those that are read. */
const withDatasets = (adapted: string, workbench: string, doomed: string): string => `${publishing}
parameters = { "path.dataset_id" = "${adapted}" }

[[operations]]
include-path-regex = "/(download|report|status|evaluation|export-links|best-launch-config|start-adaption|lint)$"
parameters = { "path.dataset_id" = "${adapted}" }

[[operations]]
include-path-regex = "/(adapt|run)$"
parameters = { "path.dataset_id" = "${workbench}" }

[[operations]]
include-method = "DELETE"
parameters = { "path.dataset_id" = "${doomed}" }
`;

/** Inputs that the coverage phase generates: valid ones, or invalid ones too. */
export type CoverageMode = 'positive' | 'all';

/** Requests that are drawn for each operation beside the coverage of its fields. */
const EXAMPLES: Readonly<Record<CoverageMode, number>> = { positive: 4, all: 20 };

/**
 * Sends what the OpenAPI document allows and what it does not to the deployed API, and holds every answer against the
 * document. `coverage` has every value of every field; invalid ones are most of its requests.
 */
export async function fuzzDocument(coverage: CoverageMode): Promise<void> {
  const cloud = testCloud();
  const admin = createCloudAdmin(cloud);
  const team = `schemathesis-${coverage}`;
  await admin.run('plan', 'set', 'fuzz', '--requests-per-second', '10000', '--runs-at-once', '1000');
  const key = await admin.createKey(
    team,
    '--plan',
    'fuzz',
    '--credits',
    '1000',
    '--scopes',
    SCOPES.join(','),
  );
  const api = createApiClient(cloud.apiUrl, key);
  const upload = async (name: string) => {
    const datasetId = await api.upload(name, CSV);
    await api.untilRead(datasetId);
    return datasetId;
  };
  const [adapted, workbench, doomed] = await Promise.all([upload('a.csv'), upload('b.csv'), upload('c.csv')]);
  await api.adapt(adapted, { column_mapping: { prompt: 'question', completion: 'answer' } });
  expect((await api.untilEnded(adapted)).status).toBe('succeeded');

  const folder = await mkdtemp(join(tmpdir(), 'tunesmith-schemathesis-'));
  // Its examples ask a model of a laptop.
  const document = join(folder, 'openapi.json');
  const served = await fetch(`${cloud.apiUrl}/api/v1/openapi.json`);
  await writeFile(document, (await served.text()).replaceAll(EXAMPLE_MODEL, 'scripted'));
  const run = async (phases: string, configuration: string) => {
    const config = join(folder, `${phases}.toml`);
    await writeFile(config, configuration);
    const { code, output } = await runPython(
      [
        ...['-m', 'schemathesis.cli', '--config-file', config, 'run', document],
        ...['--url', cloud.apiUrl, '--header', `Authorization: Bearer ${key}`, '--phases', phases],
        ...[
          '--seed',
          '20261121',
          '--max-examples',
          String(EXAMPLES[coverage]),
          '--exclude-checks',
          EXCLUDED,
          '--no-color',
        ],
        ...['--request-timeout', '30', '--generation-database', 'none', '--continue-on-failure'],
      ],
      {},
    );
    expect(code, output).toBe(0);
    expect(output).toMatch(/Tested: \d+/);
    // An operation that only refuses is not tested.
    expect(/403 Forbidden[\s\S]*?\n\n/.exec(output)?.[0] ?? '').not.toContain('POST');
  };
  try {
    await Promise.all([
      run(
        'examples,coverage,fuzzing',
        `${withDatasets(adapted, workbench, doomed)}
[phases.coverage.generation]
mode = "${coverage}"
`,
      ),
      run('stateful', publishing),
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
  expect(await admin.ledgerFaults(team)).toEqual([]);
}
