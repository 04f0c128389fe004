/**
 * Example categories, topics and markets for a local venue. Their slugs and ids are fixed, so a second start adds nothing.
 */
import { type EpochMs, Fault, type MarketId, marketId, timeAfter, unchecked } from '../../domain/index.ts';
import type { Catalogue } from '../catalogue.ts';
import type { CommandQueue } from '../command-queue.ts';
import { serviceAccount } from '../service-accounts.ts';
import { SEED_CATEGORIES, SEED_MARKETS, SEED_TOPICS, type SeedMarket } from './seed-data.ts';

const DAY_MS = 86_400_000;

/**
 * Creates the missing examples.
 * @returns the number of created markets
 * @throws Fault when the exchange refuses one
 */
export async function seedVenue(queue: CommandQueue, catalogue: Catalogue): Promise<number> {
  for (const category of SEED_CATEGORIES) {
    if (catalogue.category(category.slug) === undefined) await catalogue.putCategory({ ...category, isActive: true });
  }
  for (const [place, topic] of SEED_TOPICS.entries()) {
    if (catalogue.topic(topic.slug) === undefined) await catalogue.putTopic({ ...topic, id: seedId('2', place) });
  }
  const account = await serviceAccount(queue, 'operator');
  let created = 0;
  for (const [place, market] of SEED_MARKETS.entries()) {
    const id = seedId('1', place);
    if (queue.view.marketById(id) !== undefined) continue;
    await queue.run({
      command: () => ({ type: 'createMarket', account, id, ...termsOf(market, queue.now) }),
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

function termsOf({ question, rules, category, topics, days, tickBps, event }: SeedMarket, time: EpochMs) {
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

/** The id of an example: a UUID of version 8, with custom digits (RFC 9562). */
function seedId(kind: '1' | '2', place: number): MarketId {
  return marketId(`5eed000${kind}-0000-8000-8000-${place.toString(16).padStart(12, '0')}`);
}
