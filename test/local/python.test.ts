import { describe, expect, it } from 'vitest';
import { isNewEnough } from '#local/python-version.mjs';

describe('the version of Python', () => {
  it.each(['Python 3.11.0', 'Python 3.14.1rc2', 'Python 4.0.0'])('%s is new enough', (line) => {
    expect(isNewEnough(line)).toBe(true);
  });

  it.each(['Python 3.10.14', 'Python 3.9.2', 'Python 2.7.18', '', 'pyenv: no such command'])(
    '%s is not',
    (line) => {
      expect(isNewEnough(line)).toBe(false);
    },
  );
});
