import { z } from 'zod';

/**
 * A list of at most so many entries that ends at its first wrong one. Zod's own collects an issue for each: a file of
 * millions of wrong entries would become as many issues in memory.
 */
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
