import { useEffect, useState } from 'react';

/** A value once it has stayed the same for a while, so that not every key of a word asks the service. */
export function useSettled<T>(
  current: T,
  pauseMs: number,
): { readonly value: T; readonly isSettled: boolean } {
  const [value, setValue] = useState(current);
  useEffect(() => {
    if (Object.is(value, current)) return;
    const timer = setTimeout(() => setValue(current), pauseMs);
    return () => clearTimeout(timer);
  }, [value, current, pauseMs]);
  return { value, isSettled: Object.is(value, current) };
}
