import { limits } from '../../../domain/transactions/limits';
import { type RememberedResponse, rememberResponse } from '../../../domain/transactions/state';
import { utf8Bytes } from '../../../domain/text';
import { addMs } from '../../support/build';

const noon = '2026-03-01T12:00:00.000Z';
const buildResponse = (keyPart: string, changes: Partial<RememberedResponse> = {}): RememberedResponse => ({
  keyPart,
  at: noon,
  response: 'a',
  ...changes,
});
const idsOf = (responses: readonly RememberedResponse[]) => responses.map(({ keyPart }) => keyPart);

function rememberAll(responses: readonly RememberedResponse[]) {
  return responses.reduce<readonly RememberedResponse[]>(rememberResponse, []);
}

test('responses are remembered for a day, up to a limit', () => {
  const responses = Array.from({ length: limits.rememberedCommands + 1 }, (_, index) => buildResponse(String(index)));
  expect(idsOf(rememberAll(responses))).toEqual(idsOf(responses.slice(1)));
  expect(
    idsOf(rememberResponse(responses, buildResponse('late', { at: addMs(noon, limits.rememberedForMs) }))),
  ).toEqual(['late']);
});

test('responses of analyses do not displace responses of other commands', () => {
  const analyses = Array.from({ length: 100 }, (_, index) => buildResponse(`look-${index}`, { analysis: true }));
  expect(idsOf(rememberAll([buildResponse('send'), ...analyses]))).toEqual([
    'send',
    ...idsOf(analyses.slice(-limits.rememberedAnalyses)),
  ]);
});

test('responses to commands without a key are kept for a minute, and do not displace other responses', () => {
  const own = Array.from({ length: 100 }, (_, index) => buildResponse(`own-${index}`, { withoutKey: true }));
  const all = rememberAll([buildResponse('send'), ...own]);
  expect(idsOf(all)).toEqual(['send', ...idsOf(own.slice(-limits.rememberedWithoutKey))]);
  const minuteLater = buildResponse('late', { at: addMs(noon, limits.rememberedWithoutKeyForMs) });
  expect(idsOf(rememberResponse(all, minuteLater))).toEqual(['send', 'late']);
});

test('long responses are remembered while they fit into the state, and the newest one always stays', () => {
  const longText = 'x'.repeat(limits.rememberedBytes / 3 - 2);
  const longResponses = ['a', 'b', 'c', 'd'].map((id) => buildResponse(id, { response: longText }));
  expect(idsOf(rememberAll(longResponses))).toEqual(['b', 'c', 'd']);
  expect(idsOf(rememberAll([...longResponses, buildResponse('short')]))).toEqual(['c', 'd', 'short']);
  expect(
    idsOf(rememberAll([...longResponses, buildResponse('huge', { response: 'x'.repeat(limits.rememberedBytes) })])),
  ).toEqual(['huge']);
});

test('the size of responses is measured in bytes', () => {
  // Each of these characters has three bytes in UTF-8.
  const longText = '€'.repeat(limits.rememberedBytes / 9 - 2);
  const responses = ['a', 'b', 'c', 'd'].map((id) => buildResponse(id, { response: longText }));
  expect(idsOf(rememberAll(responses))).toEqual(['b', 'c', 'd']);
});

test.each(['', 'abc', 'ação', '€', '😀', '\ud800'])('the bytes of %j are counted as in UTF-8', (text) => {
  expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
});
