import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipMember {
  readonly name: string;
  readonly body: Buffer | string;
  /** 8 deflates, 0 stores; anything else is written as if it were deflated. */
  readonly method?: number;
  readonly flags?: number;
  /** The size that the archive states, where it lies. */
  readonly claims?: number;
  /** Another sum than that of the data. */
  readonly sum?: number;
  /** Mode of the file, as Unix has it. */
  readonly mode?: number;
  /** Writes no data: the member is said to be that of the one before. */
  readonly sharesBefore?: boolean;
}

/** A ZIP archive, as programs write it or as none would. */
export function zip(members: readonly ZipMember[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  let start = 0;
  let data: Buffer = Buffer.alloc(0);
  for (const member of members) {
    const { name, method = 8, flags = 0, mode = 0o100644 } = member;
    const body = Buffer.from(member.body);
    if (member.sharesBefore !== true) {
      start = offset;
      data = method === 0 ? body : deflateRawSync(body);
    }
    const nameBytes = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt32LE(member.sum ?? crc32(body), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(member.claims ?? body.length, 18);
    fields.writeUInt16LE(nameBytes.length, 22);
    if (member.sharesBefore !== true) {
      const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, nameBytes, data]);
      parts.push(local);
      offset += local.length;
    }
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(mode * 0x10000, 6);
    tail.writeUInt32LE(start, 10);
    const made = Buffer.from([20, 3]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), made, fields, tail, nameBytes]));
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
