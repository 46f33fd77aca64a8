import { digestCorrectCode } from '../messages/codes';
import type { Keys } from '../platform/keys/service-keys';
import { biometricsToken, hashBiometricsToken } from '../messages/links';
import type { Activities } from '../workflows/ports';

/**
 * The activities that derive a code or a link of a flow run. The workflow has no keys, so activities do this. They return only the digest
 * of the code, or the hash of the link, so that the code and the link never reach the workflow.
 */
export function createHashActivities(keys: Keys): Pick<Activities, 'digestCode' | 'hashLink'> {
  return {
    digestCode: async ({ transactionId, confirmationId, ...settings }) => ({
      digest: digestCorrectCode(keys, transactionId, confirmationId, settings),
    }),
    hashLink: async (link) => ({ tokenHash: hashBiometricsToken(biometricsToken(keys, link)) }),
  };
}
