// What may be kept of a conversation. Applied in one place, the store's gate, before any driver sees a byte.
import * as z from 'zod';

export const storagePolicySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('full') }),
  z.strictObject({ kind: z.literal('headers-only') }),
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('ttl'),
    /** How long the text is kept, counted from the moment it was said. */
    milliseconds: z.int().positive(),
    /** What happens then: the text goes and the header stays, or the whole entry goes. */
    afterwards: z.enum(['headers-only', 'delete']),
  }),
]);

export type StoragePolicy = z.infer<typeof storagePolicySchema>;
