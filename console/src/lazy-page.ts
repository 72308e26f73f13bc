import { type ComponentType, lazy } from 'react';

/** A page whose file did not come: the network dropped, or a new deployment removed the file. */
export class PageMissingError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** How Chromium, Firefox, Safari and Vite say that a file did not come. A page whose own script throws says something else. */
const FILE_MISSING =
  /dynamically imported module|Importing a module script failed|Failed to load module script|Unable to preload/i;

/**
 * Imports the file of a page. It is not imported again after a failure: Chromium answers that from memory as long as the
 * document lives, and Vite goes on without a style sheet that failed before. Only a reload helps.
 * @throws {PageMissingError} if the file did not come; an error of its script as it is
 */
export async function importPage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw error instanceof Error && FILE_MISSING.test(error.message) ? new PageMissingError(error) : error;
  }
}

/** A page, or a part of one, that is loaded when it is first shown. */
export const lazyPage = <P>(load: () => Promise<{ readonly default: ComponentType<P> }>) =>
  lazy(() => importPage(load));
