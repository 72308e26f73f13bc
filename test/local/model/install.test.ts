import { expect, it } from 'vitest';
import { llamaBuildFor } from '#local/model/install.ts';

it.each([
  ['linux', 'x64', '@node-llama-cpp/linux-x64'],
  ['linux', 'arm64', '@node-llama-cpp/linux-arm64'],
  ['darwin', 'arm64', '@node-llama-cpp/mac-arm64-metal'],
])('the build of llama.cpp for %s on %s is %s', (platform, architecture, build) => {
  expect(llamaBuildFor(platform, architecture)).toBe(build);
});

it('the build of llama.cpp is missing elsewhere, and another way is named', () => {
  expect(() => llamaBuildFor('freebsd', 'x64')).toThrow('MODEL_BASE_URL');
});
