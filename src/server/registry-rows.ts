/** Helpers for the registry: waiting until changes are durable, and parsing rows. */
import { z } from 'zod';
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
