import { afterEach, describe, expect, test, vi } from 'vitest';
import { beginLog, describeError, logger } from '#shared/runtime/logger.ts';

afterEach(() => {
  logger.resetKeys();
  vi.restoreAllMocks();
});

describe('what is logged of an error', () => {
  test('is its class, its message and its stack, and not its values', () => {
    const error = Object.assign(new TypeError('It broke.'), { row: 'a secret row' });

    expect(describeError(error)).toEqual({
      error_name: 'TypeError',
      error_message: 'It broke.',
      error_stack: error.stack,
    });
  });

  test('is what caused it too', () => {
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
  ])('is its type alone where %j was thrown', (thrown, type) => {
    expect(describeError(thrown)).toEqual({ error_name: type });
  });

  test('of a text that cannot be parsed is the place, and none of the text', () => {
    let error = new SyntaxError();
    try {
      JSON.parse('{"row": a secret row\n    at the end}');
    } catch (caught) {
      error = caught as SyntaxError;
    }
    const cause = new Error('read before');
    const described = describeError(Object.assign(error, { cause }));

    expect(error.message).toContain('secret');
    expect(described).toEqual({
      error_name: 'SyntaxError',
      error_stack: expect.stringMatching(/^ {4}at [^\n]+(\n {4}at [^\n]+)*$/),
      cause: expect.objectContaining({ error_message: 'read before' }),
    });
    expect(JSON.stringify(described)).not.toContain('secret');
  });

  test('without a stack is what there is', () => {
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
