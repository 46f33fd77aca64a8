import type { BrowserContext } from 'playwright-core';
import { renderSVG } from 'uqr';

export const screenshotTime = new Date('2025-11-20T14:05:00Z');
const minutesAgo = (minutes: number) => new Date(screenshotTime.getTime() - minutes * 60_000).toISOString();

/** This link leads nowhere: RFC 2606 reserves example.com for examples. */
const linkAddress = `https://id.example.com/biometrics/${'aHR0cHM6Ly9leGFtcGxlLmNvbS8tcGljdHVyZS1vbmx5'.slice(0, 43)}`;

/** About two days. */
const minutesBetweenVersions = 2_893;

interface ReviewResponse {
  submittedAt: string;
  [field: string]: unknown;
}

/** One number for each listed review. */
const waitingMinutes = [47, 23, 6];

/** Replaces the transaction id and the times, which differ in each run. */
function stabilizeReview(review: ReviewResponse, index: number): ReviewResponse {
  const waitedMinutes = waitingMinutes[index] ?? 0;
  const transactionId = `7c9e6679-7425-40de-944b-e07fc1f9${String(4_200 + index * 71)}`;
  const minutesBeforeSubmit = { createdAt: 5, identifierDate: 5, openedAt: 4, consentedAt: 3, submittedAt: 0 };
  const fixedDates = Object.entries(minutesBeforeSubmit)
    .filter(([field]) => field in review)
    .map(([field, minutes]) => [field, minutesAgo(waitedMinutes + minutes)]);
  const captures = Object.entries((review['captures'] ?? {}) as Record<string, object>);
  const scores = (review['scores'] ?? []) as object[];
  return {
    ...{ ...review, transactionId },
    ...Object.fromEntries(fixedDates),
    scores: scores.map((score) => ({ ...score, createdAt: minutesAgo(waitedMinutes + 6) })),
    captures: Object.fromEntries(
      captures.map(([kind, capture]) => [kind, { ...capture, at: minutesAgo(waitedMinutes + 1) }]),
    ),
  };
}

/** Replaces ids, times and addresses, so that a new screenshot differs only if the page has changed. */
export async function stabilizeResponses(context: BrowserContext): Promise<void> {
  const reviewIds: string[] = [];
  await context.route(/\/v1\/reviews[?/]/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as ReviewResponse & { reviews?: (ReviewResponse & { id: string })[] };
    if (!response.ok()) return route.fulfill({ response });
    if (body.reviews) reviewIds.splice(0, reviewIds.length, ...body.reviews.map(({ id }) => id));
    const json = body.reviews
      ? { ...body, reviews: body.reviews.map(stabilizeReview) }
      : stabilizeReview(body, reviewIds.indexOf(String(body['id'])));
    return route.fulfill({ response, json });
  });
  await context.route(/\/v1\/flows\/[\w-]+\?/, async (route) => {
    const response = await route.fetch();
    const flow = (await response.json()) as { versions: { version: number }[] };
    const createdAt = ({ version }: { version: number }) =>
      minutesAgo((flow.versions.length - version + 1) * minutesBetweenVersions);
    const versions = flow.versions.map((version) => ({ ...version, createdAt: createdAt(version) }));
    return route.fulfill({ response, json: { ...flow, versions } });
  });
  await context.route(/\/api\/messages\?/, async (route) => {
    const response = await route.fetch();
    const messages = (await response.json()) as { text: string; links: string[] }[];
    const stableMessages = messages.map((message) => ({
      ...message,
      text: message.links.reduce((text, link) => text.replace(link, linkAddress), message.text),
      links: message.links.map(() => linkAddress),
      createdAt: minutesAgo(2),
    }));
    return route.fulfill({ response, json: stableMessages });
  });
  // If the inbox marked the message as read, the browser would load the messages again.
  await context.route(/\/api\/messages\/[^/]+\/read$/, (route) => route.fulfill({ status: 204 }));
  await context.route(/\/qr\.svg$/, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: renderSVG(linkAddress, { ecc: 'M' }) }),
  );
}
