import fc from 'fast-check';
import { expect, test } from 'vitest';
import { providerLinksOf, refusalOfProvided } from '#shared/responses/decide/provider-items.ts';

const linksIn = (value: unknown) =>
  providerLinksOf({ items: [{ type: 'provider_item', item: { value } }], providerTools: [] });

test('a text is a link where a URL parser reads one with http or https, whatever it leaves out', () => {
  const ignored = fc.constantFrom('', '\t', '\n', '\r', '\r\n', ' ', '\u0000', '\u0001', '\u001f');
  const spelled = fc
    .tuple(
      fc.constantFrom('http', 'https', 'HTTPS', 'hTTp', 'ftp', 'data'),
      fc.array(ignored, { maxLength: 8 }),
    )
    .map(([scheme, marks]) => {
      const letters = [...scheme].map((letter, n) => `${marks[n] ?? ''}${letter}`).join('');
      return `${marks[6] ?? ''}${letters}${marks[7] ?? ''}://10.0.0.1/a`;
    });
  fc.assert(
    fc.property(spelled, (text) => {
      const read = URL.canParse(text) ? new URL(text).protocol : '';

      if (read === 'http:' || read === 'https:') expect(linksIn(text)).toEqual([text]);
    }),
    { numRuns: 2000 },
  );
});

test('an item that nests deeper than 64 levels is refused, however deep it is', () => {
  let deep: unknown = 'x';
  for (let depth = 0; depth < 500_000; depth += 1) deep = [deep];

  expect(refusalOfProvided({ deep }, 'item')).toContain('nests deeper');
});

test('an id of the operator’s account is refused in a tool, and not in an item, which repeats what its provider gave', () => {
  const skills = { container: { type: 'auto', skills: [{ type: 'skill_reference', skill_id: 's_1' }] } };

  expect(refusalOfProvided(skills, 'tool')).toContain('skill_id');
  expect(refusalOfProvided({ type: 'code_interpreter_call', container_id: 'cntr_1' }, 'item')).toBeNull();
  expect(refusalOfProvided({ type: 'web_search', user_location: { country: 'DE' } }, 'tool')).toBeNull();
});
