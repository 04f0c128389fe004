/** Looks at every message and never wishes anything: the replay alone, with the book and the handlers. */
import { defineStrategy, z } from 'halfspread';

export default defineStrategy({
  name: 'watcher',
  summary: 'Looks at every message and sends nothing.',
  params: z.strictObject({}),
  create() {
    let crossed = 0;
    return {
      onBook({ book }) {
        if (book.crossed()) crossed += 1;
        return undefined;
      },
    };
  },
});
