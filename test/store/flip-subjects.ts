/** The databases whose bits are flipped: of a venue and of a bot, each with rows in every table. */
import { checkVenue } from '../../src/server/index.ts';
import { checkBotFile, ReadOnlyStore } from '../../src/store/index.ts';
import type { Subject } from './bit-flips.ts';
import { BotLife } from './bot/bot-life.ts';
import { smallBot, started, traded } from './bot/small-bot.ts';
import { type Harness, openHarness } from './sqlite/harness.ts';
import { allAnswers, smallVenue, tradeUntil } from './sqlite/small-venue.ts';

/** @param file makes names of databases */
export async function botSubject(file: () => string): Promise<Subject> {
  return {
    file: await smallBot(file),
    async start(copy) {
      const answers = await started(copy);
      // Writes on the damaged pages, too.
      const life = BotLife.open({ file: copy, boot: 'second' });
      try {
        traded(life, 2);
      } finally {
        await life.store.close(4);
      }
      return answers;
    },
    check(copy) {
      const { structure, steps, rows, log } = checkBotFile(copy);
      return [...structure, ...steps, ...rows, ...log];
    },
  };
}

/** @param file makes names of databases */
export async function venueSubject(file: () => string): Promise<Subject> {
  const name = file();
  await smallVenue(name);
  return {
    file: name,
    async start(copy) {
      let harness: Harness | undefined;
      let damage: unknown;
      try {
        harness = openHarness({ file: copy, thread: false });
        // As a server does, which ends with it.
        harness.store.onDamage((fault) => {
          damage = fault;
        });
        const answers = allAnswers(harness.store, harness.recovery.machine.view);
        await tradeUntil(harness, harness.exchange.sequence + 10, 3);
        if (harness.store.fault !== undefined) throw harness.store.fault;
        return answers;
      } catch (cause) {
        throw damage ?? cause;
      } finally {
        // A file that is known to be damaged is closed with the same fault.
        await harness?.store.close().catch(() => {});
      }
    },
    check(copy, isSame) {
      const store = ReadOnlyStore.open(copy);
      try {
        // Without a replay where the answers of the start are those of the whole file: it takes most of the time.
        const { structure, records, states, rows } = checkVenue(store, { replay: !isSame });
        return [...structure, ...records, ...states, ...rows];
      } finally {
        store.close();
      }
    },
  };
}
