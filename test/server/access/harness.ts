/** A venue with a real exchange, command queue and database. Tests call it over GraphQL and advance its clock. */

import type { GraphQLSchema } from 'graphql';
import { SimClock } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { type Operation, venueSchema } from '../../../src/protocol/index.ts';
import { Access } from '../../../src/server/access/access.ts';
import { accessResolvers } from '../../../src/server/access/access-resolvers.ts';
import type { Mail, Payout } from '../../../src/server/access/ports.ts';
import { completeAccessSettings, type GivenAccessSettings } from '../../../src/server/access/settings.ts';
import { PAYOUT_DEFAULTS, SimulatedPayouts } from '../../../src/server/access/simulated-payouts.ts';
import type { CommandQueue } from '../../../src/server/command-queue.ts';
import { openEngine } from '../../../src/server/engine.ts';
import type { OperationContext, Reply } from '../../../src/server/graphql/context.ts';
import { GraphqlService } from '../../../src/server/graphql/service.ts';
import { Cursors } from '../../../src/server/paging/cursors.ts';
import type { SignedMessages, Signer } from '../../../src/signing/index.ts';
import type { TypedData } from '../../../src/signing/struct-hasher.ts';
import { SqliteStore } from '../../../src/store/index.ts';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import { hashTypedData } from '../../signing/eip712.ts';
import { openMessages, vectors } from '../../signing/harness.ts';
import { stubResolvers } from '../graphql/stub-venue.ts';

export const AUDIENCE = 'https://venue.example';
export const START = 1_800_000_000_000;
export const MINUTE = 60_000;

export interface VenueOptions {
  readonly file?: string;
  readonly start?: number;
  /** A worker thread writes the database. Default false. */
  readonly thread?: boolean;
  readonly settings?: GivenAccessSettings;
  /** Returns the reason why a payout fails. Default: none fails. */
  readonly getFailureReason?: (payout: Payout) => string | undefined;
}

export interface Caller {
  readonly authorization?: string | undefined;
  readonly ip?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Response<Data> {
  readonly data: Data | null;
  readonly errors: readonly { readonly message: string; readonly path: readonly string[] }[];
  readonly retryAfterMs: number | undefined;
}

export interface Venue {
  readonly clock: SimClock;
  readonly store: SqliteStore;
  readonly queue: CommandQueue;
  readonly access: Access;
  readonly service: GraphqlService;
  readonly schema: GraphQLSchema;
  readonly messages: SignedMessages & { readonly signer: Signer };
  readonly mails: Mail[];
  readonly logged: unknown[];
  readonly stops: unknown[];
  context(caller?: Caller): OperationContext;
  request<Data, Variables extends object>(
    operation: Operation<Data, Variables>,
    variables: Variables,
    caller?: Caller,
  ): Promise<Response<Data>>;
  /** Advances the clock, runs due timers and waits for the work that they start. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function openVenue(options: VenueOptions = {}): Promise<Venue> {
  const { file = ':memory:', start = START, thread = false, settings = {}, getFailureReason } = options;
  const clock = new SimClock(epochMs(start));
  const messages = await openMessages();
  const store = SqliteStore.open({ file, thread });
  const stops: unknown[] = [];
  const mails: Mail[] = [];
  const logged: unknown[] = [];
  const note = (fields: object, message: string): void => void logged.push({ message, ...fields });
  const log = { info: note, warn: note, error: note };
  const onStop = (cause: unknown): void => void stops.push(cause);
  const { queue, transferKinds } = openEngine({ store, clock, log, quotePolicy: undefined, onStop });
  const payouts = new SimulatedPayouts(clock, PAYOUT_DEFAULTS, getFailureReason);
  const access = new Access(
    {
      clock,
      registry: store.registry,
      archive: store.archive,
      queue,
      transferKinds,
      messages,
      log,
      chain: payouts,
      cursors: new Cursors(new Uint8Array(32).fill(7)),
      mailSender: { send: async (mail) => void mails.push(mail) },
    },
    completeAccessSettings({ ...settings, audience: AUDIENCE }),
  );
  const schema = venueSchema();
  const stub = stubResolvers(schema, 1);
  const own = accessResolvers(access);
  const service = new GraphqlService({
    schema,
    quota: access.buckets,
    log,
    resolvers: { Query: { ...stub.Query, ...own.Query }, Mutation: { ...stub.Mutation, ...own.Mutation } },
  });
  queue.start();
  await access.resume();
  const { credentials } = access;
  const context = ({ authorization, ip = '192.0.2.1', headers = {} }: Caller = {}): OperationContext => {
    const now = clock.now();
    const viewer = credentials.identify({ authorization, ip, now });
    return { viewer, requestId: 'r1', ip, now, header: (name) => headers[name] };
  };
  return {
    clock,
    store,
    queue,
    access,
    service,
    schema,
    messages,
    mails,
    logged,
    stops,
    context,
    async request({ text: query }, variables, caller = {}) {
      const reply: Reply = await service.answer(
        { query, variables: JSON.parse(JSON.stringify(variables)) },
        context(caller),
      );
      const { data, errors = [] } = JSON.parse(JSON.stringify(reply.answer));
      return { data, errors, retryAfterMs: reply.retryAfterMs };
    },
    async pass(ms) {
      const until = clock.now() + ms;
      await settle();
      while (clock.nextTime() <= until) {
        clock.runNext();
        await settle();
      }
      clock.advanceTo(until);
    },
    async close() {
      payouts.close();
      await access.close();
      await queue.close();
      await store.close();
    },
  };
}

/** Waits for pending promises and for commits of the inline writer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Private keys and addresses of two test accounts. */
export const [ALICE, BOB] = vectors.keys.map(({ privateKey, address }) => ({ privateKey, address }));

/** Signs typed data: viem, ethers or our signer. */
export type SignTyped = (typedData: TypedData) => Promise<string> | string;

/** Returns a function that signs with our signer. */
export function signerOf({ messages }: Venue, privateKey: string): SignTyped {
  const key = messages.signer.key(privateKey);
  return (typedData) => messages.signer.sign(hashTypedData(messages.signer.keccak256, typedData), key);
}

/** Returns the value. @throws Error when it is null or undefined */
export function unwrap<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('the value is null or undefined');
  return value;
}

/** Requests a login challenge. @returns the challenge and the signed input of `createSession` */
export async function requestChallenge(venue: Venue, address: string, sign: SignTyped) {
  const { data } = await venue.request(ALL_OPERATIONS.authChallenge, { address });
  const challenge = unwrap(data?.authChallenge);
  const typedData: TypedData = JSON.parse(JSON.stringify(challenge.typedData));
  const { issuedAt, expiresAt } = typedData.message;
  const signature = await sign(typedData);
  const input = { address, nonce: challenge.nonce, issuedAt: `${issuedAt}`, expiresAt: `${expiresAt}`, signature };
  return { challenge, typedData, input };
}

export async function logIn(venue: Venue, { privateKey, address } = unwrap(ALICE)) {
  const { input } = await requestChallenge(venue, address, signerOf(venue, privateKey));
  const { data, errors } = await venue.request(ALL_OPERATIONS.createSession, { input });
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const session = unwrap(data?.createSession);
  return { ...session, caller: bearer(session.accessToken) };
}

export function bearer(token: string): Caller {
  return { authorization: `Bearer ${token}` };
}

/** The reply to a request for one field that is UNAUTHORIZED. */
export function unauthorizedFor(field: string) {
  return { data: null, errors: [{ message: 'UNAUTHORIZED', path: [field] }], retryAfterMs: undefined };
}
