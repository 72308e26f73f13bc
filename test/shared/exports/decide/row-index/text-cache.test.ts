import { expect, test } from 'vitest';
import { TextCache } from '#shared/exports/decide/row-index/text-cache.ts';

test('the text that was not used for longest goes first, once there is too much', () => {
  const cache = new TextCache(30);
  for (const key of ['a', 'b', 'c']) cache.put(key, Buffer.alloc(10));
  cache.get('a');
  cache.put('c', Buffer.alloc(10));
  cache.put('d', Buffer.alloc(10));

  expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined)).toEqual(['a', 'c', 'd']);
  cache.put('large', Buffer.alloc(31));
  expect(['a', 'c', 'd', 'large'].filter((key) => cache.get(key) !== undefined)).toEqual([]);
});
