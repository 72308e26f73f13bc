import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseEnvFile, renderEnvFile } from '#local/env-file.ts';

const variables = fc.dictionary(
  fc.stringMatching(/^[A-Z][A-Z0-9_]{0,12}$/),
  fc.string({ unit: fc.constantFrom('a', "'", '"', '$', '\\', ' ', '`', '#', '=', 'é') }),
);

it('the env file gives back every value it was given', () => {
  fc.assert(
    fc.property(variables, (values) => {
      expect(parseEnvFile(renderEnvFile(values))).toEqual({ ...values });
    }),
  );
});

it('the env file is read by a shell with the same values', () => {
  const value = `it's "quoted" $HOME \`id\` \\ end`;

  const shown = execFileSync('sh', ['-c', `${renderEnvFile({ KEY: value })}printf %s "$KEY"`], {
    encoding: 'utf8',
  });

  expect(shown).toBe(value);
});

it('the env file names the line that it cannot read', () => {
  expect(() => parseEnvFile('KEY=value\n')).toThrow('"KEY=value" is not a line of the form');
});
