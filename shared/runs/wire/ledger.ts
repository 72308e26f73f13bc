import type { Use } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { Ledger } from '../decide/ledger/repository.ts';
import { createLedger } from '../store/ledger.ts';
import { measureLedger } from './measure-ledger.ts';

/** The ledger of every function, with metrics for starts and ends of runs. */
export const theLedger = (use: Use): Ledger => measureLedger(createLedger(use(theTable)));
