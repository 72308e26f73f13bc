import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { deployedOutputs, deploymentKey, forgetDeployment } from '#local/deployment.ts';

const environment = {
  AWS_ENDPOINT_URL: 'http://127.0.0.1:4566',
  MODEL_BASE_URL: 'http://127.0.0.1:1/v1',
  MODEL_ID: 'm',
};
let stateDir: string;

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'deployment-'));
});
afterEach(() => rmSync(stateDir, { recursive: true }));

it('the key of a deployment does not depend on variables that no setting reads', () => {
  const here = deploymentKey('built', { stage: 'local', environment });
  expect(deploymentKey('built', { stage: 'local', environment: { ...environment, SHLVL: '3' } })).toBe(here);
});

it.each([
  ['the port of the emulator', { AWS_ENDPOINT_URL: 'http://127.0.0.1:4567' }],
  ['the address of the model', { MODEL_BASE_URL: 'http://127.0.0.1:2/v1' }],
  ['the model', { MODEL_ID: 'other' }],
  ['a limit', { MODEL_CONCURRENCY: '3' }],
])('the key of a deployment changes with %s', (_, changed) => {
  const here = deploymentKey('built', { stage: 'local', environment });
  expect(deploymentKey('built', { stage: 'local', environment: { ...environment, ...changed } })).not.toBe(
    here,
  );
});

test('a deployment depends on what was built', () => {
  const options = { stage: 'local', environment };
  expect(deploymentKey('other', options)).not.toBe(deploymentKey('built', options));
});

describe('what was deployed last', () => {
  const record = (key: string) => {
    writeFileSync(
      join(stateDir, 'outputs.json'),
      JSON.stringify({ api: { ApiUrl: 'u' }, data: { TableName: 't' } }),
    );
    writeFileSync(join(stateDir, 'deployed-key'), key);
  };

  it('what was deployed last gives the outputs of all stacks where the key is the same', () => {
    record('k');
    expect(deployedOutputs(stateDir, 'k')).toEqual({ ApiUrl: 'u', TableName: 't' });
  });

  it('what was deployed last gives none of another key, none where nothing was deployed, and none once it is forgotten', () => {
    expect(deployedOutputs(stateDir, 'k')).toBeNull();
    record('k');
    expect(deployedOutputs(stateDir, 'other')).toBeNull();
    forgetDeployment(stateDir);
    expect(deployedOutputs(stateDir, 'k')).toBeNull();
  });
});
