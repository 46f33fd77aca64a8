import type { BrowserContext } from 'playwright-core';
import { renderSVG } from 'uqr';

/** The date in the screenshots. */
export const pictureNow = new Date('2025-11-20T14:05:00Z');
const ago = (minutes: number) => new Date(pictureNow.getTime() - minutes * 60_000).toISOString();

/** The host in messages and QR codes, reserved by RFC 2606. */
const linkAddress = `https://id.example.com/biometrics/${'aHR0cHM6Ly9leGFtcGxlLmNvbS8tcGljdHVyZS1vbmx5'.slice(0, 43)}`;

interface Dated {
  submittedAt: string;
  [field: string]: unknown;
}

/** How long the listed reviews have been waiting, in minutes. */
const waits = [47, 23, 6];

/** Differs between runs: the transaction id, and the times. */
function stabilized(review: Dated, at: number): Dated {
  const wait = waits[at] ?? 0;
  const transactionId = `7c9e6679-7425-40de-944b-e07fc1f9${String(4_200 + at * 71)}`;
  const dates = { createdAt: 5, identifierDate: 5, openedAt: 4, consentedAt: 3, submittedAt: 0 };
  const changed = Object.entries(dates)
    .filter(([field]) => field in review)
    .map(([field, before]) => [field, ago(wait + before)]);
  const captures = Object.entries((review['captures'] ?? {}) as Record<string, object>);
  const scores = (review['scores'] ?? []) as object[];
  return {
    ...{ ...review, transactionId },
    ...Object.fromEntries(changed),
    scores: scores.map((score) => ({ ...score, createdAt: ago(wait + 6) })),
    captures: Object.fromEntries(captures.map(([kind, capture]) => [kind, { ...capture, at: ago(wait + 1) }])),
  };
}

/**
 * Replaces ids, times and addresses in responses to a browser, so that screenshots of two runs differ only where the
 * pages differ.
 */
export async function stabilizeResponses(context: BrowserContext): Promise<void> {
  const order: string[] = [];
  await context.route(/\/v1\/reviews[?/]/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Dated & { reviews?: (Dated & { id: string })[] };
    if (!response.ok()) return route.fulfill({ response });
    if (body.reviews) order.splice(0, order.length, ...body.reviews.map(({ id }) => id));
    const json = body.reviews
      ? { ...body, reviews: body.reviews.map(stabilized) }
      : stabilized(body, order.indexOf(String(body['id'])));
    return route.fulfill({ response, json });
  });
  await context.route(/\/v1\/flows\/[\w-]+\?/, async (route) => {
    const response = await route.fetch();
    const flow = (await response.json()) as { versions: { version: number }[] };
    const createdAt = ({ version }: { version: number }) => ago((flow.versions.length - version + 1) * 2_893);
    const versions = flow.versions.map((version) => ({ ...version, createdAt: createdAt(version) }));
    return route.fulfill({ response, json: { ...flow, versions } });
  });
  await context.route(/\/api\/messages\?/, async (route) => {
    const response = await route.fetch();
    const messages = (await response.json()) as { text: string; links: string[] }[];
    const steady = messages.map((message) => ({
      ...message,
      text: message.links.reduce((text, link) => text.replace(link, linkAddress), message.text),
      links: message.links.map(() => linkAddress),
      createdAt: ago(2),
    }));
    return route.fulfill({ response, json: steady });
  });
  // The browser would load read messages again.
  await context.route(/\/api\/messages\/[^/]+\/read$/, (route) => route.fulfill({ status: 204 }));
  await context.route(/\/qr\.svg$/, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: renderSVG(linkAddress, { ecc: 'M' }) }),
  );
}
