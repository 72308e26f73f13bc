import { ingestFile } from '../../adapters/tabular/ingest-file.ts';
import { convertFile as convert } from '../../operations/convert-file.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';

type ConvertFile = (input: Parameters<typeof convert>[1]) => ReturnType<typeof convert>;

export const convertFile = need<ConvertFile>({ bucket: { read: ['imports'], write: ['converted'] } }, () => {
  const ports = { objects: theObjects(), readFile: ingestFile, fileBytesMax: env.uploadBytesMax() };
  return (input) => convert(ports, input);
});
