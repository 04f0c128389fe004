/** The example markets. They name no living person. */

export interface SeedMarket {
  readonly question: string;
  readonly rules: string;
  readonly category: string;
  readonly topics: readonly string[];
  /** Days from the first start to the resolution date. */
  readonly days: number;
  readonly tickBps?: number;
  readonly event?: string;
}

export const SEED_CATEGORIES = [
  { slug: 'economy', name: 'Economy' },
  { slug: 'science', name: 'Science' },
  { slug: 'sports', name: 'Sports' },
  { slug: 'weather', name: 'Weather' },
] as const;

export const SEED_TOPICS = [
  { slug: 'interest-rates', name: 'Interest rates', categorySlug: 'economy' },
  { slug: 'inflation', name: 'Inflation', categorySlug: 'economy' },
  { slug: 'spaceflight', name: 'Spaceflight', categorySlug: 'science' },
  { slug: 'computing', name: 'Computing', categorySlug: 'science' },
  { slug: 'tennis', name: 'Tennis', categorySlug: 'sports' },
  { slug: 'football', name: 'Football', categorySlug: 'sports' },
  { slug: 'temperature', name: 'Temperature', categorySlug: 'weather' },
  { slug: 'storms', name: 'Storms', categorySlug: 'weather' },
] as const;

const RATES = 'Decided by the statement that the central bank publishes after its meeting.';
const CUP =
  'Decided by the official result after extra time and penalties. A match that is not played voids the market.';
const STATION = 'Decided by the daily record that the national weather service publishes for its reference station.';

export const SEED_MARKETS: readonly SeedMarket[] = [
  {
    question: 'Will the central bank cut its rate at the next meeting?',
    rules: RATES,
    category: 'economy',
    topics: ['interest-rates'],
    days: 30,
    event: 'next-rate-decision',
  },
  {
    question: 'Will the central bank raise its rate at the next meeting?',
    rules: RATES,
    category: 'economy',
    topics: ['interest-rates'],
    days: 30,
    event: 'next-rate-decision',
  },
  {
    question: 'Will yearly inflation be below 2.5 % in the next release?',
    rules: 'Decided by the first figure of the statistical office; later revisions do not count.',
    category: 'economy',
    topics: ['inflation', 'interest-rates'],
    days: 21,
  },
  {
    question: 'Will unemployment fall in the next release?',
    rules: 'Decided by the first figure of the statistical office against the one before it, both to one decimal.',
    category: 'economy',
    topics: [],
    days: 14,
  },
  {
    question: 'Will the next crewed launch lift off on its first attempt?',
    rules: 'YES when the vehicle leaves the pad within the first launch window that was announced.',
    category: 'science',
    topics: ['spaceflight'],
    days: 45,
  },
  {
    question: 'Will the lander reach the surface in one piece?',
    rules: 'YES when a signal from the surface is confirmed by the agency within a day of touchdown.',
    category: 'science',
    topics: ['spaceflight'],
    days: 90,
  },
  {
    question: 'Will a new fastest computer lead the next list?',
    rules: 'Decided by the next list as it is published: YES when its first entry is another system.',
    category: 'science',
    topics: ['computing'],
    days: 120,
  },
  {
    question: 'Will the first seed win the next grand slam final?',
    rules: 'Decided by the official result. A final that is not played, or without the first seed, is NO.',
    category: 'sports',
    topics: ['tennis'],
    days: 40,
    tickBps: 5,
  },
  {
    question: 'Will the cup final go to penalties?',
    rules: CUP,
    category: 'sports',
    topics: ['football'],
    days: 60,
    event: 'cup-final',
  },
  {
    question: 'Will the home side win the cup final?',
    rules: CUP,
    category: 'sports',
    topics: ['football'],
    days: 60,
    event: 'cup-final',
  },
  {
    question: 'Will it rain in the capital on the first of next month?',
    rules: STATION,
    category: 'weather',
    topics: [],
    days: 10,
  },
  {
    question: 'Will this month be the warmest on record?',
    rules: STATION,
    category: 'weather',
    topics: ['temperature'],
    days: 35,
  },
  {
    question: 'Will a named storm make landfall this season?',
    rules: 'Decided by the advisories of the regional storm centre.',
    category: 'weather',
    topics: ['storms', 'temperature'],
    days: 100,
    tickBps: 50,
  },
];
