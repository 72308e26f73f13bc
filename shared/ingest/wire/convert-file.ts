import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { ingestFile } from '#shared/tabular/adapters/ingest-file.ts';
import { convertFile as convert } from '../convert-file.ts';

type ConvertFile = (input: Parameters<typeof convert>[1]) => ReturnType<typeof convert>;

export const convertFile = /* @__PURE__ */ need<ConvertFile>(
  { bucket: { read: ['imports'], write: ['converted'] } },
  (use) => {
    const ports = { objects: use(theObjects), readFile: ingestFile, fileBytesMax: use.env.uploadBytesMax() };
    return (input) => convert(ports, input);
  },
);
