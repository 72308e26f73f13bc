import type { ReactNode } from 'react';

/** A table whose first column names the rows and whose others are numbers. */
export function NumberTable(props: {
  readonly caption: string;
  readonly head: readonly string[];
  readonly children: ReactNode;
}) {
  return (
    // A region that scrolls has to be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="table-frame number-table" aria-label={props.caption} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {props.head.map((name, index) => (
              <th key={name} scope="col" className={index === 0 ? undefined : 'number'}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </section>
  );
}
