import { findClosedTokenResult } from '../../domain/confirmations/check-code';
import { messageOf } from '../../domain/confirmations/confirmation';
import { destinationOf } from '../../domain/confirmations/send';
import { deriveCode } from '../../messages/codes';
import { callPath, type CallTarget, readCallToken } from '../../messages/links';
import { asTenant } from '../../platform/postgres/tenant-scope';
import type { Needs } from '../dependencies';
import { Problem } from '../http/problem';
import { type RawHandler, undocumentedRoute, type UndocumentedRoute } from '../http/route';
import { confirmationOfSend } from '../../domain/transactions/state';
import { hangUp, repeatsMax, sayCode, sayWithoutCode } from './call-script';
import { readTwilioForm } from './twilio';

type CallNeeds = 'config' | 'keys' | 'providerEvents' | 'providers' | 'transactions';

/** The form of the id of a call at Twilio (its SID). */
const sidPattern = /^CA[0-9a-f]{32}$/i;

/** Why a call did not tell the code, by the status of the call. It is the provider's error code in the reason of the failure. */
const failureCodes: Readonly<Record<string, string>> = {
  busy: 'Busy',
  'no-answer': 'NoAnswer',
  failed: 'CallFailed',
  canceled: 'CallCanceled',
  completed: 'HungUp',
  'answered-by-machine': 'AnsweredByMachine',
};

/** POST /webhooks/twilio/calls/{token}/status: the status of a call. */
export const receiveCallStatus: RawHandler<CallNeeds> = async (dependencies, request, response) => {
  const { sendId } = targetOf(dependencies, request.params['token']);
  const fields = { required: ['CallSid', 'CallStatus'], optional: [] } as const;
  const { CallSid: callId, CallStatus: status } = await readTwilioForm(dependencies, request, response, fields);
  await reportStatus(dependencies, sendId, callId, status);
  response.status(204).end();
};

/**
 * POST /webhooks/twilio/calls/{token}: somebody has answered a call, or pressed a key, and Twilio asks what the call says. A machine gets no
 * code, because everybody who can listen to it later would hear the code.
 */
export const answerCall: RawHandler<CallNeeds> = async (dependencies, request, response) => {
  const target = targetOf(dependencies, request.params['token']);
  const fields = { required: ['CallSid'], optional: ['AnsweredBy'] } as const;
  const { CallSid: callId, AnsweredBy: by } = await readTwilioForm(dependencies, request, response, fields);
  const isMachine = /^(?:machine|fax)/.test(by ?? '');
  await reportStatus(dependencies, target.sendId, callId, isMachine ? 'answered-by-machine' : 'answered-by-person');
  const { searchParams } = new URL(request.originalUrl, dependencies.config.PUBLIC_URL);
  const repeats = Number(/^\d$/.exec(searchParams.get('repeat') ?? '')?.[0] ?? 0);
  const twiml = isMachine ? hangUp() : await asTenant(target.tenant, () => scriptOf(dependencies, target, repeats));
  response.set('cache-control', 'no-store').type('text/xml').send(twiml);
};

/** Throws invalid_signature. */
function targetOf({ keys }: Needs<'keys'>, token: unknown): CallTarget {
  const target = readCallToken(keys, String(token));
  if (!target) throw new Problem('invalid_signature');
  return target;
}

/** Saves the status of a call, and tells its transaction. Throws validation_failed if `providerId` is not the id of a call. */
async function reportStatus(
  { providerEvents }: Needs<'providerEvents'>,
  sendId: string,
  providerId: string,
  status: string,
): Promise<void> {
  if (!sidPattern.test(providerId))
    throw new Problem('validation_failed', { errors: { CallSid: ['must be the id of a call'] } });
  const code = failureCodes[status];
  await providerEvents.takeStatus({
    kind: 'status',
    sendId,
    providerId,
    status,
    ...(code === undefined ? {} : { code }),
  });
}

/** What a call says to a person. `repeats`: how often the person has pressed a key. */
async function scriptOf(
  { config, keys, transactions }: Needs<'config' | 'keys' | 'transactions'>,
  target: CallTarget,
  repeats: number,
): Promise<string> {
  const { tenant, transactionId: id, sendId } = target;
  try {
    const state = await transactions.readState({ tenant, id });
    const token = confirmationOfSend(state, sendId);
    const send = token?.sends.find((one) => one.id === sendId);
    if (!token || !send) return sayWithoutCode(config.DEFAULT_LANGUAGE, 'closed');
    const { language, settings } = token;
    if (findClosedTokenResult(state, token, new Date().toISOString())) return sayWithoutCode(language, 'closed');
    const code = deriveCode(keys, id, token.codeId ?? token.id, settings.codeDigits, destinationOf(state, settings));
    const repeatUrl = `${config.PUBLIC_URL}${callPath(keys, target)}?repeat=${repeats + 1}`;
    return sayCode(language, messageOf(token, send).body, code, repeats < repeatsMax ? repeatUrl : undefined);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isGone = error.code === 'transaction_not_found' || error.code === 'erased';
    return sayWithoutCode(config.DEFAULT_LANGUAGE, isGone ? 'closed' : 'unavailable');
  }
}

/** Requests of Twilio about calls. They have a signature instead of an access token, and their address names the call. */
export const callRoutes: readonly UndocumentedRoute[] = [
  undocumentedRoute('post', '/webhooks/twilio/calls/{token}', answerCall, 'rejected'),
  undocumentedRoute('post', '/webhooks/twilio/calls/{token}/status', receiveCallStatus, 'rejected'),
];
