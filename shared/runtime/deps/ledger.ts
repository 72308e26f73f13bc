import { createLedger } from '../../adapters/dynamodb/ledger.ts';
import type { Ledger } from '../../domain/ledger/repository.ts';
import { measureLedger } from '../measure-ledger.ts';
import { theTable } from './table.ts';

/** The ledger of every function, with metrics for starts and ends of runs. */
export const theLedger = (): Ledger => measureLedger(createLedger(theTable()));
