import { Exchange } from '../../src/exchange/index.ts';
import { recordingBooks } from '../../src/replay/index.ts';
import { Harness, sha256 } from '../exchange/engine/harness.ts';

/**
 * Returns a new harness whose exchange is restored from the written state of `harness`.
 * @param options `corrupt` changes the written state. `canReplay`: whether the restoring program can replay tapes.
 */
export function restoredHarness(
  harness: Harness,
  { corrupt, canReplay = true }: { corrupt?: (written: (number | string)[]) => void; canReplay?: boolean } = {},
): Harness {
  const written: (number | string)[] = [];
  harness.exchange.writeState({ number: (value) => written.push(value), text: (value) => written.push(value) });
  corrupt?.(written);
  let at = 0;
  const reader = {
    number: () => Number(written[at++]),
    text: () => String(written[at++]),
  };
  const restored = new Harness(
    {},
    Exchange.restore(reader, canReplay ? { sha256, books: recordingBooks } : { sha256 }),
  );
  if (at !== written.length) throw new Error(`${written.length - at} values of the state were not read`);
  restored.time = harness.time;
  return restored;
}
