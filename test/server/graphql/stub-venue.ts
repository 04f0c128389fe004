/** A venue that answers every field of the contract with drawn values, right ones or wrong ones as a test asks. */
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
import { invalidArgument } from '../../../src/protocol/index.ts';
import type { OperationContext, Viewer } from '../../../src/server/graphql/context.ts';
import type { ResolverMap, RootResolver } from '../../../src/server/graphql/resolvers.ts';

/** One in so many values is wrong; 0: none. */
export interface StubFaults {
  /** Null where nothing may be null, or a value its scalar cannot write. */
  readonly wrongValueIn: number;
  /** A root resolver that throws. */
  readonly throwIn: number;
}

export const NO_FAULTS: StubFaults = { wrongValueIn: 0, throwIn: 0 };

/** Scopes of one who may do anything. */
export const ALL_SCOPES = ['READ', 'TRADE', 'WITHDRAW', 'CREATE_MARKET'] as const;

export const OWNER: Viewer = { account: '0xa1', credential: 's1', kind: 'session', scopes: ALL_SCOPES };

/** Somebody who asks. */
export function asking(viewer: Viewer | undefined = OWNER, requestId = 'r1'): OperationContext {
  return { viewer, requestId, ip: '192.0.2.1', now: epochMs(1_700_000_000_000), header: () => undefined };
}

/** A value of the type, drawn. */
function drawn(type: GraphQLOutputType, dice: Random, faults: StubFaults = NO_FAULTS): unknown {
  if (faults.wrongValueIn > 0 && dice.int(faults.wrongValueIn) === 0) {
    return [null, undefined, Number.NaN, Symbol.for('wrong'), 'wrong', new Error('wrong at /inside.ts:1')][dice.int(6)];
  }
  if (!isNonNullType(type) && dice.int(6) === 0) return dice.int(2) === 0 ? null : undefined;
  const inner = getNullableType(type);
  if (isListType(inner)) return Array.from({ length: dice.int(4) }, () => drawn(inner.ofType, dice, faults));
  if (isObjectType(inner)) {
    return Object.fromEntries(
      Object.values(inner.getFields()).map((field) => [field.name, drawn(field.type, dice, faults)]),
    );
  }
  if (isEnumType(inner)) return inner.getValues()[dice.int(inner.getValues().length)]?.value;
  return scalar(String(inner), dice);
}

/** Resolvers of all root fields. The same field with the same arguments gives the same in every executor. */
export function stubResolvers(schema: GraphQLSchema, seed: number, faults: StubFaults = NO_FAULTS): ResolverMap {
  const dice = seededRandom(seed);
  const rootOf = (type: ReturnType<GraphQLSchema['getQueryType']>): Record<string, RootResolver> =>
    Object.fromEntries(
      Object.values(type?.getFields() ?? {}).map(({ name, type: fieldType }) => [
        name,
        (args) => {
          const own = dice.fork(`${name} ${JSON.stringify(args)}`);
          if (faults.throwIn > 0 && own.int(faults.throwIn) === 0) {
            throw own.int(2) === 0 ? invalidArgument(`${name}: refused`) : new Error('inside /home/x/secret.ts:12:3');
          }
          return drawn(fieldType, own, faults);
        },
      ]),
    );
  return { Query: rootOf(schema.getQueryType()), Mutation: rootOf(schema.getMutationType()) };
}

function scalar(name: string, dice: Random): unknown {
  switch (name) {
    case 'Int':
      return dice.int(3) === 0 ? 5_000_000_000 + dice.int(1000) : dice.int(10_000);
    case 'Float':
      return dice.uniform() * 100;
    case 'Boolean':
      return dice.int(2) === 0;
    case 'Time':
      return 1_700_000_000_000 + dice.int(1_000_000);
    case 'UintString':
      return BigInt(dice.int(1_000_000)) * 10n ** 20n;
    case 'IntString':
      return -dice.int(1_000_000);
    case 'Hex':
      return '0xab12';
    case 'TypedData':
      return { domain: { chainId: dice.int(9) } };
    default:
      return `text "${dice.int(1000)}"\n é`;
  }
}
