import type { InputEvent } from '../../domain/index.ts';
import type { Core } from '../../runtime/index.ts';
import type { Cursor } from '../../tape/index.ts';

export interface CoreWatch {
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
