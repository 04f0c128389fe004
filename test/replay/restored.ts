import { Exchange } from '../../src/exchange/index.ts';
import { recordingBooks } from '../../src/replay/index.ts';
import { Harness, sha256 } from '../exchange/engine/harness.ts';

/**
 * Writes and restores the exchange of a harness. Its orders are not signed.
 * @param spoil changes the written state
 * @param knowsTapes whether the restoring program can replay tapes
 */
export function restoredHarness(
  harness: Harness,
  spoil: (written: (number | string)[]) => void = () => {},
  knowsTapes = true,
): Harness {
  const written: (number | string)[] = [];
  harness.exchange.writeState({ number: (value) => written.push(value), text: (value) => written.push(value) });
  spoil(written);
  let at = 0;
  const reader = {
    number: () => Number(written[at++]),
    text: () => String(written[at++]),
  };
  const again = new Harness({}, Exchange.restore(reader, knowsTapes ? { sha256, books: recordingBooks } : { sha256 }));
  if (at !== written.length) throw new Error(`${written.length - at} of a state are left`);
  again.time = harness.time;
  return again;
}
