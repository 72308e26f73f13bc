import { describe, expect, it } from 'vitest';
import { ingestText } from '#shared/tabular/adapters/ingest-text.ts';
import type { TextFormat } from '#shared/tabular/decide/row-reader.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';
import { stream } from '../decide/harness.ts';

async function redact(format: TextFormat, text: string) {
  const bodies: string[] = [];
  const { warnings, row_count, columns } = await ingestText({
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
  const message = warnings.find(({ code }) => code.startsWith('personal_data_'))?.message ?? '';
  return { lines: bodies.join('').split('\n').slice(0, -1), message, row_count, columns, warnings };
}

const json = (value: string): string => JSON.stringify(value);

/** Personal data of each kind, with each separator that people write. */
const PLANTED = [
  ...['jan.novak@mail.cz', 'ren\u00e9@gmail.com', '\u5f20\u4f1f@mail.cn', 'jan\uff20mail.cz'],
  ...[' ', '-', '\u00a0', '\u202f', '\u2011'].flatMap((joint) => [
    ['+49', '151', '2345678'].join(joint),
    ['4111', '1111', '1111', '1111'].join(joint),
  ]),
  ...['', ' ', '\u00a0', '\u2009'].flatMap((joint) => [
    ['DE89', '3704', '0044', '0532', '0130', '00'].join(joint),
    ['gb29', 'nwbk', '6016', '1331', '9268', '19'].join(joint),
  ]),
  ...['-', '\u2011', '\u2010'].map((joint) => ['536', '90', '4399'].join(joint)),
];

/** JSON texts of a text: as it is, and with escapes for all or some of its characters. */
const ESCAPES: readonly ((text: string) => string)[] = [
  json,
  (text) => `"${Array.from({ length: text.length }, (_, n) => unit(text, n)).join('')}"`,
  (text) =>
    `"${Array.from({ length: text.length }, (_, n) => (n % 3 === 1 ? unit(text, n) : text.charAt(n))).join('')}"`,
];
const unit = (text: string, n: number): string => `\\u${text.charCodeAt(n).toString(16).padStart(4, '0')}`;

/** Rows with a text, given as JSON, at each place that a row has for one. */
const PLACES: readonly ((written: string) => string)[] = [
  (written) => `{"v":${written}}`,
  (written) => `{"v":{"a":[1,${written}]}}`,
  (written) => `{"v":{${written} : 1}}`,
  (written) => `{"v":{"n":${written},"n":"ok"}}`,
  (written) => `{"v":${json(written)}}`,
  (written) => `{"v":${json(`{"a": ${written}}`)}}`,
  (written) => `{"v":${json(`[{${written}:null}]`)}}`,
  (written) => `{"v":${json(`{"n":${written},"n":"ok"}`)}}`,
  (written) => `{"v":[${json(json(json(`[${written}]`)))}]}`,
  (written) =>
    `{"v":[{"role":"assistant","content":null,"tool_calls":[{"id":${written},"function":{"name":"f","arguments":${json(`{"to":${written}}`)}}}]}]}`,
];

/** A text without any escape of JSON, at whatever depth it is written. */
function unescaped(text: string): string {
  const once = text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\(.)/g, '$1');
  return once === text ? text : unescaped(once);
}

describe('personal data in rows that are read', () => {
  it('each kind of personal data is replaced at each place of a row, however it is escaped', async () => {
    const rows = PLANTED.flatMap((data) =>
      ESCAPES.flatMap((write) => PLACES.map((place) => ({ data, row: place(write(`To ${data}, ok?`)) }))),
    );
    const { lines, columns, warnings } = await redact('jsonl', rows.map(({ row }) => row).join('\n'));

    expect(lines).toHaveLength(rows.length);
    for (const [index, line] of lines.entries()) {
      const { data, row } = rows[index] ?? { data: '', row: '' };
      expect(unescaped(line), row).not.toContain(data);
      expect(unescaped(line), row).toMatch(/To \[(?:EMAIL|PHONE|CARD|IBAN|SSN)_1\], ok\?/);
      expect(() => JSON.parse(line)).not.toThrow();
    }
    const told = unescaped(JSON.stringify([columns, warnings]));
    expect(PLANTED.filter((data) => told.includes(data))).toEqual([]);
  });

  it('whole numbers are replaced where they are cards, or have the name of a phone number', async () => {
    const { lines, columns } = await redact(
      'jsonl',
      [
        '{"card":4111111111111111,"phone":4915112345678,"hotel":1234567,"n":1}',
        '{"card":null,"phone":"4915112345678","hotel":1234567.0,"n":4111111111111112}',
        '{"card":[4111111111111111.0],"phone":{"work_phone":[4915112345678]},"hotel":1,"n":2}',
      ].join('\n'),
    );

    expect(lines).toEqual([
      '{"card":"[CARD_1]","phone":"[PHONE_2]","hotel":1234567,"n":1}',
      '{"card":null,"phone":"[PHONE_1]","hotel":1234567.0,"n":4111111111111112}',
      '{"card":["[CARD_1]"],"phone":{"work_phone":["[PHONE_2]"]},"hotel":1,"n":2}',
    ]);
    expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'card JSON',
      'phone JSON',
      'hotel DOUBLE',
      'n BIGINT',
    ]);
  });

  it('a column whose numbers were all of one type has another one once some are placeholders', async () => {
    const { columns } = await redact('jsonl', '{"card":4111111111111111}\n{"card":1}');

    expect(columns.map(({ type }) => type)).toEqual(['JSON']);
  });

  it('texts of JSON in texts of JSON are replaced however deep they nest, and fail nothing', async () => {
    let value = 'jan.novak@mail.cz';
    for (let level = 0; level < 12; level += 1) {
      value = '['.repeat(400) + json(value) + ']'.repeat(400);
    }
    const deep = '['.repeat(100_000) + json('eva@mail.cz') + ']'.repeat(100_000);
    const { lines } = await redact(
      'jsonl',
      `${JSON.stringify({ v: value })}\n${JSON.stringify({ v: deep })}`,
    );

    expect(lines.map((line) => /\[EMAIL_1\]/.test(line) && !/mail\.cz/.test(line))).toEqual([true, true]);
  });

  it('a placeholder that stands behind an escape is not given again', async () => {
    const { lines } = await redact(
      'jsonl',
      `{"v":"\\u005bEMAIL_1] eva@mail.cz"}\n{"v":${json('{"a":"\\u005bEMAIL_1\\u005d"}')},"w":"eva@mail.cz"}`,
    );

    expect(lines[0]).toContain('[EMAIL_2]');
    expect(lines[1]).toContain('"w":"[EMAIL_2]"');
  });

  it('warnings that quote a file are without its personal data, and names of columns stay', async () => {
    const { warnings, columns } = await redact('jsonl', '{"eva@mail.cz":"a","Eva@mail.cz":"b"}');
    const alike = warnings.find(({ code }) => code === 'columns_alike')?.message;

    expect(alike).toContain('"[EMAIL_1]" and "[EMAIL_2]"');
    expect(columns.map(({ name }) => name)).toEqual(['eva@mail.cz', 'Eva@mail.cz']);
  });

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
        { tool_calls: [{ function: { arguments: '{"to": "[EMAIL_1]", "text": "Hi\\n[EMAIL_3]"}' } }] },
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
    const elapsed = startStopwatch();
    const { lines } = await redact('jsonl', JSON.stringify({ text }));

    expect(lines[0]).toContain('[EMAIL_100000]');
    expect(elapsed()).toBeLessThan(10_000);
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
