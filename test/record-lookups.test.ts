import { expect, test } from 'vitest';
import { own, putOwn } from '#shared/platform/own.ts';
import { recordLookups } from './helpers/source/record-lookups.ts';

test('nothing is looked up in an object by a name that may be that of its prototype', {
  timeout: 240_000,
}, () => {
  const found = recordLookups(['functions', 'shared', 'bin', 'lab', 'local']);
  // Commands of developers may: what is found in them shows that the search finds something.
  const isOfDevelopers = (each: string): boolean => /^(?:bin|lab|local)\//.test(each);

  expect(found.filter((each) => !isOfDevelopers(each) && !each.startsWith('shared/platform/own.ts'))).toEqual(
    [],
  );
  expect(found.filter(isOfDevelopers)).not.toEqual([]);
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  '%s is a name like any other',
  (name) => {
    const record: Record<string, string> = {};

    expect(own(record, name)).toBeUndefined();
    putOwn(record, name, 'value');
    expect(own(record, name)).toBe('value');
    expect(Object.keys(record)).toEqual([name]);
    expect(own(null, name)).toBeUndefined();
  },
);
