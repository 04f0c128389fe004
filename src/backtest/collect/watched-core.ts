import type { InputEvent } from '../../domain/index.ts';
import type { Core } from '../../runtime/index.ts';
import type { Cursor } from '../../tape/index.ts';

/** Whoever looks on after the core has worked. */
export interface CoreWatch {
  /** The message that ends with this row was taken in. */
  message(last: Cursor): void;
  event(event: InputEvent): void;
}

/** HOT: the same core with an onlooker (bench/replay.ts). */
export function watchedCore(core: Core, watch: CoreWatch): Core {
  return {
    market(row, out) {
      core.market(row, out);
      watch.message(row);
    },
    step(event, out) {
      core.step(event, out);
      watch.event(event);
    },
  };
}
