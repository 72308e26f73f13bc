import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import type { RunRepository } from '../../domain/runs/repository.ts';
import { type Need, need } from '../need.ts';
import { theTable } from './table.ts';

export const runs = (access: 'read' | 'write'): Need<RunRepository> =>
  need({ table: access }, () => createRunRepository(theTable()));
