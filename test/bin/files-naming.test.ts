import { expect, test } from 'vitest';
import { filesNaming } from '#bin/files-naming.ts';

test('modules that say the name of a file are found', () => {
  expect(filesNaming(['statemachines/'])).toContain('infra/definitions.ts');
  expect(filesNaming(['openapi.json', 'statemachines/'])).toContain('bin/openapi.ts');
});

test('modules that name a file in a comment alone are not', () => {
  expect(filesNaming(['statemachines/'])).not.toContain('shared/platform/pipelines/pipeline.ts');
});

test('no name is in no module', () => {
  expect(filesNaming([])).toEqual([]);
  expect(filesNaming([`nobody-says-${'this'}`])).toEqual([]);
});
