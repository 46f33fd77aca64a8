import { addMs } from './add-ms';
import { limits } from './limits';
import type { RememberedResponse } from './state';
import { utf8Bytes } from './utf8-bytes';

/**
 * Adds the response of a command, for repeats with the same idempotency key, and drops old responses. Keeps the newest responses of one
 * day, within the limits on commands, analyses and total size. The new response always stays, because its request may be repeated soon.
 */
export function rememberResponse(
  responses: readonly RememberedResponse[],
  response: RememberedResponse,
): readonly RememberedResponse[] {
  const cutoff = addMs(response.at, -limits.rememberedForMs);
  const others = responses.filter(({ at, keyPart }) => at > cutoff && keyPart !== response.keyPart);
  const recentResponses = [...others, response];
  const analysisResponses = recentResponses.filter(({ analysis }) => analysis).slice(-limits.rememberedAnalyses);
  const commandResponses = recentResponses.filter(({ analysis }) => !analysis).slice(-limits.rememberedCommands);
  return limitTotalSize(
    recentResponses.filter((one) => analysisResponses.includes(one) || commandResponses.includes(one)),
  );
}

/** Drops the oldest responses until the total size is within the limit. Never drops the newest response. */
function limitTotalSize(responses: readonly RememberedResponse[]): readonly RememberedResponse[] {
  const sizes = responses.map(({ response }) => utf8Bytes(JSON.stringify(response) ?? ''));
  let bytesLeft = limits.rememberedBytes;
  const lastDroppedIndex = sizes.findLastIndex((size) => (bytesLeft -= size) < 0);
  return responses.slice(Math.min(lastDroppedIndex + 1, responses.length - 1));
}
