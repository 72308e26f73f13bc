import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { moveStateToPort } from '#local/emulator-state.ts';

let folder: string;
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'emulator-state-'));
  writeFileSync(
    join(folder, 'sqs.json'),
    '{"queues":{"http://localhost:4700/0/jobs":{"messages":["4700"]}}}',
  );
  writeFileSync(
    join(folder, 'lambda.json'),
    '{"env":["http://127.0.0.1:4700","http://localhost:4700/0/jobs"]}',
  );
  writeFileSync(join(folder, 'iam.json'), '{"other":"http://localhost:47001/x"}');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a state that moves to another port names it in every URL, and nothing else changes', () => {
  moveStateToPort(folder, 4566);

  expect(read('sqs.json')).toBe('{"queues":{"http://localhost:4566/0/jobs":{"messages":["4700"]}}}');
  expect(read('lambda.json')).toBe('{"env":["http://127.0.0.1:4566","http://localhost:4566/0/jobs"]}');
  expect(read('iam.json')).toBe('{"other":"http://localhost:47001/x"}');
});

test('a state that stays on its port is not written', () => {
  const before = statSync(join(folder, 'sqs.json')).mtimeMs;
  moveStateToPort(folder, 4700);
  expect(statSync(join(folder, 'sqs.json')).mtimeMs).toBe(before);
});

test('an emulator without a state starts on any port', () => {
  rmSync(join(folder, 'sqs.json'));
  expect(() => moveStateToPort(folder, 4566)).not.toThrow();
  expect(() => moveStateToPort(join(folder, 'absent'), 4566)).not.toThrow();
});
