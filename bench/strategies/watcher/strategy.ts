/** Reads every message and never quotes, to measure replay, book and handlers alone. */
import { defineStrategy, z } from 'halfspread';

const NOTHING: readonly never[] = [];

export default defineStrategy({
  name: 'watcher',
  summary: 'Reads every message and sends nothing.',
  params: z.strictObject({}),
  create() {
    return {
      onBook({ book }) {
        return book.crossed() ? NOTHING : undefined;
      },
    };
  },
});
