import { describe, expect, it } from 'vitest';
import { ingestText } from '#shared/tabular/adapters/ingest-text.ts';
import type { TextFormat } from '#shared/tabular/decide/row-reader.ts';
import { stream } from '../decide/harness.ts';

async function redact(format: TextFormat, text: string) {
  const bodies: string[] = [];
  const { warnings, row_count } = await ingestText({
    format,
    name: 'rows',
    source: stream(Buffer.from(text)),
    maxBytes: 1e9,
    redactsPersonalData: true,
    chunkKey: String,
    writeChunk: async (n, body) => {
      bodies[n] = body.toString('utf8');
    },
  });
  const message = warnings.find(({ code }) => code === 'personal_data_redacted')?.message ?? '';
  return { lines: bodies.join('').split('\n').slice(0, -1), message, row_count };
}

describe('personal data in rows that are read', () => {
  it('the same text of a row has one placeholder in all its cells, and another text another one', async () => {
    const row = {
      messages: [
        { role: 'user', content: 'I am jan.novak@mail.cz, or +420 602 123 456.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              type: 'function',
              function: {
                name: 'send',
                arguments: '{"to": "jan.novak@mail.cz", "text": "Hi\\neva@mail.cz"}',
              },
            },
          ],
        },
      ],
      card: '4111 1111 1111 1111.',
      n: 1,
    };
    const text = JSON.stringify(row).replace(/"n":\d+/, '"n":12345678901234567890');
    const { lines, message } = await redact('jsonl', text);

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      messages: [
        { content: 'I am [EMAIL_1], or [PHONE_2].' },
        { tool_calls: [{ function: { arguments: '{"to":"[EMAIL_1]","text":"Hi\\n[EMAIL_3]"}' } }] },
      ],
      card: '[CARD_4].',
    });
    expect(lines[0]).toContain('"n":12345678901234567890');
    expect(message).toMatch(/^1 of 1 rows had personal data/);
    expect(message).toContain('3 of the form of an email address');
  });

  it('a placeholder that the row has already is not given again, so that each can be put back', async () => {
    const { lines } = await redact(
      'jsonl',
      '{"a":"[EMAIL_1] and eva@mail.cz","b":"eva@mail.cz"}\n{"a":"eva@mail.cz","b":""}',
    );

    expect(lines).toEqual(['{"a":"[EMAIL_1] and [EMAIL_2]","b":"[EMAIL_2]"}', '{"a":"[EMAIL_1]","b":""}']);
  });

  it('a row of a hundred thousand addresses is redacted in time that grows as it does', async () => {
    const text = Array.from({ length: 100_000 }, (_, n) => `user${n}@mail.cz`).join(' ');
    const began = performance.now();
    const { lines } = await redact('jsonl', JSON.stringify({ text }));

    expect(lines[0]).toContain('[EMAIL_100000]');
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('rows without personal data keep every byte, and the warning says that none was found', async () => {
    const text = '{"a":"caf\\u00e9 2024-01-02 10:00","b":[1.10,"@home"],"c":1e5}';
    const { lines, message } = await redact('jsonl', text);

    expect(lines).toEqual([text]);
    expect(message).toContain('0 of 1 rows');
    expect(message).toContain('None was found');
  });

  it('cells of CSV are redacted too, and many rows come in their order', async () => {
    const rows = Array.from({ length: 2500 }, (_, n) => `${n},mail user${n}@mail.cz`);
    const { lines, row_count } = await redact('csv', `n,text\n${rows.join('\n')}\n`);

    expect(row_count).toBe(2500);
    expect(lines).toEqual(rows.map((_, n) => `{"n":"${n}","text":"mail [EMAIL_1]"}`));
  });
});
