import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { avellanedaStoikovParams } from '../../strategies/avellaneda-stoikov/params.ts';
import { eventRegimeParams } from '../../strategies/event-regime/params.ts';
import { glftParams } from '../../strategies/glft/params.ts';
import { gridParams } from '../../strategies/grid/params.ts';
import { ladderParams } from '../../strategies/ladder/params.ts';
import { lmsrParams } from '../../strategies/lmsr/params.ts';
import { logitParams } from '../../strategies/logit-avellaneda-stoikov/params.ts';
import { signalParams } from '../../strategies/signal/params.ts';

describe.each([
  ['ladder', ladderParams],
  ['avellaneda-stoikov', avellanedaStoikovParams],
  ['glft', glftParams],
  ['logit-avellaneda-stoikov', logitParams],
  ['grid', gridParams],
  ['lmsr', lmsrParams],
  ['signal', signalParams],
  ['event-regime', eventRegimeParams],
])('parameters of %s', (strategy, schema) => {
  const { properties = {}, additionalProperties } = z.toJSONSchema(schema, { io: 'input' });

  it('have a description that is a full sentence and names the default', () => {
    for (const [name, field] of Object.entries(properties)) {
      expect(field, name).toMatchObject({ description: expect.stringMatching(/\.$/) });
      if (JSON.stringify(field).includes('"default":')) {
        expect(field, name).toMatchObject({ description: expect.stringContaining('Default') });
      }
    }
  });

  // A wrapper has no sizes.
  if (strategy !== 'event-regime') {
    it('limit every size in shares', () => {
      for (const name of ['order_amount', 'max_position']) expect(properties[name]).toMatchObject({ maximum: 1e9 });
    });
  }

  it('allow no other key', () => {
    expect(additionalProperties).toBe(false);
  });
});
