import { createMemoryObjects } from './memory-objects.ts';
import { describeObjectStore } from './object-store-contract.ts';

describeObjectStore('the data bucket in memory', createMemoryObjects);
