/** The filter of the query `markets`. */
import { badArgument, type RawMarketFilter, readCents, readMarketId, readTime } from '../../protocol/index.ts';
import { isGiven } from '../graphql/context.ts';
import type { MarketEntry } from '../market-index.ts';

export type MarketTest = (entry: MarketEntry) => boolean;

const MAX_IDS = 100;

/**
 * Returns the predicate of a filter, in which all given members must match.
 * @returns undefined if every market passes
 * @throws WireFault on an invalid member
 */
export function marketTest(filter: RawMarketFilter | null | undefined): MarketTest | undefined {
  if (filter === null || filter === undefined) return undefined;
  const tests = testsOf(filter);
  if (tests.length <= 1) return tests[0];
  return (entry) => tests.every((test) => test(entry));
}

/** The tests of the given members, cheap and selective ones first. */
function testsOf(filter: RawMarketFilter): readonly MarketTest[] {
  const { status, categorySlug, topicSlug, search, createdAfter, resolvesBefore, minVolumeCents, ids } = filter;
  const tests: MarketTest[] = [];
  if (isGiven(ids)) {
    if (ids.length > MAX_IDS) throw badArgument('ids', ids.length, `at most ${MAX_IDS} ids`);
    const requested = new Set<string>(ids.map(readMarketId));
    tests.push((entry) => requested.has(entry.id));
  }
  if (isGiven(status)) tests.push((entry) => entry.status === status);
  if (isGiven(categorySlug)) tests.push((entry) => entry.categorySlug === categorySlug);
  if (isGiven(minVolumeCents)) {
    readCents('minVolumeCents', minVolumeCents);
    tests.push(({ volumeCents }) => volumeCents >= minVolumeCents);
  }
  if (isGiven(createdAfter)) {
    const time = readTime('createdAfter', createdAfter);
    tests.push((entry) => entry.createdAt > time);
  }
  if (isGiven(resolvesBefore)) {
    const time = readTime('resolvesBefore', resolvesBefore);
    tests.push(({ resolutionDate }) => resolutionDate < time);
  }
  if (isGiven(topicSlug)) tests.push((entry) => entry.topicSlugs.includes(topicSlug));
  if (isGiven(search)) {
    const part = search.toLowerCase();
    tests.push(({ lowerCaseQuestion }) => lowerCaseQuestion.includes(part));
  }
  return tests;
}
