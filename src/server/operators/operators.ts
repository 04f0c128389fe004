/** The operators' interface: route, token, table of commands, and log of executed commands. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Fault, formatTime } from '../../domain/index.ts';
import type { Json, Registry } from '../../exchange/index.ts';
import { newToken } from '../access/secrets.ts';
import { errorFields, type Log } from '../graphql/context.ts';
import { type OperatorCommand, type OperatorDeps, OperatorFault } from './command.ts';
import { LIST_COMMANDS } from './list-commands.ts';
import { MARKET_COMMANDS } from './market-commands.ts';
import { POLYMARKET_COMMANDS } from './polymarket-commands.ts';
import { VENUE_COMMANDS } from './venue-commands.ts';

export const OPERATOR_COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  ...MARKET_COMMANDS,
  ...VENUE_COMMANDS,
  ...LIST_COMMANDS,
  ...POLYMARKET_COMMANDS,
};

const requestSchema = z.looseObject({ command: z.string() });

export class Operators {
  readonly #deps: OperatorDeps;
  #actionCount: number;

  constructor(deps: OperatorDeps) {
    this.#deps = deps;
    this.#actionCount = Number(deps.registry.load('operatorAction').at(-1)?.key ?? 0);
  }

  /**
   * Runs `{command, …arguments}`. Stores a record of each command that changes something, even of a refused command.
   * @throws OperatorFault
   */
  async run(body: unknown, source: string): Promise<Json> {
    const request = requestSchema.safeParse(body);
    if (!request.success) throw new OperatorFault(400, 'INVALID', 'expected a JSON object with "command", a text');
    const { command: name, ...args } = request.data;
    const command = Object.hasOwn(OPERATOR_COMMANDS, name) ? OPERATOR_COMMANDS[name] : undefined;
    if (command === undefined) {
      const names = Object.keys(OPERATOR_COMMANDS).join(', ');
      const problem = `command: there is no ${JSON.stringify(name)}. The commands are ${names}`;
      throw new OperatorFault(404, 'NO_COMMAND', problem);
    }
    const { queue, registry } = this.#deps;
    const record = (outcome: string): void => {
      this.#actionCount += 1;
      registry.put({
        table: 'operatorAction',
        key: String(this.#actionCount).padStart(12, '0'),
        value: { at: formatTime(queue.now), command: name, arguments: JSON.stringify(args), from: source, outcome },
      });
    };
    try {
      return await command.run(args, { ...this.#deps, record: () => record('done') });
    } catch (fault) {
      if (command.hasEffect && fault instanceof OperatorFault) {
        record(`${fault.code}: ${fault.message}`);
        registry.sync(() => {});
      }
      throw fault;
    }
  }
}

const KEY_NAME = 'operator.token';
const HEX_HASH = /^[0-9a-f]{64}$/;
const BEARER = /^bearer +(pmo_[0-9a-f]{64})$/i;

/** The operators' secret, stored as a hash. A fast hash is safe, because the secret has 256 random bits. */
export class OperatorToken {
  /** A newly created token in clear text, to show once. */
  readonly newToken: string | undefined;
  readonly #hash: Buffer;

  /** Reads the stored hash, or creates a token. @param options `renew` replaces an existing token */
  constructor(registry: Registry, { renew }: { readonly renew: boolean }) {
    const stored = registry.find('secret', KEY_NAME);
    if (stored !== undefined && !renew) {
      if (typeof stored !== 'string' || !HEX_HASH.test(stored)) {
        const remedy = 'Create a new token (--new-operator-token)';
        throw new Fault('REGISTRY', `the hash of the operators' token is not 64 hex digits. ${remedy}`);
      }
      this.#hash = Buffer.from(stored, 'hex');
      return;
    }
    this.newToken = newToken('pmo');
    this.#hash = hashToken(this.newToken);
    registry.put({ table: 'secret', key: KEY_NAME, value: this.#hash.toString('hex') });
  }

  isValid(authorization: string | undefined): boolean {
    const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    return token !== undefined && timingSafeEqual(hashToken(token.toLowerCase()), this.#hash);
  }
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** Returns a function that adds the route `POST {base}/operator`. */
export function createOperatorRoute({
  operators,
  token,
  log,
  base,
}: {
  readonly operators: Operators;
  readonly token: OperatorToken;
  readonly log: Log;
  /** Prefix of the path, such as `/venue`. */
  readonly base: string;
}): (app: FastifyInstance) => void {
  const refuse = (reply: FastifyReply, status: number, code: string, message: string): FastifyReply =>
    reply.status(status).send({ ok: false, error: { code, message } });
  // Runs before the body is read, so that the server never parses the body of an unauthenticated request.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (request.method !== 'POST') return refuse(reply.header('allow', 'POST, OPTIONS'), 405, 'METHOD', 'use POST');
    const problem = "the operators' token is missing or wrong (Authorization: Bearer pmo_…)";
    if (!token.isValid(request.headers.authorization)) return refuse(reply, 401, 'UNAUTHORIZED', problem);
    if (request.headers['content-encoding'] !== undefined)
      return refuse(reply, 415, 'CONTENT_ENCODING', 'a command must have no content encoding');
    return undefined;
  };
  return (app) => {
    app.route({
      method: ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'],
      url: `${base}/operator`,
      onRequest,
      handler: async (request, reply) => {
        try {
          return reply.send({ ok: true, result: await operators.run(request.body, request.ip) });
        } catch (error) {
          if (error instanceof OperatorFault) return refuse(reply, error.status, error.code, error.message);
          if (error instanceof Fault && error.code === 'EXCHANGE_CLOSING')
            return refuse(reply, 503, error.code, error.message);
          log.error({ ...errorFields(error), requestId: request.id }, "internal error in an operator's command");
          return refuse(reply, 500, 'INTERNAL', `internal error (${request.id})`);
        }
      },
    });
  };
}
