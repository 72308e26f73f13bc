import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readZipMember } from '#shared/ingest/decide/imports/zip-member.ts';

interface Member {
  readonly name: string;
  readonly body: Buffer;
  readonly method?: number;
  readonly flags?: number;
  /** The size that the header claims. */
  readonly claims?: number;
}

/** An archive as `zip` writes it; with flag 8 the sizes stand after the data, as streams write it. */
function archive(members: readonly Member[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const { name, body, method = 8, flags = 0, claims } of members) {
    const data = method === 8 ? deflateRawSync(body) : body;
    const streams = (flags & 8) !== 0;
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(flags, 6);
    header.writeUInt16LE(method, 8);
    if (!streams) {
      header.writeUInt32LE(crc32(body), 14);
      header.writeUInt32LE(claims ?? data.length, 18);
      header.writeUInt32LE(claims ?? body.length, 22);
    }
    header.writeUInt16LE(name.length, 26);
    const descriptor = Buffer.alloc(16);
    descriptor.writeUInt32LE(0x08074b50, 0);
    descriptor.writeUInt32LE(crc32(body), 4);
    descriptor.writeUInt32LE(data.length, 8);
    descriptor.writeUInt32LE(body.length, 12);
    parts.push(header, Buffer.from(name), data, ...(streams ? [descriptor] : []));
    const central = Buffer.alloc(46 + name.length);
    central.writeUInt32LE(0x02014b50, 0);
    central.write(name, 46);
    directory.push(central);
  }
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);
}

async function* pieces(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function read(zip: Buffer, bytesMax = 1_000_000, pieceBytes = zip.length): Promise<string> {
  const out: Buffer[] = [];
  for await (const piece of readZipMember(pieces(zip, pieceBytes), bytesMax)) out.push(piece);
  return Buffer.concat(out).toString();
}

const ROWS = Array.from({ length: 3000 }, (_, n) => `${n},${(n * 7919) % 1000}\n`).join('');
const rows: Member = { name: 'deep/rows.csv', body: Buffer.from(ROWS) };

test.each([
  ['deflated', rows],
  ['deflated by a program that streams', { ...rows, flags: 8 }],
  ['stored', { ...rows, method: 0 }],
  ['empty', { ...rows, body: Buffer.alloc(0) }],
  ['of a name that leads elsewhere, which nobody writes to', { ...rows, name: '../../etc/passwd' }],
])('the file of an archive comes out as it went in: %s', async (_how, member) => {
  for (const pieceBytes of [1, 13, 1000, 1_000_000]) {
    expect(await read(archive([member]), 1_000_000, pieceBytes)).toBe(member.body.toString());
  }
});

test.each([
  ['stands beside another', archive([rows, rows]), /several files/],
  ['stands beside another that is streamed', archive([{ ...rows, flags: 8 }, rows]), /several files/],
  ['is encrypted', archive([{ ...rows, flags: 1 }]), /encrypted/],
  ['is compressed in another way', archive([{ ...rows, method: 12 }]), /compressed in a way/],
  ['is cut off', archive([rows]).subarray(0, 3000), /damaged/],
  ['is cut off in its header', archive([rows]).subarray(0, 20), /damaged/],
  ['is stored and cut off', archive([{ ...rows, method: 0 }]).subarray(0, 3000), /damaged/],
  ['has a length that lies', archive([{ ...rows, method: 0, claims: 100 }]), /damaged/],
  ['is no archive', Buffer.from('a,b\n1,2\n'.repeat(10)), /damaged/],
])('the file of an archive is refused where it %s', async (_what, zip, message) => {
  await expect(read(zip)).rejects.toMatchObject({ code: 'file_unreadable', message });
});

test('the file of an archive is refused where a bit of it is wrong', async () => {
  const zip = archive([rows]);
  zip[60] = (zip[60] ?? 0) ^ 0xff;

  await expect(read(zip)).rejects.toMatchObject({ code: 'file_unreadable' });
});

describe('a bomb', () => {
  const bomb = archive([{ name: 'rows.csv', body: Buffer.alloc(40_000_000, 'a'), claims: 10 }]);

  test('a bomb is stopped by what comes out, whatever its header claims', async () => {
    let out = 0;
    const inflate = async () => {
      for await (const piece of readZipMember(pieces(bomb, 1000), 5_000_000)) out += piece.length;
    };

    await expect(inflate()).rejects.toMatchObject({ code: 'file_too_large' });
    expect(out).toBeLessThanOrEqual(5_000_000);
  });

  test('a bomb is stopped by its ratio below the limit on bytes', async () => {
    let out = 0;
    const inflate = async () => {
      for await (const piece of readZipMember(pieces(bomb, 1000), 100_000_000)) out += piece.length;
    };

    await expect(inflate()).rejects.toMatchObject({
      code: 'file_unreadable',
      message: /to far more than real data does/,
    });
    expect(out).toBeLessThan(9_000_000);
  });
});
