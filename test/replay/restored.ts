import { Exchange } from '../../src/exchange/index.ts';
import { recordingBooks } from '../../src/replay/index.ts';
import { Stage, sha256 } from '../exchange/engine/stage.ts';

/** A stage whose exchange was written and restored. Nothing on it is signed. */
export function restoredStage(stage: Stage): Stage {
  const written: (number | string)[] = [];
  stage.exchange.writeState({ number: (value) => written.push(value), text: (value) => written.push(value) });
  let at = 0;
  const reader = {
    number: () => Number(written[at++]),
    text: () => String(written[at++]),
  };
  const again = new Stage({}, Exchange.restore(reader, { sha256, books: recordingBooks }));
  if (at !== written.length) throw new Error(`${written.length - at} of a state are left`);
  again.time = stage.time;
  return again;
}
