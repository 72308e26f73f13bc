export interface CheckerBundle {
  readonly bytes: number;
  /** The packages that it holds. */
  readonly packages: readonly string[];
  /** The modules of Node that it imports. */
  readonly imports: readonly string[];
  /** The files of the checkout that it is made of. */
  readonly inputs: readonly string[];
}

/** Writes the bundle of the checks of rows, and the licences of the packages in it, into `folder`. */
export function bundleChecker(folder: string): Promise<CheckerBundle>;
