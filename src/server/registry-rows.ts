/** Helpers for the registry: waiting until changes are durable, parsing rows, and secrets. */
import { z } from 'zod';
import { secureBytes } from '../clock/index.ts';
import { epochMs, Fault } from '../domain/index.ts';
import type { Registry, RegistryCodec } from '../exchange/index.ts';

/** Resolves when all earlier changes are durable. @throws Fault when the registry cannot be written */
export function syncRegistry(registry: Registry): Promise<void> {
  return new Promise((resolve, reject) => {
    registry.sync((fault) => {
      if (fault === undefined) resolve();
      else reject(fault);
    });
  });
}

/**
 * Parses a value of the registry.
 * @param description names the row in the message, such as `a session`
 * @throws Fault that names the invalid fields, but not their values, which may be secret
 */
export function parseRegistryRow<Row>(schema: z.ZodType<Row>, json: unknown, description: string): Row {
  const { success, data, error } = schema.safeParse(json);
  if (success) return data;
  const fields = error.issues.map(({ path }) => path.join('.') || 'the whole row').join(', ');
  const message = `${description} in the registry is invalid (${fields}). Put back a good copy of the database`;
  throw new Fault('REGISTRY', message);
}

/** Makes a codec for the rows of a schema. @param description like in `parseRegistryRow` */
export function registryCodec<Row>(schema: z.ZodType<Row>, description: string): RegistryCodec<Row> {
  return {
    encode: (value) => JSON.parse(JSON.stringify(value, (_, member) => member ?? null)),
    decode: (json) => parseRegistryRow(schema, json, description),
  };
}

/** Makes a member optional. A missing member is null in the row and undefined in the value. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().transform((value) => value ?? undefined);
}

export const storedTime = z.number().transform(epochMs);

/**
 * Returns a stored secret of 32 bytes, or creates a secret, which the next transaction stores.
 * @param description names the secret in the message @throws Fault for an invalid stored secret
 */
export function loadSecret(registry: Registry, key: string, description: string): Buffer {
  const stored = registry.find('secret', key);
  if (typeof stored === 'string' && /^[0-9a-f]{64}$/.test(stored)) return Buffer.from(stored, 'hex');
  if (stored !== undefined)
    throw new Fault('REGISTRY', `${description} is not 64 hex digits. Put back a good copy of the database`);
  const secret = Buffer.from(secureBytes(32));
  registry.put({ table: 'secret', key, value: secret.toString('hex') });
  return secret;
}
