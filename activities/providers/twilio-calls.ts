import { DeliveryError, type Provider } from './provider';
import { callTwilio, nearestSids, outcomeKnownAfterMs, searchedMessagesMax, type TwilioSender } from './twilio';

/**
 * How long the phone rings. Most voicemails answer after 20 to 30 s, and would only take time: they do not get the code. Twilio accepts 5 s
 * and more.
 */
const ringSeconds = { min: 5, max: 25 };

/** When Twilio ends a call. All readings of a code take about two minutes, so a longer call would only cost money. */
const callSecondsMax = 180;

/**
 * Voice calls by Twilio. When the person answers, Twilio asks the API what the call says: see api/providers/calls.ts. So the request to call
 * has no code.
 */
export function createCaller({ name, client, from }: Omit<TwilioSender, 'publicUrl'>): Provider {
  return {
    name,
    outcomeKnownAfterMs,
    async send({ destination: to, content }, msLeft) {
      if (content.kind !== 'token') throw new Error(`A call cannot tell a ${content.kind}: this is a bug.`);
      const { callUrl: url } = content;
      const timeout = Math.max(ringSeconds.min, Math.min(ringSeconds.max, Math.floor(msLeft / 1_000)));
      const { sid } = await callTwilio(() =>
        client.calls.create({
          ...{ to, from, url, timeout, timeLimit: callSecondsMax, machineDetection: 'Enable' },
          statusCallback: `${url}/status`,
          statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
        }),
      );
      // If the response was interrupted, the SDK returns an empty response and throws no error.
      if (!sid) throw new DeliveryError('unknown');
      return sid;
    },
    // A call has no text to compare. If it belongs to another send after all, its status callback, which names the send, corrects this.
    async find({ destination: to }, since) {
      const limits = { limit: searchedMessagesMax, pageSize: searchedMessagesMax };
      return nearestSids(await callTwilio(() => client.calls.list({ to, from, ...limits })), since);
    },
  };
}
