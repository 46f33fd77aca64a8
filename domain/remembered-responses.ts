import { addMs } from './add-ms';
import { limits } from './limits';
import type { RememberedResponse } from './state';
import { utf8Bytes } from './utf8-bytes';

/** The kinds of responses. Each kind has its own limit, so that many responses of one kind do not replace those of another. */
const kinds = [
  {
    includes: ({ withoutKey }: RememberedResponse) => withoutKey === true,
    keptForMs: limits.rememberedWithoutKeyForMs,
    max: limits.rememberedWithoutKey,
  },
  {
    includes: ({ withoutKey, analysis }: RememberedResponse) => !withoutKey && analysis === true,
    keptForMs: limits.rememberedForMs,
    max: limits.rememberedAnalyses,
  },
  {
    includes: ({ withoutKey, analysis }: RememberedResponse) => !withoutKey && !analysis,
    keptForMs: limits.rememberedForMs,
    max: limits.rememberedCommands,
  },
];

/**
 * Adds the response of a command, for repeats of its request, and drops old responses. Keeps the newest responses of each kind, within the
 * limit on their total size. The new response always stays, because its request may be repeated soon.
 */
export function rememberResponse(
  responses: readonly RememberedResponse[],
  response: RememberedResponse,
): readonly RememberedResponse[] {
  const all = [...responses.filter(({ keyPart }) => keyPart !== response.keyPart), response];
  const kept = new Set(
    kinds.flatMap(({ includes, keptForMs, max }) => {
      const cutoff = addMs(response.at, -keptForMs);
      return all.filter((one) => includes(one) && one.at > cutoff).slice(-max);
    }),
  );
  return limitTotalSize(all.filter((one) => kept.has(one)));
}

/** Drops the oldest responses until the total size is within the limit. Never drops the newest response. */
function limitTotalSize(responses: readonly RememberedResponse[]): readonly RememberedResponse[] {
  const sizes = responses.map(({ response }) => utf8Bytes(JSON.stringify(response) ?? ''));
  let bytesLeft = limits.rememberedBytes;
  const lastDroppedIndex = sizes.findLastIndex((size) => (bytesLeft -= size) < 0);
  return responses.slice(Math.min(lastDroppedIndex + 1, responses.length - 1));
}
