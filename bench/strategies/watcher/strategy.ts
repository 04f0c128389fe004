/** Looks at every message and never quotes: the replay alone, with the book and the handlers. */
import { defineStrategy, z } from 'halfspread';

const NOTHING: readonly never[] = [];

export default defineStrategy({
  name: 'watcher',
  summary: 'Looks at every message and sends nothing.',
  params: z.strictObject({}),
  create() {
    return {
      onBook({ book }) {
        return book.crossed() ? NOTHING : undefined;
      },
    };
  },
});
