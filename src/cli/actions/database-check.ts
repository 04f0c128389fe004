import { resolve } from 'node:path';
import { checkVenue, type VenueFindings } from '../../server/index.ts';
import { ReadOnlyStore } from '../../store/index.ts';
import { EXIT } from '../exit-code.ts';
import type { Session } from '../session.ts';

/** Looks at the whole database of a venue, and prints what it found; ends with `EXIT.data` where something is wrong. */
export function databaseCheck({ terminal, end }: Session, file: string, json: boolean): void {
  const store = ReadOnlyStore.open(resolve(terminal.cwd, file));
  try {
    const findings = checkVenue(store);
    const wrong = [...findings.structure, ...findings.records, ...findings.states, ...findings.rows];
    terminal.out.write(json ? `${JSON.stringify({ file, ...findings })}\n` : findingsText(file, findings));
    if (wrong.length > 0) end(EXIT.data);
  } finally {
    store.close();
  }
}

function findingsText(file: string, found: VenueFindings): string {
  const { first, last, snapshots, state } = found;
  const lines: (readonly [string, string])[] = [
    ['file', file],
    ['records', last === 0 ? 'none' : first > last ? `none, ${last} are in a snapshot` : `${first} to ${last}`],
    ['snapshots', snapshots.length === 0 ? 'none' : `after record ${snapshots.join(' and ')}`],
  ];
  if (state !== undefined) {
    const { hash, seq, time, accounts, markets, openOrders, snapshot, replayed } = state;
    const from = snapshot === 0 ? 'the first' : `snapshot ${snapshot}`;
    lines.push(
      ['state', `${hash} after event ${seq}${time === '' ? '' : `, ${time}`}`],
      ['holds', `${count(accounts)} accounts, ${count(markets)} markets, ${count(openOrders)} open orders`],
      ['replayed', `${count(replayed)} records from ${from}`],
    );
  }
  const kinds = [
    ['structure', found.structure, 'whole'],
    ['checksums', found.records, 'right'],
    ['state', found.states, 'hashes, sums of money and transparency records are right'],
    ['rows', found.rows, 'say what the state says'],
  ] as const;
  for (const [name, faults, well] of kinds) {
    if (faults.length > 0) lines.push(...faults.map((fault) => [`${name}!`, fault] as const));
    else lines.push([name, name === 'rows' && state === undefined ? 'not compared' : well]);
  }
  return lines.map(([name, text]) => `${name.padEnd(11)}${text}\n`).join('');
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
