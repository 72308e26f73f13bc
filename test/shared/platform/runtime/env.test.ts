import { afterEach, expect, test, vi } from 'vitest';
import { env } from '#shared/platform/runtime/env.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a variable that is missing or empty is an error that says where it is declared', () => {
  vi.stubEnv('TABLE_NAME', '');

  expect(() => env.tableName()).toThrow(/TABLE_NAME.*npm run permissions/);
  expect(() => env.stateMachineArn('map-chunks')).toThrow('STATE_MACHINE_ARN_MAP_CHUNKS');
  expect(() => env.functionName('tasks/exports/build-export')).toThrow(
    'FUNCTION_NAME_TASKS_EXPORTS_BUILD_EXPORT',
  );
});

test.each(['0', '-1', '1.5', 'many'])('a number that is %s is an error, never a default', (value) => {
  vi.stubEnv('MODEL_CONCURRENCY', value);

  expect(() => env.modelConcurrency()).toThrow('MODEL_CONCURRENCY');
});

test('a model sees images only where the stack says so', () => {
  expect(env.modelSeesImages()).toBe(false);
  vi.stubEnv('MODEL_SEES_IMAGES', 'true');
  expect(env.modelSeesImages()).toBe(true);
});

test('an installation without a web search is none, not an error', () => {
  vi.stubEnv('SEARCH_BASE_URL', '');
  expect(env.searchBaseUrl()).toBeNull();
  vi.stubEnv('SEARCH_BASE_URL', 'http://search.example');
  expect(env.searchBaseUrl()).toBe('http://search.example');
});

test('a role without a model is none, not an error', () => {
  vi.stubEnv('MODEL_ID_JUDGE', '');

  expect(env.optionalModelId('judge')).toBeNull();
});
