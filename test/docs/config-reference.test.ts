import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { configTable } from '../../docs/generator/config-reference.ts';

describe('the table of a configuration schema', () => {
  it('has a row with values and description for each key', () => {
    const schema = z.strictObject({
      name: z.string().describe('What it is called.'),
      size: z.number().gt(0).lt(5).default(1).describe('How large. Default 1.'),
      count: z.int().min(2).optional(),
      on: z.boolean().default(true),
      kind: z.enum(['a', 'b']).describe('One | other.'),
      sizes: z.array(z.number()).default([]),
      limit: z.union([z.number().max(9), z.literal('none')]).optional(),
      dir: z.string().nullable().optional(),
      free: z.record(z.string(), z.unknown()).optional(),
      inner: z.strictObject({ deep: z.string() }).describe('A section.'),
      model: z
        .discriminatedUnion('type', [
          z.strictObject({ type: z.literal('flat') }),
          z.strictObject({ type: z.literal('power'), n: z.number() }),
        ])
        .describe('Which one.'),
      secret: z
        .union([
          z.strictObject({ env: z.string().describe('Its name.') }),
          z.strictObject({ store: z.string(), password: z.string() }),
          z.strictObject({ store: z.string(), file: z.string() }),
        ])
        .describe('Where it is.'),
      grid: z.union([z.enum(['tick']), z.strictObject({ steps: z.number() })]).default('tick'),
      named: z.record(z.string(), z.strictObject({ on: z.boolean() })).default({}),
      hooks: z.array(z.strictObject({ url: z.string().describe('Where to.'), id: z.int().optional() })).default([]),
    });
    expect(configTable(schema)).toBe(`| Key | Value | Meaning |
|---|---|---|
| \`name\` | text, required | What it is called. |
| \`size\` | number, above 0 below 5 | How large. Default 1. |
| \`count\` | whole number, from 2 |  |
| \`on\` | \`true\`, \`false\` |  |
| \`kind\` | \`a\`, \`b\`, required | One \\| other. |
| \`sizes\` | list of number |  |
| \`limit\` | number, to 9 or \`none\` |  |
| \`dir\` | text or \`null\` |  |
| \`free\` | keys of its own |  |
| \`inner\` | section, required | A section. |
| \`inner.deep\` | text, required |  |
| \`model\` | one of \`type: flat\`, \`type: power\`, required | Which one. |
| \`model (type: power).n\` | number, required |  |
| \`secret\` | \`{ env }\` or \`{ store, password }\` or \`{ store, file }\`, required | Where it is. |
| \`secret.env\` | text | Its name. |
| \`secret.store\` | text |  |
| \`secret.password\` | text |  |
| \`secret.file\` | text |  |
| \`grid\` | \`tick\` or \`{ steps }\` |  |
| \`grid.steps\` | number |  |
| \`named\` | keys of its own |  |
| \`named.*.on\` | \`true\`, \`false\`, required |  |
| \`hooks\` | list of section |  |
| \`hooks[].url\` | text, required | Where to. |
| \`hooks[].id\` | whole number |  |
`);
  });
});
