/** Fuzzes every decoder of a venue's frames and answers. The test runs thousands of cases, the soak millions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, seededRandom } from '../../../src/clock/index.ts';
import { Fault, InputFault } from '../../../src/domain/index.ts';
import { tryParseJson } from '../../../src/network/index.ts';
import { OPERATIONS, type Operation } from '../../../src/protocol/index.ts';
import { VenueOrders } from '../../../src/venues/base/venue-orders.ts';
import { readTerms, ServiceDirectory } from '../../../src/venues/service/market-data/index.ts';
import { recoverGap, reportState } from '../../../src/venues/service/own-stream/gap-recovery.ts';
import { readHoldings, readMovements } from '../../../src/venues/service/reconcile/holdings.ts';
import {
  answerShape,
  decodeHttpAnswer,
  readMessage,
  toAnswer,
  toEvent,
} from '../../../src/venues/service/transport/answer-codec.ts';
import { type Answer, OperationTexts } from '../../../src/venues/service/transport/index.ts';
import { mutate, validAnswer } from '../../protocol/answers.ts';
import { SILENT } from './harness.ts';
import { bookFeedHarness } from './market-data/book-feed-harness.ts';
import { type Change, levelsText, ScriptedBook } from './market-data/scripted-book.ts';

/** Recorded frames of a venue to a trading bot. */
export const FRAMES: readonly string[] = readFileSync(
  join(import.meta.dirname, '../../fixtures/venue-frames.jsonl'),
  'utf8',
)
  .trimEnd()
  .split('\n');

const operations: readonly Operation<unknown, never>[] = Object.values(OPERATIONS);
export const NO_RENAMES: ReadonlyMap<string, string> = new Map();

/** Changes a few values of a frame, sometimes a few bytes, or cuts it. */
function mutateFrame(text: string, random: Random): Buffer {
  const kind = random.int(8);
  if (kind > 1) return Buffer.from(JSON.stringify(mutate(JSON.parse(text), random.int(2 ** 31))));
  const bytes = Buffer.from(text);
  if (kind === 0) return bytes.subarray(0, random.int(bytes.length));
  for (let left = 1 + random.int(4); left > 0; left -= 1) bytes[random.int(bytes.length)] = random.int(256);
  return bytes;
}

/** Decodes changed socket messages and HTTP bodies to typed answers. */
export function fuzzMessages(seed: number, runs: number): { readonly thrown: readonly string[] } {
  const random = seededRandom(seed);
  const thrown: string[] = [];
  for (let run = 0; run < runs; run += 1) {
    const frame = mutateFrame(FRAMES[random.int(FRAMES.length)] ?? '', random);
    try {
      const message = readMessage(tryParseJson(frame));
      if (message?.type === 'next') {
        for (const operation of operations) {
          if (!Object.hasOwn(message.result.data ?? {}, operation.field)) continue;
          const shape = answerShape(operation, NO_RENAMES);
          toEvent(message.result, shape);
          toAnswer(message.result, shape);
        }
      }
      const operation = operations[random.int(operations.length)] ?? OPERATIONS.health;
      const body = JSON.stringify(mutate({ data: validAnswer(operation.answer), errors: ERRORS }, random.int(2 ** 31)));
      const text = random.int(4) === 0 ? body.slice(0, random.int(body.length)) : body;
      const status = [200, 200, 200, 400, 429, 500][random.int(6)] ?? 200;
      decodeHttpAnswer(
        { status, text, retryAfterMs: undefined },
        'venue',
        answerShape(operation, NO_RENAMES, { isUnchecked: random.int(9) === 0 }),
      );
    } catch (error) {
      thrown.push(`run ${run}: ${String(error)} on ${frame.toString().slice(0, 300)}`);
    }
  }
  return { thrown };
}

const ERRORS = [{ message: 'no', path: ['a', 0, 'b'] }, { message: 'rate limited: retry in 30 ms' }];

/** Runs the readers on answers that passed the shape check. */
export async function fuzzAnswers(
  seed: number,
  runs: number,
): Promise<{ readonly thrown: readonly string[]; readonly passed: number }> {
  const random = seededRandom(seed);
  const thrown: string[] = [];
  let passed = 0;
  const query = async (operation: Operation<unknown, never>): Promise<Answer<unknown>> => {
    const example = validAnswer(operation.answer);
    const data = random.int(3) === 0 ? mutate(example, random.int(2 ** 31)) : example;
    const result = JSON.parse(JSON.stringify({ data })) ?? {};
    return decodeHttpAnswer(
      { status: 200, text: JSON.stringify(result), retryAfterMs: undefined },
      'venue',
      answerShape(operation, NO_RENAMES),
    );
  };
  const queryDocument = async () => ({ type: 'data', data: {}, errors: [] });
  // Stubs have only the members that the readers use.
  const transport = { query, queryDocument, operations: new OperationTexts(), log: SILENT } as never;
  const reporter = {
    onLateFill: () => {},
    reportFound: () => {},
    reportReduced: () => {},
    reportEnded: () => {},
  } as never;
  const view = { markets: [] };
  const deps = { transport, reporter, view, onProblem: () => {}, orders: new VenueOrders() } as never;
  const order = { life: { hasEnded: false } } as never;
  const readers: readonly (() => Promise<unknown>)[] = [
    () => readTerms(transport),
    () => readHoldings(deps),
    () => readMovements(deps, ''),
    () => recoverGap(deps, 0, Number.MAX_SAFE_INTEGER),
    async () => {
      const terms = await readTerms(transport);
      return new ServiceDirectory(transport, terms).select({ filter: { limit: 1 } });
    },
    async () => {
      const answer = await query(OPERATIONS.order);
      const found: unknown = answer.type === 'data' ? Reflect.get(Object(answer.data), 'order') : undefined;
      const node: unknown = Reflect.get(Object(found), 'order');
      if (node !== null && node !== undefined) reportState(reporter, order, node as never, Number.MAX_SAFE_INTEGER);
    },
  ];
  for (let run = 0; run < runs; run += 1) {
    try {
      await readers[run % readers.length]?.();
      passed += 1;
    } catch (error) {
      // A filter without results is an input error of the user.
      const isEmptyFilter = error instanceof InputFault && error.field === 'markets';
      if (!(error instanceof Fault) || (error instanceof InputFault && !isEmptyFilter))
        thrown.push(`run ${run}: ${String(error)}`);
    }
  }
  return { thrown, passed };
}

/** Delivers the frames of one market: some changed, repeated or lost. */
export function fuzzBooks(seed: number, runs: number) {
  const random = seededRandom(seed);
  const [thrown, wrong]: [string[], string[]] = [[], []];
  let refused = 0;
  let [harness, venue] = [bookFeedHarness(), new ScriptedBook()];
  let last: unknown = venue.snapshot();
  for (let run = 0; run < runs; run += 1) {
    if (run % 500 === 0) {
      [harness, venue] = [bookFeedHarness(), new ScriptedBook()];
      harness.handler.onBegin();
      harness.handler.onBookEvent(venue.snapshot());
    }
    harness.now += random.int(50);
    const frame = venue.change(randomChanges(random));
    const action = random.int(10);
    const sent = action < 3 ? mutate(frame, random.int(2 ** 31)) : action === 3 ? last : frame;
    last = frame;
    const before = harness.resyncs.length;
    try {
      if (action !== 4) harness.handler.onBookEvent(JSON.parse(JSON.stringify(sent) ?? 'null'));
      if (harness.resyncs.length > before || !harness.handler.isSynced) {
        refused += 1;
        harness.handler.onBegin();
        harness.handler.onBookEvent(venue.snapshot());
        const isCorrect = harness.handler.isSynced && levelsText(harness.core.book(0)) === venue.history.get(venue.seq);
        if (!isCorrect) wrong.push(`run ${run}: a snapshot does not correct the book`);
      }
    } catch (error) {
      thrown.push(`run ${run}: ${String(error)} on ${JSON.stringify(sent).slice(0, 300)}`);
    }
  }
  return { thrown, wrong, refused };
}

function randomChanges(random: Random): readonly Change[] {
  return Array.from({ length: 1 + random.int(3) }, () => {
    const isBid = random.int(2) === 0;
    const price = 5_000 + (isBid ? -10 : 10) * (1 + random.int(40));
    return { side: isBid ? 'bid' : 'ask', price, shares: random.int(3) === 0 ? 0 : 1 + random.int(500) } as const;
  });
}
