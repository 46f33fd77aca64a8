import { isUtf8Json, runBodyParser } from '../../http/body/read-json';
import express from 'express';
import { opensWithoutSignIn } from '../../http/auth/opens-without-sign-in';
import { Problem } from '../../http/problem';
import type { RawHandler } from '../../http/route';

/** Maximum size of a request. It is enough for the largest flow with every character escaped, and for its scenarios. */
const requestBytesMax = 512 * 1024;
/** Maximum time of a simulation. The first simulation starts a server, and each scenario takes about a second. */
const timeoutMs = 120_000;

/**
 * POST /flows/simulations: simulates a flow on the local stack. The flow runs in the real workflow, on a test server that skips waiting
 * times (dev/flow/simulator). Throws not_found if there is no simulator, as in production. Also throws not_found for requests from other
 * machines.
 */
export const simulateFlow: RawHandler = async (dependencies, request, response) => {
  const { FLOW_SIMULATOR_URL: url } = dependencies.config;
  if (url === undefined || !opensWithoutSignIn(dependencies, request)) throw new Problem('not_found');
  // Other content types are rejected, because browsers let any web page send some of them without asking for permission (CORS).
  if (!isUtf8Json(request)) throw new Problem('unsupported_media_type');
  const parser = express.raw({ type: () => true, limit: requestBytesMax });
  const body = (await runBodyParser(parser, request, response)) as Buffer<ArrayBuffer>;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => undefined);
  if (!answer) throw new Problem('service_unavailable');
  response.status(answer.status).type(answer.headers.get('content-type') ?? 'application/json');
  response.set('Cache-Control', 'no-store').end(await answer.text());
};
