import { judgeLink, judgeRequest } from '../../api/temporal/certain-refusals';
import { startBiometrics } from '../../domain/biometrics/link';
import type { BiometricsProposal } from '../../domain/biometrics/link-proposal';
import { requestConfirmation } from '../../domain/request';
import { smsToken } from '../../flows/confirmations';
import { buildState, propose } from '../support/build';

// A transaction at rest is woken for what it has done already, and then gives it.
test('a confirmation that is there is not refused under its own id', () => {
  const state = buildState();
  const proposal = propose(smsToken, state.id, 'a');
  const asked = requestConfirmation(state, proposal, state.createdAt);
  if ('refused' in asked) throw new Error('refused');
  const judged = (confirmationId: string) =>
    judgeRequest({ ...proposal, confirmationId })(asked.state, state.createdAt)?.type;
  expect([judged('a'), judged('b')]).toEqual([undefined, 'ResendTooSoon']);
});

test('a link that is there is not refused under its own id', () => {
  const state = buildState();
  const proposal: BiometricsProposal = {
    biometricsId: 'a',
    tokenHash: 'hash',
    expiresAfterMs: 86_400_000,
    language: 'pt-BR',
    channels: [],
    messages: {},
    allowedCountries: ['55'],
    imageDays: 90,
  };
  const started = startBiometrics(state, proposal, state.createdAt);
  if ('refused' in started) throw new Error('refused');
  const [link] = started.state.biometrics ?? [];
  if (!link) throw new Error('There is no link.');
  const inReview = { ...started.state, biometrics: [{ ...link, status: 'Processing' as const }] };
  const judged = (biometricsId: string) => judgeLink({ ...proposal, biometricsId })(inReview, state.createdAt)?.type;
  expect([judged('a'), judged('b')]).toEqual([undefined, 'BiometricsInReview']);
});
