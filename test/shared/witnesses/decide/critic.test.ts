import { expect, it } from 'vitest';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { askCritic } from '#shared/witnesses/decide/critic.ts';
import { askingInTests, replying } from '#test/helpers/replying-model.ts';

const ROW = {
  request: 'Which planet is closest to the Sun?',
  answer: 'The planet closest to the Sun is Venus.',
};
const criticise = (reply: unknown) =>
  askCritic(replying(JSON.stringify(reply)).client, ROW, askingInTests(), newCallMeter());

it('the critic names the span of the error that it quotes', async () => {
  expect(await criticise({ verdict: 'wrong', quote: 'Venus', reason: 'It is Mercury.' })).toEqual({
    ...{ witness: 'critic', says: 'wrong', kind: 'error_quoted', reason: 'It is Mercury.' },
    span: { start: 33, end: 38 },
  });
});

it('the critic may find no error', async () => {
  expect(await criticise({ verdict: 'right', quote: '', reason: '' })).toMatchObject({ says: 'fine' });
});

it.each([
  [
    'a quotation that the answer does not have',
    { verdict: 'wrong', quote: 'Mars', reason: 'It is Mercury.' },
  ],
  ['no quotation', { verdict: 'wrong', quote: ' ', reason: 'It is Mercury.' }],
  ['no verdict', { quote: 'Venus', reason: 'It is Mercury.' }],
  ['another type', { verdict: 'wrong', quote: 7, reason: [] }],
  ['prose', 'fine'],
])('a criticism with %s counts as nothing', async (_, reply) => {
  expect(await criticise(reply)).toBeNull();
});
