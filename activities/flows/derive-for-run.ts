import { digestCode } from '../../platform/codes';
import type { Keys } from '../../platform/keys';
import { biometricsToken, hashBiometricsToken } from '../../platform/links';
import type { Activities } from '../../workflows/ports';

/** What steps of a run are known by, derived where the key is: the workflow sees digests and hashes only. */
export function deriveForRun(keys: Keys): Pick<Activities, 'digestCode' | 'hashLink'> {
  return {
    digestCode: async ({ transactionId, confirmationId, name, codeDigits }) => ({
      digest: digestCode(keys, transactionId, confirmationId, { name, codeDigits }),
    }),
    hashLink: async (link) => ({ tokenHash: hashBiometricsToken(biometricsToken(keys, link)) }),
  };
}
