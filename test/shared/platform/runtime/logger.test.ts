import { afterEach, describe, expect, test, vi } from 'vitest';
import { beginLog, describeError, logger } from '#shared/platform/runtime/logger.ts';

afterEach(() => {
  logger.resetKeys();
  vi.restoreAllMocks();
});

describe('what is logged of an error', () => {
  test('what is logged of an error is its class, its message and its stack, and not its values', () => {
    const error = Object.assign(new TypeError('It broke.'), { row: 'a secret row' });

    expect(describeError(error)).toEqual({
      error_name: 'TypeError',
      error_message: 'It broke.',
      error_stack: error.stack,
    });
  });

  test('what is logged of an error is what caused it too', () => {
    const cause = new RangeError('too far', { cause: 'a secret row' });

    expect(describeError(new Error('It broke.', { cause }))).toMatchObject({
      error_name: 'Error',
      cause: { error_name: 'RangeError', error_message: 'too far' },
    });
    expect(describeError(cause)).not.toHaveProperty('cause');
  });

  test.each([
    ['a secret row', 'string'],
    [{ row: 'a secret row' }, 'object'],
    [undefined, 'undefined'],
  ])('what is logged of an error is its type alone where %j was thrown', (thrown, type) => {
    expect(describeError(thrown)).toEqual({ error_name: type });
  });

  /** What `JSON.parse` throws; it quotes about ten characters before and behind what it does not expect. */
  function failureOf(text: string): SyntaxError {
    try {
      JSON.parse(text);
    } catch (error) {
      return error as SyntaxError;
    }
    throw new Error('The text can be parsed.');
  }

  // The second one has a line that looks like one of a stack.
  test.each(['{"row": a secret}', '{"row": x\n    at secret}'])(
    'what is logged of an error of a text that cannot be parsed is the place, and none of the text: %j',
    (text) => {
      const error = Object.assign(failureOf(text), { cause: new Error('read before') });
      const described = describeError(error);

      expect(error.message).toMatch(/secret|at s/);
      expect(described).toEqual({
        error_name: 'SyntaxError',
        error_stack: expect.stringMatching(/^ {4}at JSON\.parse [^\n]+(\n {4}at [^\n]+)*$/),
        cause: expect.objectContaining({ error_message: 'read before' }),
      });
    },
  );

  test('what is logged of an error of a text that cannot be parsed has no place where the stack has another message', () => {
    const error = failureOf('{"row": a secret}');
    expect(error.stack).toContain('secret');
    error.message = 'It is not valid.';

    expect(describeError(error)).toEqual({ error_name: 'SyntaxError', error_stack: '' });
  });

  test('what is logged of an error without a stack is what there is', () => {
    const error = new SyntaxError('a secret row');
    delete error.stack;

    expect(describeError(error)).toEqual({ error_name: 'SyntaxError', error_stack: '' });
  });
});

test('the log of an invocation has its own ids, and none of the one before', () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  logger.appendKeys({ row: 'of an earlier invocation' });

  beginLog({ run_id: 'r' });
  logger.error('It broke.');

  const line = JSON.parse(String(printed.mock.calls[0]?.[0]));
  expect(line).toMatchObject({ message: 'It broke.', run_id: 'r', service: 'tunesmith' });
  expect(line).not.toHaveProperty('row');
});
