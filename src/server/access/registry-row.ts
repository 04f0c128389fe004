import type { z } from 'zod';
import { Fault } from '../../domain/index.ts';

/**
 * A value of the registry as what it should be.
 * @param what such as `a session`
 * @throws Fault that names the fields and quotes none of them: they may be secrets
 */
export function registryRow<Row>(schema: z.ZodType<Row>, json: unknown, what: string): Row {
  const { success, data, error } = schema.safeParse(json);
  if (success) return data;
  const fields = error.issues.map(({ path }) => path.join('.') || 'the whole').join(', ');
  const message = `${what} in the registry cannot be read (${fields}). Put back a good copy of the database`;
  throw new Fault('REGISTRY', message);
}
