import { Exchange } from '../../src/exchange/index.ts';
import { recordingBooks } from '../../src/replay/index.ts';
import { Harness, sha256 } from '../exchange/engine/harness.ts';

/**
 * A harness whose exchange was written and restored. Nothing on it is signed.
 * @param spoil changes what was written
 * @param knowsTapes whether the program that restores it knows how to replay tapes
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
