import { readColumns as readHeader } from '../../adapters/tabular/read-columns.ts';
import { createReadColumns, type ReadColumns } from '../../operations/read-columns.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';

/** Reads the columns of uploaded files by itself: only for the function that holds no table. */
export const readColumns = need<ReadColumns>({ bucket: { read: ['uploads'] } }, () =>
  createReadColumns({ objects: theObjects(), readColumns: readHeader }),
);
