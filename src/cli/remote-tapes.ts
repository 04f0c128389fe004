import { z } from 'zod';

/** Options of commands that download tapes. */
export const REMOTE_TAPES = {
  maxGb: z.coerce.number('expected a number of GB').optional(),
  s3Endpoint: z.string().optional(),
  s3Region: z.string().optional(),
};

/** These options as `remote_tapes` of a configuration. */
export function remoteTapes({ maxGb, s3Endpoint, s3Region }: z.output<z.ZodObject<typeof REMOTE_TAPES>>) {
  return {
    ...(maxGb !== undefined && { max_gb: maxGb }),
    ...(s3Endpoint !== undefined && { s3_endpoint: s3Endpoint }),
    ...(s3Region !== undefined && { s3_region: s3Region }),
  };
}
