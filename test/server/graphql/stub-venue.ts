/** Resolvers that return random values, valid or invalid, for every root field of the API. */
import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type Random, seededRandom } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { invalidArgument, venueSchema } from '../../../src/protocol/index.ts';
import type { Arguments, OperationContext, Viewer } from '../../../src/server/graphql/context.ts';
import type { ResolverMap, RootResolver } from '../../../src/server/graphql/resolvers.ts';
import { GraphqlService } from '../../../src/server/graphql/service.ts';

/** Frequencies of faults. */
export interface StubFaults {
  /** One in this many values is invalid: null in a non-null field or not of the scalar's type. 0: none. */
  readonly wrongValueIn: number;
  /** One in this many calls of a root resolver throws. 0: none. */
  readonly throwIn: number;
}

export const NO_FAULTS: StubFaults = { wrongValueIn: 0, throwIn: 0 };

export const ALL_SCOPES = ['READ', 'TRADE', 'WITHDRAW', 'CREATE_MARKET'] as const;

export const OWNER: Viewer = { account: '0xa1', credential: 's1', kind: 'session', scopes: ALL_SCOPES };

/** The context of an operation. Default: the owner's session. */
export function operationContext(viewer: Viewer | undefined = OWNER, requestId = 'r1'): OperationContext {
  return { viewer, requestId, ip: '192.0.2.1', now: epochMs(1_700_000_000_000), header: () => undefined };
}

/** Returns a random value of the type. */
function randomValue(type: GraphQLOutputType, random: Random, faults: StubFaults = NO_FAULTS): unknown {
  if (faults.wrongValueIn > 0 && random.int(faults.wrongValueIn) === 0) {
    return [null, undefined, Number.NaN, Symbol.for('wrong'), 'wrong', new Error('wrong at /inside.ts:1')][
      random.int(6)
    ];
  }
  if (!isNonNullType(type) && random.int(6) === 0) return random.int(2) === 0 ? null : undefined;
  const inner = getNullableType(type);
  if (isListType(inner)) return Array.from({ length: random.int(4) }, () => randomValue(inner.ofType, random, faults));
  if (isObjectType(inner)) {
    return Object.fromEntries(
      Object.values(inner.getFields()).map((field) => [field.name, randomValue(field.type, random, faults)]),
    );
  }
  if (isEnumType(inner)) return inner.getValues()[random.int(inner.getValues().length)]?.value;
  return randomScalar(String(inner), random);
}

/** Resolvers of all root fields. The same field with the same arguments always returns the same value. */
export function stubResolvers(schema: GraphQLSchema, seed: number, faults: StubFaults = NO_FAULTS): ResolverMap {
  const random = seededRandom(seed);
  const rootOf = (type: ReturnType<GraphQLSchema['getQueryType']>): Record<string, RootResolver> =>
    Object.fromEntries(
      Object.values(type?.getFields() ?? {}).map(({ name, type: fieldType }) => [
        name,
        (args) => {
          const callRandom = random.fork(`${name} ${JSON.stringify(args)}`);
          if (faults.throwIn > 0 && callRandom.int(faults.throwIn) === 0) {
            throw callRandom.int(2) === 0
              ? invalidArgument(`${name}: refused`)
              : new Error('inside /home/x/secret.ts:12:3');
          }
          return randomValue(fieldType, callRandom, faults);
        },
      ]),
    );
  return { Query: rootOf(schema.getQueryType()), Mutation: rootOf(schema.getMutationType()) };
}

function randomScalar(name: string, random: Random): unknown {
  switch (name) {
    case 'Int':
      return random.int(3) === 0 ? 5_000_000_000 + random.int(1000) : random.int(10_000);
    case 'Float':
      return random.uniform() * 100;
    case 'Boolean':
      return random.int(2) === 0;
    case 'Time':
      return 1_700_000_000_000 + random.int(1_000_000);
    case 'UintString':
      return BigInt(random.int(1_000_000)) * 10n ** 20n;
    case 'IntString':
      return -random.int(1_000_000);
    case 'Hex':
      return '0xab12';
    case 'TypedData':
      return { domain: { chainId: random.int(9) } };
    default:
      return `text "${random.int(1000)}"\n é`;
  }
}

interface Harness {
  readonly service: GraphqlService;
  readonly logged: object[];
  /** The number of read tokens of each charge. */
  readonly taken: number[];
  /** Executes an operation. @returns its answer */
  request(
    query: string,
    options?: { variables?: Arguments; operationName?: string; context?: OperationContext },
  ): Promise<unknown>;
}

/** A service whose resolvers are stubs, except those given. `wait` returns the wait of rate-limited requests, ms. */
export function harness(
  {
    Query = {},
    Mutation = {},
    objects = {},
  }: {
    Query?: Record<string, RootResolver>;
    Mutation?: Record<string, RootResolver>;
    objects?: NonNullable<ResolverMap['objects']>;
  } = {},
  wait: () => number = () => 0,
): Harness {
  const schema = venueSchema();
  const stubs = stubResolvers(schema, 3);
  const logged: object[] = [];
  const taken: number[] = [];
  const service = new GraphqlService({
    schema,
    resolvers: { Query: { ...stubs.Query, ...Query }, Mutation: { ...stubs.Mutation, ...Mutation }, objects },
    quota: {
      consume: (_context, bucket, count) => {
        if (bucket === 'read') taken.push(count);
        return wait();
      },
      charge: () => undefined,
    },
    log: { info: () => undefined, warn: () => undefined, error: (fields) => void logged.push(fields) },
  });
  return {
    service,
    logged,
    taken,
    request: async (query, { variables, operationName, context = operationContext() } = {}) =>
      (await service.answer({ query, variables, operationName }, context)).answer,
  };
}
