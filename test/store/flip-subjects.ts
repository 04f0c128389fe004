/** Databases of a venue and of a bot for bit flips, each with rows in every table. */
import { checkVenue } from '../../src/server/index.ts';
import { ReadOnlyStore } from '../../src/store/index.ts';
import type { Subject } from './bit-flips.ts';
import { BotHarness } from './bot/bot-harness.ts';
import { findingsOf, smallBot, startAndQuery, trade } from './bot/small-bot.ts';
import { type Harness, openHarness } from './sqlite/harness.ts';
import { allAnswers, smallVenue, tradeUntil } from './sqlite/small-venue.ts';

/** @param file returns names of databases */
export async function botSubject(file: () => string): Promise<Subject> {
  return {
    file: await smallBot(file),
    async start(copy) {
      const answers = await startAndQuery(copy);
      // Also writes to the damaged pages.
      const bot = BotHarness.open({ file: copy, boot: 'second' });
      try {
        trade(bot, 2);
      } finally {
        await bot.store.close(4);
      }
      return answers;
    },
    check(copy) {
      return findingsOf(copy);
    },
  };
}

/** @param file returns names of databases */
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
        // A server ends with the same fault.
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
        // A damaged file is closed with the same fault.
        await harness?.store.close().catch(() => {});
      }
    },
    check(copy, isSame) {
      const store = ReadOnlyStore.open(copy);
      try {
        // Skips the slow replay when the answers equal those of the intact file.
        const { structure, records, states, rows } = checkVenue(store, { replay: !isSame });
        return [...structure, ...records, ...states, ...rows];
      } finally {
        store.close();
      }
    },
  };
}
