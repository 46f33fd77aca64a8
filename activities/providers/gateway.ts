import { smsAlphabet } from '../../messages/sending-limits';
import { type FilledRequest, fillRequest } from '../../messages/gateways/fill-request';
import type { Gateway, GatewayRequest, MessageValue } from '../../messages/gateways/gateway';
import { readFoundIds, readSendAnswer } from '../../messages/gateways/read-answer';
import { gatewayReportPath } from '../../messages/links';
import type { Keys } from '../../platform/keys/service-keys';
import { PrivateAddressError } from '../../platform/ip-addresses';
import { deadline, readWithLimit, requestPublic } from '../http-requests';
import { DeliveryError, noConnectionCodes, type OutgoingMessage, type Provider } from './provider';

/** A gateway, with its values in MESSAGING. */
export interface GatewaySender {
  /** The name of the provider in MESSAGING. */
  name: string;
  gateway: Gateway;
  values: Readonly<Record<string, string>>;
  /** The sender that the person sees. */
  from: string;
  keys: Keys;
  publicUrl: string;
  /** The tenant whose provider it is. Absent: the service. */
  tenant?: string;
  /** Whether it must have a public address. */
  publicOnly: boolean;
}

/** A caller waits for the first attempt to send, which may take 3.5 s. Of this time, one second is for the database. */
const timeoutMs = 2_500;
/** Answers of gateways are a few kilobytes. A search has the messages to one phone. */
const answerBytesMax = 256 * 1024;
/** Gateways reject a shorter time. A code that arrives late is rejected as expired. */
const msLeftMin = 60_000;

/** A declared gateway as the sender on its channel: see docs/gateways.md. */
export function createGatewaySender(settings: GatewaySender): Provider {
  const { name, gateway, values, from, keys, publicUrl, tenant, publicOnly } = settings;
  const { send, find } = gateway;
  const report = { provider: name, ...(tenant !== undefined && { tenant }) };
  const request = async (declared: GatewayRequest, message: OutgoingMessage, msLeft: number) => {
    const statusUrl = publicUrl + gatewayReportPath(keys, { ...report, sendId: message.sendId });
    const messageValues = valuesOf(message, { from, statusUrl, msLeft: Math.max(Math.floor(msLeft), msLeftMin) });
    return fetchJson(fillRequest(declared, { ...values, ...messageValues }), publicOnly);
  };
  return {
    name,
    // Half a second after a timeout, the attempt has saved its outcome, and a report has usually arrived.
    outcomeKnownAfterMs: timeoutMs + 500,
    withoutReplies: true,
    ...(!gateway.report && { withoutReports: true }),
    ...(send.recognizesRepeats && { recognizesRepeats: true }),
    async send(message, msLeft) {
      const { status, body } = await request(send.request, message, msLeft);
      const answer = readSendAnswer(gateway, status, body);
      if (answer.meaning === 'accepted') return answer.id;
      throw new DeliveryError(answer.meaning, answer.code);
    },
    ...(find && {
      async find(message) {
        const { status, body } = await request(find.request, message, 0);
        if (status !== 200) throw new DeliveryError('unknown', String(status));
        return readFoundIds(find, body);
      },
    }),
  };
}

/** The values of a message for the placeholders of a request. */
function valuesOf(
  message: OutgoingMessage,
  { from, statusUrl, msLeft }: { from: string; statusUrl: string; msLeft: number },
): Record<MessageValue, string | number> {
  const { destination, text, sendId } = message;
  return {
    to: destination,
    toDigits: destination.replace(/^\+/, ''),
    sender: from,
    text,
    textType: smsAlphabet(text) === 'gsm' ? 'text' : 'unicode',
    messageId: sendId,
    millisecondsLeft: msLeft,
    secondsLeft: Math.floor(msLeft / 1_000),
    statusUrl,
  };
}

/** Makes a request. Returns the status and the JSON of the answer; `body` is undefined if it is no JSON. Throws DeliveryError. */
async function fetchJson(
  { url, ...request }: FilledRequest,
  publicOnly: boolean,
): Promise<{ status: number; body: unknown }> {
  try {
    const signal = deadline(timeoutMs);
    // Redirects are not followed: the message goes only to the address in the settings.
    const response = publicOnly
      ? await requestPublic(url, { ...request, signal })
      : await fetch(url, { ...request, redirect: 'manual', signal });
    const bytes = await readWithLimit(response.body, answerBytesMax);
    return { status: response.status, body: bytes && parseJson(bytes) };
  } catch (error) {
    if (error instanceof PrivateAddressError) throw new DeliveryError('notSent', 'privateAddress');
    const { cause, code = cause?.code } = error as { code?: unknown; cause?: { code?: unknown } };
    if (typeof code !== 'string') throw new DeliveryError('unknown');
    // Without a connection, or without a valid certificate, nothing was sent.
    const isUnsent = noConnectionCodes.has(code) || code === 'UND_ERR_CONNECT_TIMEOUT' || /CERT|_TLS_/.test(code);
    throw new DeliveryError(isUnsent ? 'notSent' : 'unknown', code);
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
