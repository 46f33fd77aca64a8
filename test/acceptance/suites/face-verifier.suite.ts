import { LinkBrowser } from '../../api/biometrics/link/link-browser';
import { noiseImage } from '../../images/test-images';
import type { GetTestStack } from '../support/test-stack';
import type { AllBody } from '../support/api-client';
import type { Link } from '../support/biometrics-link';
import type { FakeFaceVerifier } from '../support/face-verifier';
import { newPerson } from '../support/new-person';
import { waitUntil } from '../../support/wait-until';

/** A tenant whose face policy lets the face verifier approve images. A reviewer decides on all other images. */
export function describeFaceVerifier(getTestStack: GetTestStack, verifier: FakeFaceVerifier): void {
  describe('a face verifier', () => {
    it.each([
      ['approves images that meet the policy of the tenant', 0.97, 'Approved'],
      ['leaves images that do not meet the policy to a reviewer', 0.4, 'Processing'],
    ] as const)('a face verifier %s', async (_, similarity, status) => {
      const { api, stack } = getTestStack();
      verifier.result.similarity = similarity;
      const token = await stack.token('other');
      const createResponse = await api.post('/v1/transaction', { body: newPerson().body, token });
      const path = `/v1/transaction/${(createResponse.body as { id: string }).id}`;
      const { url } = (await api.post(`${path}/biometrics`, { token })).body as Link;
      const person = new LinkBrowser(url);
      expect((await person.request('')).body['text']).toContain('&quot;verifiesFaces&quot;:true');
      await person.openAndConsent();
      const image = await noiseImage(900, 700);
      for (const kind of ['documentFront', 'documentBack', 'selfie']) await person.upload(kind, image);
      const before = verifier.receivedRequests.length;
      expect((await person.post('/submit')).status).toBe(200);
      await waitUntil(() => verifier.receivedRequests.length > before);
      const hasStatus = async () =>
        ((await api.get(`${path}/all`, { token })).body as AllBody).biometrics?.status === status;
      await waitUntil(hasStatus);
      const reviewList = (await api.get('/v1/reviews', { token })).body as { reviews: { transactionId: string }[] };
      const isWaiting = reviewList.reviews.some(({ transactionId }) => path.endsWith(transactionId));
      expect(isWaiting).toBe(status === 'Processing');
    });
  });
}
