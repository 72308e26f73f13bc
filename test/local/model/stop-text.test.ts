import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StopText } from '#local/model/stop-text.ts';

function run(stops: readonly string[], pieces: readonly string[]) {
  const stop = new StopText(stops);
  const shown = pieces.map((piece) => stop.push(piece));
  return { shown, text: shown.join('') + stop.flush(), stopped: stop.stopped };
}

it('a text with stop strings ends before a stop string that comes in pieces, and shows no part of it', () => {
  expect(run(['END'], ['one E', 'N', 'D two'])).toEqual({
    shown: ['one ', '', ''],
    text: 'one ',
    stopped: true,
  });
});

it('a text with stop strings shows what only looked like the beginning of a stop string', () => {
  expect(run(['END'], ['one E', 'NT'])).toEqual({
    shown: ['one ', 'ENT'],
    text: 'one ENT',
    stopped: false,
  });
});

it('a text with stop strings gives what it held back when the text ends', () => {
  expect(run(['\n\n\n\n'], ['{}\n\n'])).toEqual({ shown: ['{}'], text: '{}\n\n', stopped: false });
});

it('a text with stop strings ends at whichever stop string is complete first', () => {
  expect(run(['two', 'ne'], ['one two']).text).toBe('o');
  expect(run(['b', 'aba'], ['aba']).text).toBe('a');
});

it('a text with stop strings shows the same text however it is cut into pieces', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b') });
  fc.assert(
    fc.property(fc.array(letters), fc.array(letters.filter((stop) => stop !== '')), (pieces, stops) => {
      expect(run(stops, pieces).text).toBe(run(stops, [pieces.join('')]).text);
    }),
  );
});
