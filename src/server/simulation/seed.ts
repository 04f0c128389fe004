/** Creates example categories, topics and markets at a local venue. Fixed slugs and ids prevent duplicates. */
import { DAY_MS, type EpochMs, Fault, type MarketId, marketId, timeAfter, unchecked } from '../../domain/index.ts';
import type { Catalogue } from '../catalogue.ts';
import type { CommandQueue } from '../command-queue.ts';
import { openServiceAccount } from '../service-accounts.ts';
import { SEED_CATEGORIES, SEED_MARKETS, SEED_TOPICS, type SeedMarket } from './seed-data.ts';

/** Creates the missing examples and returns the number of created markets. @throws Fault when the exchange refuses */
export async function seedVenue(queue: CommandQueue, catalogue: Catalogue): Promise<number> {
  for (const category of SEED_CATEGORIES) {
    if (catalogue.category(category.slug) === undefined) await catalogue.putCategory({ ...category, isActive: true });
  }
  for (const [index, topic] of SEED_TOPICS.entries()) {
    if (catalogue.topic(topic.slug) === undefined) await catalogue.putTopic({ ...topic, id: seedId('2', index) });
  }
  const account = await openServiceAccount(queue, 'operator');
  let created = 0;
  for (const [index, market] of SEED_MARKETS.entries()) {
    const id = seedId('1', index);
    if (queue.view.marketById(id) !== undefined) continue;
    await queue.run({
      command: () => ({ type: 'createMarket', account, id, ...toMarketTerms(market, queue.now) }),
      answer: (events) => {
        const refused = events.find((event) => event.type === 'refused');
        if (refused === undefined) return;
        throw new Fault('SEED', `the example "${market.question}" is refused: ${JSON.stringify(refused.refusal)}`);
      },
    });
    created += 1;
  }
  return created;
}

function toMarketTerms({ question, rules, category, topics, days, tickBps, event }: SeedMarket, time: EpochMs) {
  return {
    time,
    credential: unchecked.credential(0),
    question,
    rules,
    description: undefined,
    categorySlug: category,
    topicSlugs: topics,
    resolutionDate: timeAfter(time, days * DAY_MS),
    tickBps,
    feeRateBps: undefined,
    minOrderShares: undefined,
    eventId: event,
    initialOrder: undefined,
    restriction: undefined,
  };
}

/** Returns an example's UUID, version 8 with custom digits (RFC 9562). Kind 1 is a market, 2 a topic. */
function seedId(kind: '1' | '2', index: number): MarketId {
  return marketId(`5eed000${kind}-0000-8000-8000-${index.toString(16).padStart(12, '0')}`);
}
