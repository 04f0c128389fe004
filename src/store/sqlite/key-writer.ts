/** HOT: writes keys into the index by id; each order comes here once (bench/server.ts). */
import type { Connection } from './database.ts';
import type { KeyPart } from './order-keys.ts';

/** Pairs in a statement. */
const GROUP = 16;

/** Writes parts of the index within whatever transaction is open. After a restart some come again that it has. */
export function keyWriter(connection: Connection): (part: KeyPart) => void {
  const insert = (pairs: number) =>
    connection.prepare<number[]>(
      `INSERT OR IGNORE INTO order_keys VALUES ${Array.from({ length: pairs }, () => '(?, ?)').join(', ')}`,
    );
  const one = insert(1);
  const group = insert(GROUP);
  const head = connection.prepare<[number]>('UPDATE head SET indexed = ?');
  return ({ pairs, indexed }) => {
    let at = 0;
    for (; at + 2 * GROUP <= pairs.length; at += 2 * GROUP) group.run(...pairs.subarray(at, at + 2 * GROUP));
    for (; at < pairs.length; at += 2) one.run(pairs[at]!, pairs[at + 1]!);
    head.run(indexed);
  };
}
