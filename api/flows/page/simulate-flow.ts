import express from 'express';
import { opensWithoutSignIn } from '../../http/auth/opens-without-sign-in';
import { runBodyParser } from '../../http/body/read-json';
import { Problem } from '../../http/problem';
import type { RawHandler } from '../../http/route';

/** Enough for the largest flow with every character escaped, and for its scenarios. */
const requestBytesMax = 512 * 1024;
/** The first simulation starts a server, and each scenario takes about a second. */
const timeoutMs = 120_000;

/**
 * POST /flows/simulations: simulates a flow on the local stack (dev/flow/simulator), in the real workflow on a server that skips time. A
 * service has no such server, so the answer is not_found there, and to requests from other machines.
 */
export const simulateFlow: RawHandler = async (dependencies, request, response) => {
  const { FLOW_SIMULATOR_URL: url } = dependencies.config;
  if (url === undefined || !opensWithoutSignIn(dependencies, request)) throw new Problem('not_found');
  // Some other content types need no permission of CORS, so any web page could send them.
  if (!/^application\/json\b/.test(request.get('content-type') ?? '')) throw new Problem('unsupported_media_type');
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
