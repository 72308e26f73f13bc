import type { ImageFormat } from '@aws-sdk/client-bedrock-runtime';
import { ModelError } from '../decide/port.ts';

/** Converse only takes bytes. @throws {ModelError} `rejected` for a link, and for an unsupported format */
export function toImage(url: string): { image: { format: ImageFormat; source: { bytes: Uint8Array } } } {
  const [, format, base64 = ''] = /^data:image\/(png|jpeg|gif|webp);base64,(.*)$/s.exec(url) ?? [];
  if (format === undefined) {
    throw new ModelError(
      'rejected',
      'Amazon Bedrock takes an image only as its bytes, and this is a link: embed the image as a data: URL',
      { requestField: 'input' },
    );
  }
  return { image: { format: format as ImageFormat, source: { bytes: Buffer.from(base64, 'base64') } } };
}
