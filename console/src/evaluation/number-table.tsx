import type { ReactNode } from 'react';
import { TableFrame } from '../ui/parts.tsx';

/** A table whose first column names the rows and whose others are numbers. */
export function NumberTable(props: {
  readonly caption: string;
  readonly head: readonly string[];
  readonly children: ReactNode;
}) {
  return (
    <TableFrame label={props.caption} className="number-table">
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
    </TableFrame>
  );
}
