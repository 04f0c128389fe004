import { z } from 'zod';

/** A list that ends at its first wrong entry: Zod's own collects an issue for each of millions. */
export function listOf<S extends z.ZodType>(entry: S, most: number) {
  return z
    .array(z.unknown())
    .max(most)
    .transform((values, context) => {
      const entries: z.output<S>[] = [];
      for (const [at, value] of values.entries()) {
        const parsed = entry.safeParse(value);
        if (!parsed.success) {
          const [issue] = parsed.error.issues;
          context.addIssue({ code: 'custom', ...issue, path: [at, ...(issue?.path ?? [])] });
          return z.NEVER;
        }
        entries.push(parsed.data);
      }
      return entries;
    });
}
