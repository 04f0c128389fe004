/**
 * GraphQL without any transport: a request and its context in, an answer out. HTTP and WebSocket stand on it.
 *
 * The way of a request: document (from the cache) -> operation -> variables -> root fields left by fragments and
 * directives -> gate (credentials, scopes) -> cost -> rate -> resolvers -> answer. Up to the resolvers nothing has run.
 */
import { type GraphQLSchema, validateSchema } from 'graphql';
import { type Answer, type Reply, requestFailed } from './answer.ts';
import type { OperationContext } from './context.ts';
import { chooseOperation, type PreparedDocument, prepareDocument, type RefusedDocument } from './document.ts';
import { CACHE_BOUNDS, type CacheBounds, DocumentCache } from './document-cache.ts';
import { argumentsOf, execute, type RootArguments } from './execution.ts';
import { argumentFailure, internalFailure } from './failure.ts';
import { type ReadBucket, refusedAtGate } from './gate.ts';
import { LIMITS, type Limits } from './limits.ts';
import type { Log } from './log.ts';
import type { PreparedOperation, RootField, Venue } from './operation.ts';
import { COMPILE, type CompileRule } from './projection.ts';
import { projectionSchema } from './projection-schema.ts';
import { type Arguments, assertComplete, type ResolverMap } from './resolver-map.ts';
import { Tallies, type Tally } from './tallies.ts';

/** What a client asks. */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Arguments | null | undefined;
  readonly operationName?: string | null | undefined;
}

/** What a service is made of. */
export interface ServiceOptions {
  /** `venueSchema()`, made for this service: it is given the resolvers of objects. */
  readonly schema: GraphQLSchema;
  readonly resolvers: ResolverMap;
  readonly reads: ReadBucket;
  readonly log: Log;
  readonly limits?: Limits;
  readonly cache?: CacheBounds;
  readonly compile?: CompileRule;
}

/** A subscription that may begin: whoever has events makes frames of them with `frame`. */
export interface SubscriptionPlan {
  /** Root field of the contract, such as `orderBookUpdated`. */
  readonly field: string;
  /** Its response key. */
  readonly key: string;
  readonly args: Arguments;
  /** How its frames look: subscribers of one stream whose shapes are the same get one and the same frame. */
  readonly shape: string;
  /** The answer that carries one event, put together anew. Synchronous. */
  frame(event: unknown, context: OperationContext): Answer;
}

interface Planned {
  readonly operation: PreparedOperation;
  readonly roots: readonly RootField[];
  readonly variables: Arguments;
  readonly args: readonly RootArguments[];
}

/** A request that was read: what it asks for, why it cannot be run whoever asks, or what broke over it. */
export type ReadRequest = Planned | Reply | { readonly broken: unknown };

/** Answers requests. */
export class GraphqlService {
  readonly limits: Limits;
  readonly #options: ServiceOptions;
  readonly #venue: Venue;
  readonly #documents: DocumentCache<PreparedDocument | RefusedDocument>;
  readonly #tallies = new Tallies();

  /** @throws Error when resolvers and schema differ */
  constructor(options: ServiceOptions) {
    const { schema, resolvers } = options;
    const problems = validateSchema(schema);
    if (problems.length > 0) throw new Error(`Invariant: the schema is not valid: ${problems.join(', ')}`);
    assertComplete(schema, resolvers);
    this.#options = options;
    this.limits = options.limits ?? LIMITS;
    this.#venue = {
      schema,
      answers: projectionSchema(schema, resolvers),
      compile: options.compile ?? COMPILE,
      tallies: this.#tallies,
    };
    this.#documents = new DocumentCache(options.cache ?? CACHE_BOUNDS);
  }

  /** Documents kept, and characters in them: for metrics. */
  get cached(): { readonly documents: number; readonly characters: number } {
    return { documents: this.#documents.size, characters: this.#documents.characters };
  }

  /** By root field: for metrics. */
  get tallies(): Iterable<readonly [string, Readonly<Tally>]> {
    return this.#tallies.entries();
  }

  /** Answers a query or a mutation; at once where all its resolvers do. Never throws, never rejects. */
  answer(request: GraphqlRequest, context: OperationContext): Reply | Promise<Reply> {
    return this.run(this.read(request), context);
  }

  /**
   * The first half of `answer`: all that does not depend on who asks, and when. Has no effects but on caches and tallies.
   * Never throws.
   */
  read(request: GraphqlRequest): ReadRequest {
    try {
      return this.#read(request);
    } catch (error) {
      return { broken: error };
    }
  }

  /** The second half, once for each request that was read. Never throws, never rejects. */
  run(read: ReadRequest, context: OperationContext): Reply | Promise<Reply> {
    if ('broken' in read) return this.#broken(read.broken, context);
    try {
      const plan = this.#admit(read, context);
      if ('answer' in plan) return plan;
      const { kind } = plan.operation;
      if (kind === 'subscription') return requestFailed('subscriptions need a WebSocket (graphql-transport-ws)');
      const { resolvers, log } = this.#options;
      const map = kind === 'query' ? resolvers.Query : resolvers.Mutation;
      const answer = execute({ ...plan, kind, context, resolvers: map, log });
      return answer instanceof Promise ? this.#later(answer, context) : { answer };
    } catch (error) {
      return this.#broken(error, context);
    }
  }

  /** What kind of operation a request asks for; undefined where it cannot be run at all (then `answer` says why). Never throws. */
  kindOf(request: GraphqlRequest): PreparedOperation['kind'] | undefined {
    try {
      const document = this.#document(request.query);
      if (document.problems !== undefined) return undefined;
      const operation = chooseOperation(document, request.operationName);
      return typeof operation === 'string' ? undefined : operation.kind;
    } catch {
      // `read` meets it again, and tells it.
      return undefined;
    }
  }

  /** A subscription, gone through everything that a query goes through; a reply where it may not begin. Never throws. */
  subscription(request: GraphqlRequest, context: OperationContext): SubscriptionPlan | Reply {
    try {
      const plan = this.#admit(this.#read(request), context);
      if ('answer' in plan) return plan;
      if (plan.operation.kind !== 'subscription') return requestFailed('the operation is no subscription');
      return this.#subscription(plan, context);
    } catch (error) {
      return this.#broken(error, context);
    }
  }

  #subscription(plan: Planned, context: OperationContext): SubscriptionPlan | Reply {
    const { log } = this.#options;
    const { roots, variables } = plan;
    const [root] = roots;
    const [given] = plan.args;
    if (root === undefined || given === undefined) return requestFailed('the subscription has no field left');
    if ('fault' in given) {
      const data = root.isNonNull ? null : { [root.key]: null };
      return { answer: { data, errors: [argumentFailure(given.fault, root.key, context, log)] } };
    }
    return {
      field: root.name,
      key: root.key,
      args: given.args,
      shape: root.shapeOf(variables),
      frame(event, eventContext) {
        const answer = execute({
          kind: 'query',
          roots,
          args: plan.args,
          variables,
          context: eventContext,
          resolvers: { [root.name]: () => event },
          log,
        });
        if (answer instanceof Promise) throw new Error('Invariant: an event is a promise');
        return answer;
      },
    };
  }

  #read(request: GraphqlRequest): Planned | Reply {
    const document = this.#document(request.query);
    if (document.problems !== undefined) return requestFailed(...document.problems);
    const operation = chooseOperation(document, request.operationName);
    if (typeof operation === 'string') return requestFailed(operation);
    const coerced = operation.coerce(request.variables ?? undefined);
    if (coerced.problems !== undefined) return requestFailed(...coerced.problems);
    const { variables } = coerced;
    const roots = operation.rootFields(variables);
    const args = roots.map((root) => argumentsOf(root, variables));
    for (const { tally } of roots) tally.asked += 1;
    const refusal = this.#tooCostly(roots, args);
    return refusal === undefined ? { operation, roots, variables, args } : refusedOf(roots, refusal);
  }

  /** Credentials, scopes, rate. */
  #admit(plan: Planned | Reply, context: OperationContext): Planned | Reply {
    if ('answer' in plan) return plan;
    const refusal = refusedAtGate(plan.roots, context, this.#options.reads);
    return refusal === undefined ? plan : refusedOf(plan.roots, refusal);
  }

  #document(text: string): PreparedDocument | RefusedDocument {
    return this.#documents.get(text, (fresh) => prepareDocument(fresh, this.#venue, this.limits));
  }

  #tooCostly(roots: readonly RootField[], args: readonly RootArguments[]): Reply | undefined {
    let cost = 0;
    let introspection = 0;
    for (const [at, root] of roots.entries()) {
      const given = args[at];
      if (given === undefined || 'fault' in given) continue;
      if (root.isIntrospection) introspection += root.costOf(given.args);
      else cost += root.costOf(given.args);
    }
    const { mostCost, mostIntrospection } = this.limits;
    if (cost > mostCost) return tooCostly(cost, mostCost);
    return introspection > mostIntrospection ? tooCostly(introspection, mostIntrospection) : undefined;
  }

  #later(pending: Promise<Answer>, context: OperationContext): Promise<Reply> {
    return pending.then(
      (answer) => ({ answer }),
      (error) => this.#broken(error, context),
    );
  }

  #broken(error: unknown, context: OperationContext): Reply {
    return { answer: { data: null, errors: [internalFailure(error, context, this.#options.log)] } };
  }
}

function refusedOf(roots: readonly RootField[], refusal: Reply): Reply {
  for (const { tally } of roots) tally.refused += 1;
  return refusal;
}

function tooCostly(cost: number, most: number): Reply {
  return requestFailed(`the answer may come to ${cost} values, more than ${most}: ask for smaller pages or for less`);
}
