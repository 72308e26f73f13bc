import { createLedger } from '../store/ledger.ts';
import type { Ledger } from '../decide/ledger/repository.ts';
import { measureLedger } from './measure-ledger.ts';
import { theTable } from '#shared/platform/wire/table.ts';

/** The ledger of every function, with metrics for starts and ends of runs. */
export const theLedger = (): Ledger => measureLedger(createLedger(theTable()));
