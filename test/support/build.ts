import { randomUUID } from 'node:crypto';
import type { BiometricsProposal } from '../../domain/biometrics/biometrics';
import type { ConfirmationProposal, ConfirmationSettings } from '../../domain/confirmations/settings';
import { newState, type TransactionState } from '../../domain/transactions/state';
import type { TransactionInput } from '../../domain/transactions/input';
import { deriveCode, digestTypedCode } from '../../messages/codes';
import { createTestKeys } from './test-keys';

/** The keys of tests without a database. */
export const testKeys = createTestKeys(Buffer.alloc(32, 7).toString('base64'));

/** A complete and plausible person. */
export const person: TransactionInput = {
  documentType: 'CPF',
  document: '52998224725',
  name: 'Maria Silva',
  email: 'maria.silva@example.com',
  phone: { countryCode: 55, areaCode: 11, number: 987654321 },
  address: { zipCode: '01310100', state: 'SP' },
};

/** The fields of `input` replace fields of `person`. */
export function buildState(
  input: Partial<TransactionInput> = {},
  createdAt = '2026-01-01T12:00:00.000Z',
): TransactionState {
  return newState({ tenant: 'local', id: randomUUID(), input: { ...person, ...input }, createdAt });
}

/** The proposal, as the API sends it to the workflow. */
export function propose(
  settings: ConfirmationSettings,
  transactionId: string,
  confirmationId: string = randomUUID(),
): ConfirmationProposal {
  const proposal = {
    confirmationId,
    settings,
    language: 'pt-BR',
    allowedDialCodes: ['55'],
    requireVerifiedEmail: false,
  } as const;
  if (settings.kind !== 'token') return proposal;
  return {
    ...proposal,
    digest: digestTypedCode(testKeys, transactionId, settings.name, codeOf(settings, transactionId, confirmationId)),
  };
}

/** The proposal of a biometrics link, as the API sends it to the workflow. */
export const proposeLink = (biometricsId: string): BiometricsProposal => ({
  biometricsId,
  tokenHash: `hash of ${biometricsId}`,
  expiresAfterMs: 86_400_000,
  language: 'pt-BR',
  channels: [],
  messages: {},
  allowedDialCodes: ['55'],
  imageDays: 90,
});

export function codeOf(settings: ConfirmationSettings, transactionId: string, confirmationId: string): string {
  return deriveCode(testKeys, transactionId, confirmationId, settings.codeDigits);
}

export function addMs(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}
