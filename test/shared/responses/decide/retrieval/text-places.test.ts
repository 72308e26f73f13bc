import { expect, it } from 'vitest';
import { TextPlaces } from '#shared/responses/decide/retrieval/text-places.ts';

it('the index of places finds the first place of every text that was added, and none of another', () => {
  const texts = Array.from({ length: 3000 }, (_, n) => `text ${n}`);
  const places = new TextPlaces(texts.length + 1);
  for (const [place, text] of texts.entries()) places.add(text, place);
  places.add('text 7', 3000);

  expect(texts.map((text) => places.placeOf(text))).toEqual(texts.map((_, place) => place));
  expect(places.placeOf('text 3000')).toBeNull();
  expect(new TextPlaces(0).placeOf('text 0')).toBeNull();
});
