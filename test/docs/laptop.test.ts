import { expect, test } from 'vitest';
import { defaultEmulatorPort, emulatorPortVariable } from '#local/emulator.ts';
import { defaultTextModelId, localModels } from '#local/model/catalog.ts';
import { defaultModelPort, modelPortVariable } from '#local/model/start.ts';
import { defaultFrontPort, frontPortVariable } from '#local/start-front.ts';
import { readPage } from '../helpers/pages.ts';

const [, section = ''] = /\n## On a laptop\n(.*?)\n## /s.exec(readPage('docs/operations/configure.md')) ?? [];
const rowOf = (setting: string): string =>
  section.split('\n').find((line) => line.startsWith(`| \`${setting}\``)) ?? '';

test('the page of settings names every model that a laptop can serve, and the one that it serves', () => {
  const row = rowOf('LOCAL_MODEL');

  expect(row).toContain(`| \`${defaultTextModelId}\` |`);
  for (const { kind, id } of localModels) if (kind === 'text') expect(row).toContain(id);
});

test('the samples of the API reference ask the model that a laptop serves without settings', () => {
  const document = JSON.parse(readPage('openapi.json'));

  for (const path of ['/api/v1/responses', '/api/v1/chat/completions']) {
    const { example } = document.paths[path].post.requestBody.content['application/json'];
    expect(example.model).toBe(defaultTextModelId);
  }
});

test('the page of settings names the ports of a laptop, and their settings', () => {
  const ports = { [frontPortVariable]: defaultFrontPort, [emulatorPortVariable]: defaultEmulatorPort };
  const all = { ...ports, [modelPortVariable]: defaultModelPort };

  expect(rowOf(frontPortVariable)).toContain(
    `| ${Object.keys(all)
      .map((name) => `\`${name}\``)
      .join(', ')} | ${Object.values(all).join(', ')} |`,
  );
});
