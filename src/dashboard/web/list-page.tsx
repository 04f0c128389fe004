/** Common parts of pages with long lists. */
import type { ReactNode } from 'react';
import type { Bot } from '../generated/schema-types.ts';

export function BotChoice({
  bots,
  value,
  onChange,
  withAll = false,
}: {
  readonly bots: readonly Bot[];
  readonly value: string;
  readonly onChange: (bot: string) => void;
  readonly withAll?: boolean;
}) {
  return (
    <select aria-label="Bot" value={value} onChange={(event) => onChange(event.target.value)}>
      {withAll && <option value="">All bots</option>}
      {bots.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  );
}

export function Page({ children }: { readonly children: ReactNode }) {
  return <main className="list-page">{children}</main>;
}
