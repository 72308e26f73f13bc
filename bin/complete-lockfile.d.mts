export function missingEntries(lock: {
  readonly packages: Readonly<
    Record<
      string,
      { readonly optionalDependencies?: Readonly<Record<string, string>>; readonly dev?: boolean }
    >
  >;
}): { name: string; version: string; dev: boolean }[];
